import { type Exchange, type Target } from '../../lib/check.ts';

/** Updates of a tag to names that tags have. Whether they are accepted is open. */
export interface ToNamesInUse {
  /** To the name that the tag has. */
  readonly same: Exchange;
  /** The list of that name after it. */
  readonly afterSame: Exchange;
  /** To the name that another tag has. */
  readonly taken: Exchange;
}

/** Sends both, once in a run. */
export function updatesToNamesInUse(target: Target): Promise<ToNamesInUse> {
  return target.shared('updates to names in use', 2, async (shared) => {
    const [tag, other] = await shared.makeTwoTags();
    const same = await shared.rename(tag.tagId, { name: tag.name }, { open: true });
    const afterSame = await shared.list(tag.name);
    const taken = await shared.rename(tag.tagId, { name: other.name }, { open: true });
    return { same, afterSame, taken };
  });
}
