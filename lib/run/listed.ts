import type { Lookup } from '../account/lookup.ts';
import { bearsLettersOf } from '../account/ownership.ts';
import { accepted, slim, type Exchange } from '../http/exchange.ts';
import { whatCame } from '../http/wording.ts';
import { Undecided } from '../outcome.ts';
import { listedIn } from '../spec/reading.ts';
import type { Work } from './work.ts';

/** A tag that a check made, as the list first showed it. */
export interface Tag {
  readonly tagId: string;
  readonly name: string;
}

/** A tag that a check made, with the lists that showed it. */
export interface ListedTag {
  readonly tag: Tag;
  readonly exchanges: readonly Exchange[];
}

/**
 * Waits until a new tag is listed.
 *
 * @param create the exchange that was to make it.
 * @param whole a list without a filter, requested after the create, that is looked at first.
 * @throws Undecided if that does not work: setting up is not judging.
 */
export async function makeListed(
  work: Work,
  name: string,
  create: Exchange,
  whole?: Promise<Exchange>,
): Promise<ListedTag> {
  if (!accepted(create))
    throw new Undecided('failure', `no tag could be made to ask with: create ${whatCame(create)}`, create);
  const { account, session } = work;
  // A target may show somebody else's tag under the name that the filter asks for.
  const ownIn = ({ entries }: Lookup) =>
    entries.find((entry) => entry.name === name && !account.ownership.isStranger(entry.tagId));
  let first = whole;
  const look = async (): Promise<Lookup> => {
    const list = await first;
    first = undefined;
    const entries = list === undefined ? [] : (listedIn(list) ?? []).filter((entry) => entry.name === name);
    const seen =
      list === undefined || entries.length === 0
        ? await account.lookUp(undefined, name)
        : { entries, exchanges: [slim(list)] };
    const record = account.tags.named(name);
    // A list that is late may have shown the tag_id under the name of the tag before.
    if (seen.entries.length > 0 && ownIn(seen) === undefined && record !== undefined)
      await account.claim(record);
    return seen;
  };
  const { seen } = account.losesCreates
    ? { seen: await look() }
    : await session.settling.until(look, (lookup) => ownIn(lookup) !== undefined, { isBrief: work.isBrief });
  const entry = ownIn(seen);
  if (entry !== undefined) return { tag: { tagId: entry.tagId, name }, exchanges: seen.exchanges };
  // If the check has ended meanwhile, its tags are being removed: that is no loss.
  const { state, mayBeGone } = account.tags.named(name) ?? {};
  if (state !== 'deleting' && state !== 'removed' && mayBeGone !== true) {
    const isNamed = seen.entries.some((entry) => entry.name === name);
    const why = isNamed
      ? 'create was acknowledged, but lists show its name with the tag_id of another tag only'
      : 'create was acknowledged, but no list shows the tag';
    session.signs.record('create-lost', why, create, ...seen.exchanges);
  }
  const why = 'no tag could be made to ask with: create was accepted, but no list shows the tag';
  throw new Undecided('failure', why, create, ...seen.exchanges);
}

/**
 * Looks whether lists still show a tag.
 *
 * @param names all that the tag has had.
 * @param list asks for the lists that would show it.
 * @throws Undecided if one cannot be read.
 */
export async function lookWhetherGone(
  tag: Tag,
  names: ReadonlySet<string>,
  list: () => Promise<readonly Exchange[]>,
): Promise<Lookup> {
  // A younger tag, of the run or a stranger's, may have been given the tag_id.
  const isYounger = (name: unknown): boolean =>
    typeof name === 'string' && !names.has(name) && !bearsLettersOf(name, { names });
  const exchanges = await list();
  const lists = exchanges.map(listedIn);
  if (lists.includes(undefined))
    throw new Undecided('failure', 'the list cannot be read, so it does not tell what is gone', ...exchanges);
  const entries = lists
    .flatMap((listed) => listed ?? [])
    .filter(({ tagId, name }) => tagId === tag.tagId && !isYounger(name));
  return { entries, exchanges };
}
