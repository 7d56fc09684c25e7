import {
  accepted,
  type Exchange,
  ifDecided,
  type Listed,
  listedIn,
  quote,
  RawBody,
  type Target,
  whatCame,
} from '../../lib/check.ts';
import {
  appearsUnasked,
  expectNoTag,
  hasFewNewcomers,
  holdsTrace,
  isForeign,
  isLeft,
  type LeftBehind,
} from './left-behind.ts';
import { NO_NAMES, NO_OBJECTS } from '../invalid-bodies.ts';
import { allTags } from '../listed-tags.ts';
import type { sendPair } from '../pair.ts';
import { tour } from '../tour.ts';

/** A create that must be refused, and the strings that the name of its tag would hold. */
interface Invalid {
  readonly send: () => Promise<Exchange>;
  readonly traces: readonly string[];
}

/**
 * The creates without a name, and those whose body is not a JSON object, by the id of their row. A row may have several
 * creates.
 */
const ROWS: ReadonlyMap<string, (target: Target) => readonly Invalid[]> = new Map([
  ...NO_NAMES.map(({ id, body }) => {
    const invalid = (target: Target): readonly Invalid[] => {
      const { body: sent, traces } = body(target, 'create');
      return [{ send: () => target.create(sent), traces }];
    };
    return [id, invalid] as const;
  }),
  ...NO_OBJECTS.map(({ id, content: first, others = [] }) => {
    const invalid = (target: Target): readonly Invalid[] =>
      [first, ...others.map(({ content }) => content)].map((content) => {
        const [name, number] = [target.name(), String(target.names.number())];
        const text = content(name, number);
        const traces = [name, number].filter((trace) => text.includes(trace));
        return { send: () => target.create(new RawBody(text), { open: true }), traces };
      });
    return [id, invalid] as const;
  }),
]);

/** The rows that are sent with the effort `quick`. */
const QUICK = ['name-missing', 'name-null'];

/**
 * Sends the creates of a row, once in a run, and looks for a tag that they left behind.
 *
 * @returns the first one that was accepted or left a tag behind, or the first of all.
 */
export async function refusedCreate(target: Target, row: string): ReturnType<typeof expectNoTag> {
  // The same create again may be refused, because the first one has made a tag with the name that both get.
  const early = row === 'name-missing' ? await ifDecided(() => tour(target)) : undefined;
  if (early !== undefined && accepted(early.refusedCreate)) return { exchange: early.refusedCreate };
  const together = await target.shared('creates to be refused', 2, (shared) =>
    ifDecided(() => sendAll(shared)),
  );
  const exchange = together?.sent?.get(row);
  if (exchange !== undefined) return { exchange };
  if (together?.accepted?.row === row) return { exchange: together.accepted.exchange };
  return target.shared(`create ${row}`, 1, async (shared) => {
    const [first, ...others] = ROWS.get(row)?.(shared) ?? [];
    if (first === undefined) throw new Error(`there is no create ${row}`);
    const expectNone = ({ send, traces }: Invalid): ReturnType<typeof expectNoTag> =>
      expectNoTag(shared, send, together?.isSuspect === true ? [] : traces);
    let alone = await expectNone(first);
    for (const invalid of others) {
      if (alone.left !== undefined || accepted(alone.exchange)) break;
      const other = await expectNone(invalid);
      if (other.left !== undefined || accepted(other.exchange)) alone = other;
    }
    // A tag that holds a trace proves the fault, even if the repeated create made none.
    const left = alone.left ?? together?.left.get(row);
    return left === undefined ? alone : { ...alone, left };
  });
}

/** The result of all rows together. */
interface Together {
  /** Undefined if one was accepted or made a tag. Then each must be sent alone. */
  readonly sent?: ReadonlyMap<string, Exchange>;
  /** The first one that was accepted. */
  readonly accepted?: { readonly row: string; readonly exchange: Exchange };
  /** The tags that hold a trace of one of them. */
  readonly left: ReadonlyMap<string, LeftBehind>;
  /** Tags that hold no trace appeared each time. */
  readonly isSuspect?: boolean;
}

/** How often the creates of all rows are sent at most: again if other users may have made the tags that appeared. */
const ROUNDS = 2;

/** Sends the creates of all rows: one look before and one afterwards show that none of them made a tag. */
async function sendAll(target: Target): Promise<Together> {
  const rows = target.settings.effort === 'quick' ? QUICK : [...ROWS.keys()];
  return target.run('exclusively', async () => {
    let suspects: readonly unknown[] = [];
    for (let round = 1; ; round++) {
      const { together, appeared } = await sendRound(target, rows);
      const names = appeared.filter((tag) => isForeign(target, tag)).map(({ name }) => name);
      const again = round === 1 ? names : names.filter((name) => suspects.includes(name));
      if (together.sent === undefined || again.length === 0 || !hasFewNewcomers(target)) return together;
      // Tags of the same name appeared in each round, so each create is sent alone.
      if (round === ROUNDS)
        return (await appearsUnasked(target, again)) ? together : { left: together.left, isSuspect: true };
      suspects = again;
    }
  });
}

/** Sends the creates of all rows once. `appeared`: the tags that only the list afterwards shows; none if lists may be pages. */
async function sendRound(
  target: Target,
  rows: readonly string[],
): Promise<{ readonly together: Together; readonly appeared: readonly Listed[] }> {
  const before = listedIn(await target.list());
  const sent: { row: string; exchange: Exchange; traces: readonly string[] }[] = [];
  const left = new Map<string, LeftBehind>();
  for (const row of rows) {
    for (const { send, traces } of ROWS.get(row)?.(target) ?? []) {
      const exchange = await send();
      if (accepted(exchange)) return { together: { accepted: { row, exchange }, left }, appeared: [] };
      sent.push({ row, exchange, traces });
    }
  }
  // A target may store the refused tag with the next accepted create.
  await target.create({ name: target.name() });
  const traces = sent.flatMap((one) => one.traces);
  const all = await allTags(target);
  const lists =
    all === undefined
      ? await Promise.all([target.list(), ...traces.map((trace) => target.list(trace))])
      : [all.list];
  const after = lists.map(listedIn);
  const known = new Set(before?.map(({ tagId }) => tagId));
  const isClean = after.every((tags) => tags?.some((tag) => isLeft(tag, known, traces)) === false);
  if (before !== undefined && isClean) {
    const firsts = sent.toReversed().map(({ row, exchange }) => [row, exchange] as const);
    const appeared = all?.tags.filter(({ tagId }) => !known.has(tagId)) ?? [];
    return { together: { sent: new Map(firsts), left }, appeared };
  }
  for (const { row, exchange, traces: own } of sent) {
    const shown = after.flatMap((tags) => tags ?? []).find((tag) => holdsTrace(tag, own));
    if (shown === undefined) continue;
    const why = `${whatCame(exchange)}, yet a tag named ${quote(shown.name)} is listed after further creates`;
    left.set(row, { why, exchanges: [exchange, ...lists] });
  }
  // A target that makes tags of refused creates has probably made those that hold no trace as well.
  if (left.size > 0)
    for (const tag of after.flatMap((tags) => tags ?? []))
      if (typeof tag.name === 'string' && isLeft(tag, known, [])) target.note({ leftBehind: tag.name });
  return { together: { left }, appeared: [] };
}

/** An accepted create to compare the refused ones with; sent once in a run for each account. */
export const acceptedCreate = (target: Target): Promise<Exchange> =>
  target.shared('create-accepted', 1, (shared) => shared.create({ name: shared.name() }));

/** The twin of a create that has to be refused. */
export const createTwin = (target: Target): Pick<Parameters<typeof sendPair>[0], 'accepted' | 'again'> => ({
  accepted: () => acceptedCreate(target),
  again: () => target.create({ name: target.name() }),
});
