import {
  allOf,
  broken,
  createdIn,
  type Exchange,
  holds,
  holdsWithWarning,
  ifDecided,
  listedIn,
  type Outcome,
  quote,
  type Requirement,
  spec,
  type Tag,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { fillAccount } from '../full-account.ts';
import { swappedCase } from '../neighbours.ts';
import { filterOfAnyForm } from './any-form.ts';

/** The number of lists: some faults show only in every second or every fifth one. */
const LISTS = 5;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Requirements about which tags the filter finds. */
export const filter: readonly Requirement[] = [
  {
    id: 'list/filter-includes',
    section: '4.4',
    sentences: ['1/filter', '4.4/filter-meaning'],
    level: 'required',
    text: 'The filter by a name finds the tag of exactly that name.',
    cause:
      'The query parameter is read under another name, not decoded, or compared with another form of the name.',
    // The check runs alone, because any other write could clear a cache of filtered lists.
    when: 'calm',
    tags: 2,
    check: async (target) => {
      const { effort } = target.settings;
      const unfound = effort === 'quick' ? undefined : (await ifDecided(() => fillAccount(target)))?.unfound;
      if (unfound !== undefined)
        return broken(
          `the filter by ${quote(unfound.name)} does not find the oldest or the youngest of many tags, which the list shows`,
          ...unfound.exchanges,
        );
      const name = target.name();
      // A faulty cache keeps the empty answer.
      const before = await target.list(name);
      const notMade = undecided('failure', 'no tag could be made to filter for');
      const outcome = await finds(target, name, notMade);
      // A target may fold the letter case of the filter but not of the names, or read capitals as an abbreviation.
      if (outcome.kind === 'holds') return allOf(await findsCapitals(target), await findsOlder(target));
      if (outcome.kind !== 'broken') return outcome;
      const withoutBefore = await finds(target, target.name(), notMade);
      return withoutBefore.kind === 'holds'
        ? broken(
            `${outcome.why}, if the same filter was sent before the create as well`,
            before,
            ...outcome.exchanges,
          )
        : outcome;
    },
  },
  {
    id: 'list/filter-excludes',
    section: '4.4',
    sentences: ['1/filter', '4.4/filter-meaning'],
    level: 'required',
    text: 'The filter by a name does not find a tag whose name shares no letter with it.',
    cause: 'The query parameter is ignored, or read under another name.',
    // The check runs alone, so that one of these is the newest tag.
    when: 'calm',
    signs: ['filter-unlike'],
    tags: 3,
    check: async (target) => {
      const { names, facts } = target;
      // The filters share no letter with the oldest tag of the run, so that it must not be found, either. A tag that an
      // earlier check could not remove may have a name of too many letters or too few.
      const oldest =
        facts.tags
          .filter(({ isAlive }) => isAlive)
          .map(({ name }) => lettersIn(name.toLowerCase()))
          .find(({ length }) => length >= FEWEST_LETTERS && length <= LETTERS.length - FEWEST_LETTERS) ??
        LETTERS.slice(13);
      // Some faults show the second newest tag.
      const [one, , newest] = await target.makeTags(
        'in turn',
        names.lettersOf(without(oldest)),
        names.lettersOf(oldest),
        names.lettersOf(oldest),
      );
      // No tag has this name: it is shorter than all others.
      const nobodys = names.lettersOf(without(oldest)).slice(0, -2);
      const alive = facts.tags.filter(({ isAlive }) => isAlive);
      // Some of the filters are in capitals, which a target may ignore.
      const inTurn = Array.from({ length: LISTS }, (_, at) =>
        at % 2 === 0 ? nobodys : nobodys.toUpperCase(),
      );
      const filters = [newest.name, one.name, ...inTurn];
      const outcomes = filters.map((filter) => excludes(target, filter, alive));
      return allOf(...(await Promise.all(outcomes)));
    },
  },
  filterOfAnyForm,
];

/** The numbers of plain names that make a long name. A target may accept none of these lengths but the last. */
const LENGTHS = [5, 3, 1] as const;

/** Checks that the filter finds a tag with a name in capitals: a long one, if the target accepts it. */
async function findsCapitals(target: Target): Promise<Outcome> {
  const capitals = (): string => target.names.lettersOf(LETTERS.toUpperCase());
  const refused = holds();
  for (const length of LENGTHS) {
    const [start, ...more] = [capitals(), ...Array.from({ length: length - 1 }, capitals)];
    const name = length === 1 ? start : target.names.extended(start, more.join(''));
    const outcome = await finds(target, name, refused, withEndTurned(name));
    if (outcome !== refused) return outcome;
  }
  return refused;
}

/**
 * The text with its last two different neighbours in the other order. A cache that looks only at the start of a filter, its
 * length or its letters takes both for the same filter.
 */
function withEndTurned(text: string): string {
  const characters = [...text];
  const at = characters.findLastIndex((char, place) => place > 0 && char !== characters[place - 1]);
  return at < 0
    ? `${text}Z`
    : [...characters.slice(0, at - 1), characters[at], characters[at - 1], ...characters.slice(at + 1)].join(
        '',
      );
}

/**
 * Checks that the filter finds a tag of this name.
 *
 * @param ifRefused the outcome if the target does not accept the name.
 * @param filterBefore another filter that is sent between the create and the filter by the name.
 */
async function finds(
  target: Target,
  name: string,
  ifRefused: Outcome,
  filterBefore?: string,
): Promise<Outcome> {
  if (target.facts.room === 0) return undecided('failure', 'the tags of this check could not be removed');
  const exchange = await target.create({ name });
  const created = createdIn(exchange);
  if (created === undefined) {
    await target.removeTags();
    return ifRefused;
  }
  if (filterBefore !== undefined) await target.list(filterBefore);
  // A target may store a name in another form. Then the filter is by that form.
  const names = new Set([name, typeof created.name === 'string' ? created.name : name]);
  const { seen } = await target.until(
    () => target.lookUp(created.tagId, ...names),
    ({ entries }) => entries.length > 0,
  );
  const entry =
    seen.entries.find((tag) => tag.name === name) ??
    seen.entries.find(({ tagId }) => tagId === created.tagId);
  const tagId = entry?.tagId ?? created.tagId;
  const kept = entry?.name;
  const filter = typeof kept === 'string' ? kept : name;
  const found = await target.until(
    () => filtered(target, filter),
    ({ entries }) => entries.some((tag) => tag.tagId === tagId),
  );
  await target.removeTags();
  if (found.good) return holds();
  const { unreadable } = found.seen;
  if (unreadable !== undefined) return undecided('failure', unreadable, ...found.seen.exchanges);
  // Another requirement checks whether the tag exists at all.
  if (kept === undefined && seen.entries.length === 0)
    return undecided('failure', 'the tag is not listed', exchange);
  return leavesOut(filter, exchange, ...found.seen.exchanges);
}

/**
 * Checks that the filter finds the tags of the run that existed before this check, by the names that a list shows. One
 * of them must also be found if the query is percent-encoded.
 */
async function findsOlder(target: Target): Promise<Outcome> {
  const alive = new Set(target.facts.tags.flatMap(({ tagId, isAlive }) => (isAlive ? tagId : [])));
  const whole = await target.list();
  const shown = (listedIn(whole) ?? []).flatMap(({ tagId, name }) =>
    typeof name === 'string' && alive.has(tagId) ? { tagId, name } : [],
  );
  const [first] = shown;
  let found: Tag | undefined;
  let ofEncoded: Outcome | undefined;
  if (first !== undefined) {
    // This comes before the filter by the tag's own name, because a cache could hold the answer to that.
    const alike = target.settings.effort === 'quick' ? holds() : await findsAfterAlike(target, first);
    // Every client encodes characters outside ASCII, and some write the digits in lower case.
    const encoded = shown.find(({ name }) => Buffer.byteLength(name) > name.length) ?? first;
    if (alike.kind !== 'holds') return alike;
    ofEncoded = await findsEncoded(target, encoded, alive);
    if (ofEncoded !== undefined && ofEncoded.kind !== 'holds') return ofEncoded;
    // Its filter need not be sent once more.
    if (ofEncoded === undefined) found = encoded;
  }
  const others = shown.filter((tag) => tag !== found);
  const looks = others.map(async (tag) => {
    const { seen, good } = await target.until(
      () => filtered(target, tag.name),
      ({ unreadable, entries }) =>
        unreadable !== undefined || entries.some(({ tagId }) => tagId === tag.tagId),
      { late: 'ignored' },
    );
    return good ? holds() : leavesOut(tag.name, whole, ...seen.exchanges);
  });
  return allOf(ofEncoded ?? holds(), ...(await Promise.all(looks)));
}

/** Checks that the filter by a name finds its tag right after filters that a cache may confuse with it. */
async function findsAfterAlike(target: Target, { tagId, name }: Tag): Promise<Outcome> {
  const alike = [
    swappedCase(name),
    ` ${name} `,
    name.replace(/[a-z]/i, (letter) => `${letter}\u0301`.normalize()),
  ];
  const before = await Promise.all(alike.map((filter) => target.list(filter)));
  const look = await filtered(target, name);
  const isFound = look.entries.some((entry) => entry.tagId === tagId);
  return isFound || look.unreadable !== undefined ? holds() : leavesOut(name, ...before, ...look.exchanges);
}

/**
 * Checks that percent-encoding characters of the query does not change what the filter finds. If only the encoded key makes a
 * difference, that is a warning: no client has a reason to encode it.
 *
 * @param alive the tag_ids of the run's tags. Strangers' tags may come and go, and do not count.
 * @returns undefined if both lists find the tag, and nothing else.
 */
async function findsEncoded(
  target: Target,
  tag: Tag,
  alive: ReadonlySet<string>,
): Promise<Outcome | undefined> {
  const { tagId, name } = tag;
  // Code that decodes a query by itself may know only one way to write it, so each is sent alone.
  const byValue = (): Promise<Exchange> => target.list({ query: `tag=${inLowerHex(name)}` });
  const byKey = (): Promise<Exchange> =>
    target.list({ query: spec.filterQuery(name).replace('tag', 't%61g') });
  const isFound = (list: Exchange): boolean => {
    const found = listedIn(list);
    return found === undefined || (found.length === 1 && found[0]?.tagId === tagId);
  };
  // A list may be wrong by chance, so it is sent again.
  const sent = async (by: () => Promise<Exchange>): Promise<Exchange> => {
    const list = await by();
    return isFound(list) ? list : by();
  };
  const [value, key] = await Promise.all([sent(byValue), sent(byKey)]);
  if (isFound(value) && isFound(key))
    return [value, key].every((list) => listedIn(list) !== undefined) ? undefined : holds();
  const plain = await target.list(name);
  const seen = new Set(listedIn(plain)?.map((one) => one.tagId));
  const isOther = (list: Exchange): boolean => {
    const ids = listedIn(list)?.map((one) => one.tagId) ?? [];
    return !isFound(list) && (!ids.includes(tagId) || ids.some((id) => alive.has(id) && !seen.has(id)));
  };
  if (!seen.has(tagId)) return holds();
  if (isOther(value))
    return broken(
      `the filter by ${quote(name)} finds other tags if all characters of the value are percent-encoded, which must make no difference`,
      plain,
      value,
    );
  return isOther(key)
    ? holdsWithWarning(
        `the filter by ${quote(name)} finds other tags if the key of the query is written t%61g, which means the same`,
        plain,
        key,
      )
    : holds();
}

/** All bytes of a text percent-encoded, in lower-case digits (RFC 3986, 2.1 and 2.3). */
const inLowerHex = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const leavesOut = (name: string, ...exchanges: readonly Exchange[]): Outcome =>
  broken(`the tag named ${quote(name)} exists, but the filter by that name does not find it`, ...exchanges);

/** Names of fewer different letters would soon be alike. */
const FEWEST_LETTERS = 6;

/** The letters that a text has, each once. */
const lettersIn = (text: string): string => [...LETTERS].filter((letter) => text.includes(letter)).join('');

/** The letters that a text does not have. */
const without = (text: string): string => [...LETTERS].filter((letter) => !text.includes(letter)).join('');

/** Checks that a filter finds no tag whose name shares no letter with it. */
async function excludes(target: Target, filter: string, tags: readonly Tag[]): Promise<Outcome> {
  const { unreadable, entries, exchanges } = await filtered(target, filter);
  if (unreadable !== undefined) return undecided('failure', unreadable, ...exchanges);
  const own = new Set(filter.toLowerCase());
  const isUnlike = ({ name }: Tag): boolean => ![...name.toLowerCase()].some((letter) => own.has(letter));
  const found = tags
    .filter(isUnlike)
    .find((tag) => entries.some(({ tagId, name }) => tagId === tag.tagId && name === tag.name));
  return found === undefined
    ? holds()
    : broken(`the filter by ${quote(filter)} finds the tag named ${quote(found.name)}`, ...exchanges);
}

async function filtered(target: Target, name: string) {
  const exchange = await target.list(name);
  const entries = listedIn(exchange);
  const unreadable =
    entries === undefined ? `the filtered list cannot be read: it ${whatCame(exchange)}` : undefined;
  return { entries: entries ?? [], unreadable, exchanges: [exchange] };
}
