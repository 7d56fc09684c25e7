import { type Exchange, type Listed, listedIn } from '../lib/check.ts';

/** Lists as evidence: those that show such a tag come last, because the last list decides a finding about an effect. */
export function showingLast(lists: readonly Exchange[], isSuch: (tag: Listed) => boolean): Exchange[] {
  const shows = (list: Exchange): boolean => listedIn(list)?.some(isSuch) === true;
  return [...lists.filter((list) => !shows(list)), ...lists.filter(shows)];
}
