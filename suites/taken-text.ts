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
 * Whether a 409 for a value that is not a string only says that its text is taken as a name. A target may convert the value
 * to text before it validates it, and a stranger's tag or a deleted one may have that name. Then a create with the text
 * itself is answered 409, too.
 *
 * @param texts what the value may be converted to.
 */
export async function isTakenText(
  target: Target,
  refused: Exchange,
  texts: readonly string[],
): Promise<boolean> {
  if (statusOf(refused) !== 409) return false;
  for (const name of texts.filter(Boolean)) {
    const create = await target.create({ name });
    if (statusOf(create) === 409) return true;
    if (accepted(create)) return false;
  }
  return false;
}

/** The outcome of an update that is accepted if no list can show the name that the tag has now. */
export const holdsAsHidden = (update: Exchange): Outcome =>
  holdsWithWarning(
    `${whatCame(update)}, not 422, and no list shows the tag: others of the name that the value may have been converted to fill a page`,
    update,
  );

/** The outcome of such a refusal: the value counts as its text. */
export const holdsAsTaken = (refused: Exchange): Outcome =>
  holdsWithWarning(
    'answered 409, not 422: the value was converted to a string that is taken as a name',
    refused,
  );
