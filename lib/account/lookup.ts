import type { Exchange } from '../http/exchange.ts';
import type { Listed } from '../spec/reading.ts';

/** What the lists showed when a tag was looked up. Large answers are cut: the exchanges are evidence. */
export interface Lookup {
  /** Entries with the tag_id or one of the names. */
  readonly entries: readonly Listed[];
  readonly exchanges: readonly Exchange[];
}
