import { type Exchange, type Listed, listedIn, Undecided, whatCame } from '../lib/check.ts';

/**
 * The tags that a list shows.
 *
 * @throws Undecided where the answer cannot be read as a list.
 */
export function tagsIn(list: Exchange): readonly Listed[] {
  const tags = listedIn(list);
  if (tags === undefined)
    throw new Undecided('failure', `the list ${whatCame(list)} and cannot be read`, list);
  return tags;
}
