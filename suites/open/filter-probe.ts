import {
  createdIn,
  type Exchange,
  spec,
  statusOf,
  type Tag,
  type Target,
  Undecided,
} from '../../lib/check.ts';
import { listUntil, shows } from '../listed-tags.ts';

/** Characters that some filters treat as wildcards. */
export const WILDCARDS = ['%', '*', '_'] as const;
type Wildcard = (typeof WILDCARDS)[number];

type NameParts = Record<'byPrefix' | 'bySuffix' | 'byMiddle' | 'byOtherCase' | 'byTypo', Exchange>;

/** The tags that the filter was probed with, and its lists. */
export interface FilterProbe {
  readonly plain: Tag;
  readonly other: Tag;
  /** A tag with a blank in its name; undefined if the target does not keep such a name unchanged. */
  readonly withBlank: Tag | undefined;
  /** A tag with an accent in its name; undefined if the target does not keep such a name unchanged. */
  readonly withAccent: Tag | undefined;
  /** Whether the filter by the whole name finds the plain tag. If it does not, the other lists prove nothing. */
  readonly findsWholeName: boolean;
  readonly byPrefix: Exchange;
  readonly bySuffix: Exchange;
  readonly byMiddle: Exchange;
  /** By the second word of `withBlank`. */
  readonly byWord: Exchange;
  readonly byOtherCase: Exchange;
  /** By the plain name with one letter replaced by another of its letters. Only a filter by similar names finds the tag. */
  readonly byTypo: Exchange;
  /** By the accented name with its accent removed. */
  readonly byAccentless: Exchange;
  /** By the plain name with some letters replaced by each wildcard. */
  readonly byWildcards: readonly (readonly [char: Wildcard, exchange: Exchange])[];
  /** By the plain name with a blank before and behind it. */
  readonly byPadded: Exchange;
  /** By the name with the blank, with a + in place of the blank. */
  readonly byPlus: Exchange;
  readonly byEmpty: OddList;
  /** By the plain name and by the other one: `tag=…&tag=…`. */
  readonly byBoth: OddList;
  /** By the plain name: `tag[]=…`. */
  readonly byArray: OddList;
}

/**
 * The answer to a query that some targets leave unanswered. It throws only when it is used, so that the other lists can
 * still be evaluated.
 *
 * @throws Undecided if the query was not answered.
 */
type OddList = () => Exchange;

/**
 * Sends a query that some targets answer with a server error or not at all. Sends it again alone then: if that might be due
 * to the requests beside it, the run would repeat the whole probe.
 */
async function oddList(target: Target, query: string): Promise<OddList> {
  const send = (part: Target): Promise<Exchange> => part.list({ query });
  try {
    const list = await target.part(0, async (part) => {
      const beside = await send(part);
      return beside.answer === undefined || statusOf(beside) >= 500
        ? part.run('one by one', () => send(part))
        : beside;
    });
    return () => list;
  } catch (error) {
    return () => {
      throw error instanceof Undecided
        ? new Undecided('choice', `the target answers other queries, but not this one: ${error.message}`)
        : error;
    };
  }
}

/** Probes the filter, once in a run. */
export function probeFilter(target: Target): Promise<FilterProbe> {
  return target.shared('filter probe', 4, async (shared) => {
    const plainName = shared.name();
    const [plain, other] = await shared.makeTags('at once', plainName, nameUnlike(shared, plainName));
    // A plain name of 15 characters, like the accented one, because a target may refuse longer names.
    const letters = shared.name();
    const word = letters.slice(6);
    const [withBlank, withAccent] = await Promise.all([
      makeIfKeptUnchanged(shared, shared.names.extended(letters.slice(0, 6), ` ${word}`)),
      makeIfKeptUnchanged(shared, shared.names.endingIn('é')),
    ]);
    // The filter may use an index that shows a new tag late. Until it finds the tag, a missing tag proves nothing about
    // the match.
    const [byName] = await Promise.all(
      [plain, other, withBlank, withAccent].map(async (tag) => tag !== undefined && findsByName(shared, tag)),
    );
    const { name } = plain;
    const by = (filter: string): Promise<Exchange> => shared.list({ query: spec.filterQuery(filter) });
    const patterns: Readonly<Record<Wildcard, string>> = {
      '%': `${name.slice(0, 6)}%${name.slice(10)}`,
      '*': `${name.slice(0, 6)}*${name.slice(10)}`,
      _: `${name.slice(0, 8)}_${name.slice(9)}`,
    };
    const parts = await partsOnceIndexed(shared, plain);
    const [byPadded, byEmpty, byBoth, byArray, byWord, byPlus, byAccentless, byWildcards] = await Promise.all(
      [
        by(` ${name} `),
        oddList(shared, spec.filterQuery('')),
        oddList(shared, `${spec.filterQuery(name)}&${spec.filterQuery(other.name)}`),
        oddList(shared, spec.filterQuery(name).replace('tag=', 'tag%5B%5D=')),
        by(word),
        shared.list({ query: `tag=${(withBlank?.name ?? name).replace(' ', '+')}` }),
        by((withAccent?.name ?? name).replace('é', 'e')),
        Promise.all(WILDCARDS.map(async (char) => [char, await by(patterns[char])] as const)),
      ],
    );
    return {
      plain,
      other,
      withBlank,
      withAccent,
      findsWholeName: byName === true,
      ...parts,
      byWord,
      byAccentless,
      byWildcards,
      byPadded,
      byPlus,
      byEmpty,
      byBoth,
      byArray,
    };
  });
}

/** The lists with filters that resemble a name: parts of it, its letters in the other case, and a typo. */
async function byParts(target: Target, name: string): Promise<NameParts> {
  const [byPrefix, bySuffix, byMiddle, byOtherCase, byTypo] = await Promise.all([
    target.list(name.slice(0, 11)),
    target.list(name.slice(-11)),
    target.list(name.slice(3, 13)),
    target.list(inOtherCase(name)),
    target.list(withTypo(name)),
  ]);
  return { byPrefix, bySuffix, byMiddle, byOtherCase, byTypo };
}

/** The most names that are made to find one. */
const TRIES = 20;

/**
 * A name that lacks a letter of another name and has one that the other lacks: a filter that looks for letters in any order does
 * not take one for the other.
 */
function nameUnlike(target: Target, name: string): string {
  const lacks = (one: string, letters: string): boolean =>
    [...letters].some((letter) => !one.includes(letter));
  const tried = Array.from({ length: TRIES }, () => target.name());
  return tried.find((one) => lacks(one, name) && lacks(name, one)) ?? target.name();
}

/** Consonants that sound alike, as in Soundex. */
const ALIKE = ['bfpv', 'cgjkqsxz', 'dt', 'mn'];

/** Where a typo may stand: in the middle of a name. */
const MIDDLE = [7, 6, 8, 5, 9, 10];

/**
 * A name with one letter replaced by another of its letters, because a filter may look for letters in any order. If possible,
 * the two sound alike, because a filter may look for sounds.
 */
function withTypo(name: string): string {
  const others = (at: number): string[] => [...name].filter((letter) => letter !== name[at]);
  const soundsLike = (at: number): string | undefined =>
    others(at).find((letter) =>
      ALIKE.some((group) => group.includes(letter) && group.includes(name[at] ?? '')),
    );
  const at = MIDDLE.find((place) => soundsLike(place) !== undefined) ?? 7;
  return `${name.slice(0, at)}${soundsLike(at) ?? others(at)[0] ?? 'q'}${name.slice(at + 1)}`;
}

/**
 * The lists by parts of a name, repeated until they show the tag, because a target may find parts of names with an
 * index that shows new tags late.
 */
async function partsOnceIndexed(target: Target, tag: Tag): Promise<NameParts> {
  const atOnce = await byParts(target, tag.name);
  if ([atOnce.byPrefix, atOnce.bySuffix, atOnce.byMiddle].some((list) => shows(list, tag))) return atOnce;
  const look = async (): Promise<{ parts: NameParts; exchanges: readonly Exchange[] }> => {
    const parts = await byParts(target, tag.name);
    return { parts, exchanges: Object.values(parts) };
  };
  return (await target.until(look, () => true, { late: 'ignored', isAfterwards: true })).seen.parts;
}

/** Whether the filter by the whole name finds a tag within the settle time. */
const findsByName = async (target: Target, tag: Tag): Promise<boolean> =>
  (await listUntil(target, (list) => shows(list, tag), { filter: tag.name, late: 'ignored' })).good;

/** A name in letters of the other case. */
export const inOtherCase = (name: string): string =>
  name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();

/** Makes a tag with this name; undefined if the target refuses the name or changes it. */
async function makeIfKeptUnchanged(target: Target, name: string): Promise<Tag | undefined> {
  const created = createdIn(await target.create({ name }));
  if (created === undefined) return undefined;
  const { seen } = await target.untilListed(created.tagId, name);
  const entry = seen.entries.find((one) => one.name === name);
  return entry === undefined ? undefined : { tagId: entry.tagId, name };
}
