import { slim, type Exchange } from '../http/exchange.ts';
import { whatCame } from '../http/wording.ts';
import { Undecided } from '../outcome.ts';
import { listedIn, type Listed } from '../spec/reading.ts';
import { filterQuery } from '../spec/requests.ts';

/** What the lists showed when a tag was looked up. Large answers are cut: the exchanges are evidence. */
export interface Lookup {
  /** Entries with the tag_id or one of the names. */
  readonly entries: readonly Listed[];
  /**
   * None of the entries has the tag_id, and a filtered list is as long as the unfiltered one: both may be pages, and the
   * tag may be on the next one.
   */
  readonly mayGoOn?: boolean;
  readonly exchanges: readonly Exchange[];
}

/**
 * Looks a tag up where it should be listed: in the lists filtered by its names and, if these do not show it, in the
 * unfiltered one, which may be a page.
 *
 * @param list asks for a list, by default the unfiltered one.
 * @throws Undecided if a list that might show it cannot be read.
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
  const isUnreadable = names.length === 0 || filtered.some((one) => listedIn(one) === undefined);
  if (entries === undefined && isUnreadable) {
    throw new Undecided(
      'failure',
      `the list cannot be read: GET ${whole.ask.path} ${whatCame(whole)}`,
      ...exchanges,
    );
  }
  const mayGoOn = shown.some((tags) => tags.length > 0 && tags.length >= (entries?.length ?? 0));
  return { entries: unique([...found, ...(entries ?? []).filter(matches)]), mayGoOn, exchanges };
}

const unique = (tags: readonly Listed[]): Listed[] => [
  ...new Map(tags.map((tag) => [`${tag.tagId}\n${JSON.stringify(tag.name)}`, tag])).values(),
];
