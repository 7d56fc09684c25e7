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

/** Requirements about which tags the filter finds. */
export const filter: readonly Requirement[] = [
  {
    id: 'list/filter-includes',
    section: '4.4',
    sentences: ['1/filter', '4.4/filter-meaning'],
    level: 'required',
    text: 'The filter by a name lets the tag of exactly that name through.',
    tags: 3,
    check: async (target) => {
      const [tag] = await Promise.all([target.makeTag(), target.makeTag()]);
      const { seen, good } = await target.until(
        () => filtered(target, tag.name),
        ({ entries }) => entries.some(({ tagId }) => tagId === tag.tagId),
      );
      if (seen.unreadable !== undefined) return undecided('failure', seen.unreadable, ...seen.exchanges);
      // In capitals, too, which a filter may fold and the names not.
      if (good) return finds(target, 'ABC');
      return broken(
        `the tag named ${quote(tag.name)} exists, but the filter by just that name leaves it out`,
        ...seen.exchanges,
      );
    },
  },
  {
    id: 'list/filter-excludes',
    section: '4.4',
    sentences: ['1/filter', '4.4/filter-meaning'],
    level: 'required',
    text: 'The filter by a name leaves out a tag whose name has no letter in common with it.',
    tags: 2,
    check: async (target) => {
      const one = await target.makeTag(target.names.lettersOf('abcdefghijklm'));
      const other = await target.makeTag(target.names.lettersOf('nopqrstuvwxyz'));
      return allOf(await excludes(target, one, other), await excludes(target, other, one));
    },
  },
];

async function finds(target: Target, characters: string): Promise<Outcome> {
  if (target.room === 0) return undecided('failure', 'the tags of this check could not be removed');
  const name = target.names.endingIn(`${characters}z`);
  const exchange = await target.create({ name });
  const created = createdIn(exchange);
  if (created === undefined) {
    await target.removeTags();
    return undecided('choice', `the name ${quote(name)} is not accepted`, exchange);
  }
  // What a target keeps in another form, as it may, is looked for in that form.
  const { seen } = await target.until(
    () => target.lookUp(created.tagId, name),
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
  // Whether the tag is there at all, another requirement asks.
  if (kept === undefined && seen.entries.length === 0)
    return undecided('failure', 'the tag is not listed', exchange);
  return broken(
    `the tag named ${quote(filter)} exists, but the filter by that name leaves it out`,
    exchange,
    ...found.seen.exchanges,
  );
}

async function excludes(target: Target, wanted: Tag, other: Tag): Promise<Outcome> {
  const { unreadable, entries, exchanges } = await filtered(target, wanted.name);
  if (unreadable !== undefined) return undecided('failure', unreadable, ...exchanges);
  return entries.some(({ tagId }) => tagId === other.tagId)
    ? broken(
        `the filter by ${quote(wanted.name)} lets the tag named ${quote(other.name)} through`,
        ...exchanges,
      )
    : holds();
}

async function filtered(target: Target, name: string) {
  const exchange = await target.list(name);
  const entries = listedIn(exchange);
  const unreadable =
    entries === undefined ? `the filtered list cannot be read: it ${whatCame(exchange)}` : undefined;
  return { entries: entries ?? [], unreadable, exchanges: [exchange] };
}
