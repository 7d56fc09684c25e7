import { accepted } from '../http/exchange.ts';
import { Undecided } from '../outcome.ts';
import { isFoldedNameOf } from './name-forms.ts';
import type { Names } from './names.ts';
import type { Strangers } from './strangers.ts';
import type { TagRecord } from './tag-record.ts';

/** Whether lists showed that an acknowledged update gave a tag another tag_id, or made a second tag. */
const makesTags = ({ updates, copies, hasOtherId, mayBeTwice }: TagRecord): boolean =>
  updates.length > 0 && !mayBeTwice && (hasOtherId || copies.length > 0);

/**
 * Call this before an update is sent.
 *
 * @throws Undecided if the tag could not be found again: updates give tags other tag_ids, and the name holds nothing random,
 *   so it would not show whose the tag is.
 */
export function refuseUntraceable(records: readonly TagRecord[], names: Names, body: unknown): void {
  if (typeof body !== 'object' || body === null || !('name' in body)) return;
  // Some targets convert a value of another type to a string.
  if (names.isCommon(String(body.name)) && records.some(makesTags))
    throw new Undecided(
      'failure',
      'updates give tags other tag_ids, so that a tag with this name could not be told from that of another user',
    );
}

/**
 * The common names that updates gave to tags, and that lists show with tag_ids which are new since then: the update may have given
 * the tag another tag_id, or another user may have made the tag. A tag that could be deleted has kept its tag_id; that it has no
 * copy is believed unless lists showed copies of others.
 */
export function commonNamesOfUpdates(
  records: readonly TagRecord[],
  names: Names,
  strangers: Strangers,
): readonly string[] {
  const isKnown = records.some(makesTags);
  return records.flatMap(({ updates, removal }) => {
    const last = updates.at(-1);
    const isDeleted = removal !== undefined && accepted(removal);
    if (last === undefined || (isDeleted && !isKnown) || !names.isCommon(last.name)) return [];
    const isForm = (name: unknown): name is string =>
      typeof name === 'string' &&
      (name === last.name || isFoldedNameOf(name, { names: new Set([last.name]) }));
    return strangers.namesSince(last.sentAt).filter(isForm);
  });
}
