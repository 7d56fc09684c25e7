import { createdIn, listedIn } from '../lib/engine/listing.ts';
import type { Target } from '../lib/engine/target.ts';
import { accepted, type Exchange } from '../lib/http/exchange.ts';
import { Undecided } from '../lib/outcome.ts';
import { longestName, mostCharacters } from './open/name-length.ts';

/** The kind that no target could have a reason to treat otherwise. */
export const PLAIN = 'letters alone';

/** Kinds of text in names, and what each is for. Short, but for the last, to be within any limit. */
const KINDS: readonly (readonly [kind: string, text: string])[] = [
  [PLAIN, 'abc'],
  ['capital letters', 'ABC'],
  ['a blank inside', ' b c'],
  ['a double quote', 'a"b'],
  ['an apostrophe', "a'b"],
  ['a backslash', 'a\\b'],
  ['markup', '<b>&amp;'],
  ['a percent sequence', 'a%41b'],
  ['what SQL could take for its own', "';--"],
  ['an accented letter in one character', 'é'],
  ['an accented letter in two characters', 'e\u0301x'],
  ['Chinese', '漢字'],
  ['Hebrew, written from the right', 'שלום'],
  ['Thai with a combining mark', 'ก็'],
  ['an emoji', '😀'],
  ['an emoji with a joiner', '👩‍👧'],
  ['control characters', 'a\tb\u0001'],
  ['60 letters more', 'x'.repeat(60)],
  ['200 letters more', 'y'.repeat(200)],
  ['400 letters more', 'z'.repeat(400)],
];

/** One name through its life: made, listed, given to another tag, listed again, removed. */
export interface Trip {
  readonly kind: string;
  readonly create: { readonly name: string; readonly exchange: Exchange; readonly kept?: unknown };
  readonly update?: { readonly name: string; readonly exchange: Exchange; readonly kept?: unknown };
  readonly remove?: Exchange;
  /** A tag that a refused create left behind, under a name that starts as the refused one. */
  readonly leftBehind?: unknown;
  readonly looks: readonly Exchange[];
}

/** Every kind, by its name. */
export const NAME_KINDS = ['digits alone', ...KINDS.map(([kind]) => kind)] as const;

/** Sends names of each kind on their trip, once in a run. */
export async function nameTrips(target: Target): Promise<readonly Trip[]> {
  const digits = (shared: Target): string => String(shared.number());
  const most = await longest(target);
  return Promise.all([
    target.shared('name-trip digits', 1, (shared) =>
      trip(shared, 'digits alone', [digits(shared), digits(shared)], most),
    ),
    ...KINDS.map(([kind, text]) =>
      target.shared(`name-trip ${kind}`, 1, (shared) =>
        trip(shared, kind, [shared.nameWith(text), shared.nameWith(text)], most),
      ),
    ),
  ]);
}

/** To how many characters the target could have cut a name that it refuses. */
async function longest(target: Target): Promise<number | undefined> {
  try {
    return mostCharacters(await target.learn(longestName));
  } catch (error) {
    if (error instanceof Undecided) return undefined;
    throw error;
  }
}

async function trip(
  target: Target,
  kind: string,
  [first, second]: readonly [string, string],
  most: number | undefined,
): Promise<Trip> {
  const exchange = await target.create({ name: first });
  const created = createdIn(exchange);
  if (created === undefined) {
    // In the list, or a page of it, and under a part of its name, which the filter finds also where lists are paged.
    const parts = first.length > OWN_LETTERS ? [OWN_LETTERS, most ?? OWN_LETTERS] : [];
    const filters = [undefined, ...new Set(parts.map((length) => first.slice(0, length)))];
    const lists = accepted(exchange) ? [] : await Promise.all(filters.map((filter) => target.list(filter)));
    const left = lists.flatMap((list) => listedIn(list) ?? []).find(({ name }) => startsAs(name, first));
    await target.end();
    if (target.room === 0) return { kind, create: { name: first, exchange }, looks: [] };
    const tag = await target.made();
    return {
      kind,
      create: { name: first, exchange },
      ...(left === undefined ? {} : { leftBehind: left.name }),
      ...(await rest(target, tag.tagId, tag.name, second)),
      looks: lists,
    };
  }
  const { seen } = await target.settles(
    () => target.look(created.tagId, first),
    ({ entries }) => entries.length > 0,
  );
  const kept = seen.entries.find(({ tagId }) => tagId === created.tagId)?.name;
  const after = await rest(target, created.tagId, typeof kept === 'string' ? kept : first, second);
  return {
    kind,
    create: { name: first, exchange, kept: kept ?? created.name },
    ...after,
    looks: seen.exchanges,
  };
}

async function rest(
  target: Target,
  tagId: string,
  before: string,
  name: string,
): Promise<Pick<Trip, 'update' | 'remove'>> {
  const exchange = await target.rename(tagId, { name });
  const { seen } = await target.settles(
    () => target.look(tagId, name, before),
    ({ entries }) =>
      !accepted(exchange) || entries.some((entry) => entry.tagId === tagId && entry.name !== before),
  );
  const kept = seen.entries.find((entry) => entry.tagId === tagId)?.name;
  const remove = await target.delete(tagId);
  return { update: { name, exchange, ...(accepted(exchange) ? { kept } : {}) }, remove };
}

/** The letters of a plain name, which that of every kind begins with. */
const OWN_LETTERS = 16;

/** The first letters of a name are the run's own, so that a cut one is told from a stranger's. */
const startsAs = (name: unknown, given: string): boolean =>
  typeof name === 'string' && name.length >= OWN_LETTERS && name.startsWith(given.slice(0, OWN_LETTERS));
