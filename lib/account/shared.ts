import type { Client } from '../http/client.ts';
import type { HeaderLine } from '../http/exchange.ts';
import type { Masker } from '../judging/masker.ts';
import type { Permits } from '../permits.ts';
import type { Ledger } from './ledger.ts';
import type { Names } from './names.ts';
import type { Settling } from './settling.ts';
import type { Signs } from './signs.ts';
import type { Tags } from './tags.ts';
import type { TokenRefusal } from './token-refusal.ts';
import type { WriteOutage } from './write-outage.ts';

/**
 * Whether requests without a body have a Content-Type. Section 5 requires it; some frameworks answer it with 400.
 */
export interface ContentType {
  list: boolean;
  delete: boolean;
}

/** The part of the session that its accounts use. */
export interface Shared {
  readonly settings: { readonly extraHeaders: readonly HeaderLine[] };
  readonly client: Client;
  readonly masker: Masker;
  readonly ledger: Ledger;
  readonly names: Names;
  readonly signs: Signs;
  readonly settling: Settling;
  readonly contentType: ContentType;
  readonly refusal: TokenRefusal;
  readonly accounts: readonly { readonly tags: Tags; lookWhetherDeletesWork(): Promise<void> }[];
  /** Every create holds one of the permits `creating`; work during which no tag_id may be issued holds all. */
  readonly slots: { readonly creating: Permits };
  readonly writeOutage: WriteOutage;
  /** How many more tags of the run may exist now. */
  readonly tagsLeft: number;
  /** Whether the time that is left is enough to remove all tags of the run, and one more. */
  readonly hasTimeForOneMore: boolean;
  /** How many tags of the run may be left on the target. */
  readonly mayBeLeft: number;
  /** If deletes have no effect, the run makes no more tags once this many are left. */
  readonly mostLeft: number;
}
