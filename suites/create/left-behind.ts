import {
  accepted,
  type Exchange,
  type Listed,
  listedIn,
  quote,
  type Target,
  whatCame,
} from '../../lib/check.ts';

/** What a refused create left behind after all, with the exchanges that show it. */
export interface LeftBehind {
  readonly why: string;
  readonly exchanges: readonly Exchange[];
}

/** Names that frameworks give to a tag whose name is missing or no text. */
const NAMELESS = /^(\s*|null|none|nil|undefined|false|true|nan|\[object object\]|array|\{.*\}|\[.*\])$/i;

/** A tag may appear by chance, made by somebody else at that moment. Not just then, this often in a row. */
const CONFIRMATIONS = 3;

/**
 * Sends a create that must be refused and, where it is, looks whether a tag came of it all the same. A tag whose name carries a trace of the
 * request is one. A nameless one could be a stranger's, so it counts only where one appears anew each time that the
 * request is made.
 *
 * @param send makes the request; called again only on suspicion.
 * @param traces texts of this run that the tag's name would hold.
 */
export async function leavesNothing(
  target: Target,
  send: () => Promise<Exchange>,
  traces: readonly string[],
): Promise<{ readonly exchange: Exchange; readonly left?: LeftBehind }> {
  if (traces.length > 0) return traced(target, send, traces);
  return target.exclusively(async () => {
    let first: Exchange | undefined;
    for (let time = 1; ; time++) {
      const [before, exchange, after] = [await target.list(), await send(), await target.list()];
      first ??= exchange;
      const known = new Set(listedIn(before)?.map(({ tagId }) => tagId));
      const shown = listedIn(after)?.find((tag) => !known.has(tag.tagId) && isNameless(tag));
      if (accepted(exchange) || listedIn(before) === undefined || shown === undefined)
        return { exchange: first };
      if (time < CONFIRMATIONS) continue;
      const why = `${whatCame(exchange)}, yet a tag named ${quote(shown.name)} is listed afterwards, ${time} times out of ${time}`;
      return { exchange: first, left: { why, exchanges: [exchange, before, after] } };
    }
  });
}

/** A name that holds a trace is of this run whoever else is at work, so that one look is enough. */
async function traced(
  target: Target,
  send: () => Promise<Exchange>,
  traces: readonly string[],
): Promise<{ readonly exchange: Exchange; readonly left?: LeftBehind }> {
  const exchange = await send();
  if (accepted(exchange)) return { exchange };
  const lists = await Promise.all([target.list(), ...traces.map((trace) => target.list(trace))]);
  const shown = lists
    .flatMap((list) => listedIn(list) ?? [])
    .find(({ name }) => traces.some((trace) => JSON.stringify(name)?.includes(trace)));
  if (shown === undefined) return { exchange };
  const why = `${whatCame(exchange)}, yet a tag named ${quote(shown.name)} is listed afterwards`;
  return { exchange, left: { why, exchanges: [exchange, ...lists] } };
}

const isNameless = ({ name }: Listed): boolean => typeof name !== 'string' || NAMELESS.test(name);
