import { accepted, broken, holds, type Outcome, type Tag, type Target, whatCame } from '../../lib/check.ts';

/** Checks that the first tags of a run, one of which was renamed, can be updated and deleted at its end. */
export async function stillChangeable(target: Target, untouched: Tag, renamed: Tag): Promise<Outcome> {
  const name = target.name();
  const update = await target.rename(untouched.tagId, { name });
  const shown = await target.untilListed(untouched.tagId, name);
  if (!accepted(update) || !shown.good)
    return broken(
      `an update of a tag that was made first ${whatCame(update)} at the end of the run${accepted(update) ? ', but has no effect' : ''}, though it worked at the start`,
      update,
      ...shown.seen.exchanges,
    );
  const deletesWork = target.facts.tags.some(({ isAlive }) => !isAlive);
  if (!deletesWork) return holds();
  const remove = await target.delete(renamed.tagId);
  const gone = await target.untilGone(renamed);
  return accepted(remove) && gone.good
    ? holds()
    : broken(
        `a delete of a tag that was made first ${whatCame(remove)} at the end of the run${accepted(remove) ? ', but has no effect' : ''}, though other tags were deleted`,
        remove,
        ...gone.seen.exchanges,
      );
}
