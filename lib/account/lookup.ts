import { slim, type Exchange } from '../http/exchange.ts';
import { whatCame } from '../http/wording.ts';
import { Undecided } from '../outcome.ts';
import { listedIn, type Listed } from '../spec/reading.ts';
import { filterQuery } from '../spec/requests.ts';

/** What lists show of a tag. Large answers are cut, because the exchanges are kept as evidence. */
export interface Lookup {
  /** Entries with the tag_id or one of the names. */
  readonly entries: readonly Listed[];
  /**
   * Whether the tag may be on another page: no entry has the tag_id, and a filtered list is as long as the unfiltered one.
   */
  readonly mayBeOnAnotherPage?: boolean;
  readonly exchanges: readonly Exchange[];
}

/**
 * Looks a tag up in the lists filtered by its names and, if these do not show it, in the unfiltered list, which may be a
 * page.
 *
 * @param list requests a list, by default the unfiltered one.
 * @throws Undecided if a list that may show the tag cannot be read.
 */
export async function lookUpBy(
  list: (query?: string) => Promise<Exchange>,
  tagId: string | undefined,
  names: readonly string[],
): Promise<Lookup> {
  const matches = (tag: Listed): boolean =>
    tag.tagId === tagId || (typeof tag.name === 'string' && names.includes(tag.name));
  const filtered = await Promise.all(names.map((name) => list(filterQuery(name))));
  const shown = filtered.map((one) => listedIn(one) ?? []);
  const found = shown.flat().filter(matches);
  if (found.some((tag) => tagId === undefined || tag.tagId === tagId))
    return { entries: unique(found), exchanges: filtered.map(slim) };
  const whole = await list();
  const entries = listedIn(whole);
  const exchanges = [...filtered, whole].map(slim);
  // No query can hold a lone surrogate, so a filter by such a name shows nothing.
  const isUnreadable =
    names.length === 0 ||
    names.some((name) => /\p{Surrogate}/u.test(name)) ||
    filtered.some((one) => listedIn(one) === undefined);
  if (entries === undefined && isUnreadable) {
    throw new Undecided(
      'failure',
      `the list cannot be read: GET ${whole.ask.path} ${whatCame(whole)}`,
      ...exchanges,
    );
  }
  const mayBeOnAnotherPage = shown.some((tags) => tags.length > 0 && tags.length >= (entries?.length ?? 0));
  return { entries: unique([...found, ...(entries ?? []).filter(matches)]), mayBeOnAnotherPage, exchanges };
}

const unique = (tags: readonly Listed[]): Listed[] => [
  ...new Map(tags.map((tag) => [`${tag.tagId}\n${JSON.stringify(tag.name)}`, tag])).values(),
];
