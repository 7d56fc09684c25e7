import {
  accepted,
  type Exchange,
  ifDecided,
  listedIn,
  quote,
  RawBody,
  type Target,
  whatCame,
} from '../../lib/check.ts';
import { expectNoTag, holdsTrace, isLeft, type LeftBehind } from './left-behind.ts';
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
    let alone = await expectNoTag(shared, first.send, first.traces);
    for (const { send, traces } of others) {
      if (alone.left !== undefined || accepted(alone.exchange)) break;
      const other = await expectNoTag(shared, send, traces);
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
}

/** Sends the creates of all rows: one look before and one afterwards show that none of them made a tag. */
async function sendAll(target: Target): Promise<Together> {
  const rows = target.settings.effort === 'quick' ? QUICK : [...ROWS.keys()];
  return target.run('exclusively', async () => {
    const before = listedIn(await target.list());
    const sent: { row: string; exchange: Exchange; traces: readonly string[] }[] = [];
    const left = new Map<string, LeftBehind>();
    for (const row of rows) {
      for (const { send, traces } of ROWS.get(row)?.(target) ?? []) {
        const exchange = await send();
        if (accepted(exchange)) return { accepted: { row, exchange }, left };
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
    const firsts = sent.toReversed().map(({ row, exchange }) => [row, exchange] as const);
    if (before !== undefined && isClean) return { sent: new Map(firsts), left };
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
    return { left };
  });
}

/** An accepted create to compare the refused ones with; sent once in a run for each account. */
export const acceptedCreate = (target: Target): Promise<Exchange> =>
  target.shared('create-accepted', 1, (shared) => shared.create({ name: shared.name() }));

/** The twin of a create that has to be refused. */
export const createTwin = (target: Target): Pick<Parameters<typeof sendPair>[0], 'accepted' | 'again'> => ({
  accepted: () => acceptedCreate(target),
  again: () => target.create({ name: target.name() }),
});
