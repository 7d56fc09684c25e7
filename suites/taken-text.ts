import {
  accepted,
  type Exchange,
  holdsWithWarning,
  type Outcome,
  statusOf,
  type Target,
  whatCame,
} from '../lib/check.ts';

/**
 * Whether the reason for a 409 to a value that is not a string may be that the name is taken. A target may convert the
 * value to a string before it validates it, and a stranger's tag or a deleted one may have that name. Then a create
 * with the string itself is also answered 409, unless it was a tag of another check that is gone by now.
 *
 * @param texts the strings to which the value may be converted.
 */
export async function isTakenText(
  target: Target,
  refused: Exchange,
  texts: readonly string[],
): Promise<boolean> {
  // Without room for a tag, an earlier value has shown that its text was not taken.
  if (statusOf(refused) !== 409 || target.facts.room === 0) return false;
  // The same request was sent before, and its answer was lost: it may have made the tag.
  if (refused.followsLost === true) return true;
  const creates: Exchange[] = [];
  for (const name of texts.filter(Boolean)) {
    const create = await target.create({ name });
    if (statusOf(create) === 409) return true;
    creates.push(create);
    if (accepted(create)) break;
  }
  // If a quota or a limit refuses them all, nothing shows which names are taken.
  const isUnknown =
    creates.length > 0 && creates.every((create) => !accepted(create) && statusOf(create) !== 422);
  return isUnknown || target.facts.tags.some(({ name, isAlive }) => !isAlive && texts.includes(name));
}

/** The outcome if an update is accepted but no list can show the new name. */
export const holdsAsHidden = (update: Exchange): Outcome =>
  holdsWithWarning(
    `${whatCame(update)}, not 422, and no list shows the tag: the value may have been converted to a name of so many other tags that they fill a page`,
    update,
  );

/** The outcome for a 409 to a value whose text is a taken name (`isTakenText`). */
export const holdsAsTaken = (refused: Exchange): Outcome =>
  holdsWithWarning(
    'answered 409, not 422: the value may have been converted to a string that is taken as a name',
    refused,
  );
