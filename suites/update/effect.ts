import {
  accepted,
  broken,
  holds,
  listedIn,
  type Outcome,
  quote,
  type Tag,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';

export async function renamed(target: Target, tag: Tag): Promise<Outcome> {
  const name = target.name();
  const exchange = await target.rename(tag.tagId, { name });
  if (!accepted(exchange)) return undecided('failure', `the update ${whatCame(exchange)}`, exchange);
  const { seen } = await target.until(
    () => target.lookUp(tag.tagId, name, tag.name),
    ({ entries }) =>
      entries.some((entry) => entry.tagId === tag.tagId && entry.name === name) &&
      !entries.some((entry) => entry.name === tag.name),
  );
  const names = seen.entries.filter(({ tagId }) => tagId === tag.tagId).map((entry) => entry.name);
  if (!names.includes(name)) {
    return broken(`${whatCame(exchange)}, yet ${nameNow(names[0], tag)}`, exchange, ...seen.exchanges);
  }
  const old = seen.entries.find((entry) => entry.name === tag.name);
  if (old === undefined) return filterFollows(target, tag, name);
  return broken(
    `the new name is listed, and the old one still is too, under tag_id ${quote(old.tagId)}`,
    exchange,
    ...seen.exchanges,
  );
}

/** What became of the tag, as a clause. */
export function nameNow(name: unknown, tag: Tag): string {
  if (name === undefined) return 'the tag is no longer listed under its tag_id';
  return name === tag.name
    ? 'the tag is still listed with its old name'
    : `the tag is listed with the name ${quote(name)}`;
}

/** The filter finds the tag by its new name, and not by its old one, where it found it by that before. */
async function filterFollows(target: Target, tag: Tag, name: string): Promise<Outcome> {
  const { seen, good } = await target.until(
    async () => {
      const exchanges = await Promise.all([target.list(name), target.list(tag.name)]);
      const [found, stale] = exchanges.map(
        (list) => listedIn(list)?.some(({ tagId }) => tagId === tag.tagId) === true,
      );
      return { found, stale, exchanges };
    },
    ({ found, stale }) => found === true && stale === false,
  );
  if (good) return holds();
  const twin = await target.makeTag();
  const finds = listedIn(await target.list(twin.name))?.some(({ tagId }) => tagId === twin.tagId) === true;
  const others = listedIn(await target.list(target.name()))?.length === 0;
  // A filter that finds nothing, or everything, is another requirement's.
  if (!finds || !others) return holds();
  return broken(
    seen.found === true
      ? 'the filter by the old name still lets the tag through'
      : 'the filter by the new name leaves the tag out',
    ...seen.exchanges,
  );
}
