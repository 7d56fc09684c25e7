import {
  allOf,
  broken,
  createdIn,
  holds,
  listedIn,
  type Outcome,
  quote,
  type Requirement,
  type Tag,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';

/** Some faults show in every other list only. */
const LISTS = 2;

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
    // Any other write could clear a cache of filtered lists.
    when: 'calm',
    tags: 2,
    check: async (target) => {
      const name = target.name();
      // A cache would keep that nothing was found.
      const before = await target.list(name);
      const notMade = undecided('failure', 'no tag could be made to filter for');
      const outcome = await finds(target, name, notMade);
      // A filter may fold the letter case of the query but not of the names, so capitals are tried too.
      if (outcome.kind === 'holds')
        return finds(target, target.names.lettersOf('ABCDEFGHIJKLMnopqrstuvwxyz'), holds());
      if (outcome.kind !== 'broken') return outcome;
      const withoutBefore = await finds(target, target.name(), notMade);
      return withoutBefore.kind === 'holds'
        ? broken(
            `${outcome.why}: the same filter was asked before the create, too`,
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
    // The other tag is the newest one, as long as no other check makes any.
    when: 'calm',
    tags: 2,
    check: async (target) => {
      const one = await target.makeTag(target.names.lettersOf('abcdefghijklm'));
      const other = await target.makeTag(target.names.lettersOf('nopqrstuvwxyz'));
      const lists = Array.from({ length: LISTS }, () => excludes(target, one, other));
      return allOf(await excludes(target, other, one), ...(await Promise.all(lists)));
    },
  },
];

/**
 * Checks that the filter finds a tag of this name.
 *
 * @param ifRefused the outcome where the target does not accept the name.
 */
async function finds(target: Target, name: string, ifRefused: Outcome): Promise<Outcome> {
  if (target.facts.room === 0) return undecided('failure', 'the tags of this check could not be removed');
  const exchange = await target.create({ name });
  const created = createdIn(exchange);
  if (created === undefined) {
    await target.removeTags();
    return ifRefused;
  }
  // A target may keep a name in another form. The filter then uses that form.
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
  // Another requirement asks whether the tag exists at all.
  if (kept === undefined && seen.entries.length === 0)
    return undecided('failure', 'the tag is not listed', exchange);
  return broken(
    `the tag named ${quote(filter)} exists, but the filter by that name does not find it`,
    exchange,
    ...found.seen.exchanges,
  );
}

/** Checks that the filter by the name of one tag does not find another. */
async function excludes(target: Target, wanted: Tag, other: Tag): Promise<Outcome> {
  const { unreadable, entries, exchanges } = await filtered(target, wanted.name);
  if (unreadable !== undefined) return undecided('failure', unreadable, ...exchanges);
  return entries.some(({ tagId }) => tagId === other.tagId)
    ? broken(`the filter by ${quote(wanted.name)} finds the tag named ${quote(other.name)}`, ...exchanges)
    : holds();
}

async function filtered(target: Target, name: string) {
  const exchange = await target.list(name);
  const entries = listedIn(exchange);
  const unreadable =
    entries === undefined ? `the filtered list cannot be read: it ${whatCame(exchange)}` : undefined;
  return { entries: entries ?? [], unreadable, exchanges: [exchange] };
}
