import { accepted, type Exchange } from '../http/exchange.ts';
import { whatCame } from '../http/wording.ts';
import type { Listed } from '../spec/reading.ts';

/**
 * `intended`: a create was sent, and nothing shows yet that it made the tag. `deleting`: a delete is under way, so the
 * target may give the tag_id to another tag at any moment.
 */
type TagState = 'intended' | 'refused' | 'alive' | 'deleting' | 'removed';

/** A tag that the run made, or may have made. */
export class Record {
  readonly key: number;
  state: TagState = 'intended';
  tagId: string | undefined;
  /** Every name that the run gave the tag or tried to give it, the last one last. */
  readonly names: Set<string>;
  /** The names of acknowledged updates, and when they were sent, by `performance.now()`. */
  readonly updates: { readonly name: string; readonly sentAt: number }[] = [];
  /** Its create was sent, and is not answered yet. */
  isUnderWay = false;
  /** A list showed the tag_id under one of these names: proof that the tag is the run's. */
  isSeen = false;
  /** When its create was sent, by `performance.now()`. */
  readonly intendedAt = performance.now();
  /** When the target answered or listed the tag_id, by `performance.now()`. */
  madeAt: number | undefined;
  /** The same for the first tag_id that it had: an update may give it another one, against the rules. */
  firstMadeAt: number | undefined;
  /** A request that should have been refused, or whose answer was lost, may have deleted it. */
  mayBeGone = false;
  /** A delete that should have been refused, or may have been, was acknowledged. */
  isLikelyGone = false;
  /** The update of an unknown tag_id was refused, or no list shows a tag of the request: it counts as not made. */
  isUnfound = false;
  /** The create was acknowledged without a tag_id. */
  isAcknowledged = false;
  /** That answer may be a refusal of the token, which some targets answer 200. */
  mayBeRefused = false;
  /** Its create, if that was acknowledged. */
  creation: Exchange | undefined;
  /** The tag in the answer to its create. */
  given: Listed | undefined;
  /** A list showed the tag_id that the create answered under this name, which is not the run's. */
  shownAs: string | undefined;
  /** An update of an unknown tag_id may have made it, so that the target did not issue the tag_id. */
  isOfUpdate = false;
  /** Further tags that the same create made. */
  readonly copies: Record[] = [];
  /** Its create, if that was clearly refused, and when the answer came, by `performance.now()`. */
  refusal: Exchange | undefined;
  refusedAt = Infinity;
  /** The tag was deleted or found to be gone then, by `performance.now()`; `removal`: by this delete. */
  removedAt: number | undefined;
  removal: Exchange | undefined;
  /** Its names that lists did not show any more when it had been removed. */
  readonly notShownAs = new Set<string>();
  /** The target refused to delete the tag when the run wanted to remove it. */
  refusesDelete = false;
  /** A delete of the tag came to its end, and as far as the run knows the tag is still there. */
  withstoodDelete = false;
  /** The delete that is under way. */
  deletion: Promise<unknown> | undefined;
  /** The delete was acknowledged, and the tag is still listed. */
  outlivedDelete = false;
  /** Updates and deletes under way. */
  writes = 0;
  /** When the last of them ended, by `performance.now()`. */
  writtenAt = 0;
  /** Two of them overlapped, or one that was not refused followed the removal: their answers do not tell what became of the tag. */
  isContended = false;

  constructor(key: number, names: readonly string[]) {
    this.key = key;
    this.names = new Set(names);
  }
}

/** A tag as everybody but `Tags` sees it. */
export type TagRecord = Readonly<Omit<Record, 'names' | 'updates'>> & {
  readonly names: ReadonlySet<string>;
  readonly updates: readonly Record['updates'][number][];
};

/** What showed that a tag was gone. */
export function howGone({ removal }: Pick<TagRecord, 'removal'>): string {
  if (removal === undefined) return 'a list showed that a tag was gone';
  return accepted(removal) ? 'a delete was acknowledged' : `a delete ${whatCame(removal)}`;
}
