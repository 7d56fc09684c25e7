import fc from 'fast-check';
import { broken, holds, listedIn, type Outcome, type Target, Undecided, whatCame } from '../../lib/check.ts';
import { isLinearizable, type Operation } from './linearizable.ts';
import { firstTag } from './first.ts';
import { letter, momentsOf, tagNamed, timeline, written, type Asked, type Does } from './history.ts';

/** One tag under several hands at once: each renames it so often, or looks at it so often, one after another. */
export interface Hands {
  readonly renames: readonly number[];
  /** Whether each look is a list, or asks the filter for the name of that number. */
  readonly looks: readonly (readonly ('list' | number)[])[];
}

/** Between two lists: the first look is often over before the target has heard of an update. */
const LOOKS: readonly ('list' | number)[] = ['list', 0, 1];

export const hands: fc.Arbitrary<Hands> = fc.record({
  renames: fc.constantFrom([1], [2], [1, 1]),
  looks: fc
    .shuffledSubarray([...LOOKS], { minLength: LOOKS.length })
    .map((looks) => [['list' as const, ...looks, 'list' as const]]),
});

/** A request to the tag, and what it did or saw as an operation on it. */
interface Handled extends Asked {
  readonly operations: readonly Operation<Does>[];
}

/** Looks at a tag while it is renamed, and whether some order explains all that was seen. */
export async function readMeanwhile(target: Target, { renames, looks }: Hands): Promise<Outcome> {
  const tag = await firstTag(target);
  const names = [tag.name, ...renames.flatMap((count) => Array.from({ length: count }, () => target.name()))];
  await target.untilListed(tag.tagId, tag.name);
  let given = 0;
  const rename = async (): Promise<Handled> => {
    const at = ++given;
    const name = names[at] ?? '';
    const exchange = await target.rename(tag.tagId, { name });
    return {
      what: `rename to ${letter(at)}`,
      exchange,
      operations: written({ do: 'rename', name }, exchange),
    };
  };
  const read = async (what: 'list' | number): Promise<Handled> => {
    const name = what === 'list' ? undefined : names[what % names.length];
    const exchange = await target.list(name);
    const entries = listedIn(exchange)?.filter(({ tagId }) => tagId === tag.tagId);
    const told = what === 'list' ? 'list' : `filter by ${letter(what % names.length)}`;
    if (entries === undefined) return { what: told, exchange, operations: [] };
    const shown = entries[0]?.name;
    const at = names.indexOf(String(shown));
    const came = entries.length === 0 ? 'not shown' : at < 0 ? 'another name' : `shows ${letter(at)}`;
    const does: Does =
      name === undefined
        ? { do: 'shown', name: String(shown) }
        : { do: 'found', name, isFound: entries.some((one) => one.name === name) };
    // A page of the list may leave the tag out.
    const isTold = name !== undefined || entries.length > 0;
    return { what: told, exchange, came, operations: isTold ? [{ does, ...momentsOf(exchange) }] : [] };
  };
  const inTurn = async (all: readonly (() => Promise<Handled>)[]): Promise<Handled[]> => {
    const done: Handled[] = [];
    for (const one of all) done.push(await one());
    return done;
  };
  const handled = await target.simultaneously(() =>
    Promise.all([
      ...renames.map((count) => inTurn(Array.from({ length: count }, () => rename))),
      ...looks.map((all) => inTurn(all.map((what) => () => read(what)))),
    ]),
  );
  const all = handled.flat();
  const unread = all.find(
    ({ what, exchange }) => !what.startsWith('rename') && listedIn(exchange) === undefined,
  );
  if (unread !== undefined)
    throw new Undecided(
      'failure',
      `the list ${whatCame(unread.exchange)} and cannot be read`,
      unread.exchange,
    );
  const operations = all.flatMap((one) => one.operations);
  if (isLinearizable(tagNamed(names[0] ?? '', false), operations)) return holds();
  const finding = broken(
    'what lists showed of a tag while it was renamed is explained by no order of the renames and the lists',
    ...all.map(({ exchange }) => exchange),
  );
  return finding.kind === 'broken' ? { ...finding, example: { told: timeline(all), path: '' } } : finding;
}
