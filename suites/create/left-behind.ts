import {
  accepted,
  type Exchange,
  type Listed,
  listedIn,
  quote,
  type Target,
  whatCame,
} from '../../lib/check.ts';
import { allTags } from '../listed-tags.ts';

/** A tag that a create made although it was refused, with the exchanges that show it. */
export interface LeftBehind {
  readonly why: string;
  readonly exchanges: readonly Exchange[];
}

/** Names that programs give to a tag whose name is missing or not a string. */
const NAMELESS =
  /^(\s*|null|none|nil|undefined|false|true|nan|\[object object\]|array|\{.*\}|\[.*\]|untitled|unnamed|unknown|default|new)$/i;

/** How often the fault must be seen: a stranger may make such a tag by chance, but not this often in a row. */
const CONFIRMATIONS = 3;

/**
 * Sends a create that must be refused, and looks for a tag that it made nevertheless. The tag's name would hold a
 * string of the request, called a trace. A request without traces would make a nameless tag. A stranger's tag may look
 * the same, so a nameless tag counts only if another one of the same name appears each time that the request is sent.
 *
 * @param send sends the request; called again only if a nameless tag appeared.
 * @param traces strings of this run that the tag's name would hold.
 */
export async function expectNoTag(
  target: Target,
  send: () => Promise<Exchange>,
  traces: readonly string[],
): Promise<{ readonly exchange: Exchange; readonly left?: LeftBehind }> {
  if (traces.length > 0) return expectNoTrace(target, send, traces);
  return target.run('exclusively', async () => {
    let first: { readonly exchange: Exchange; readonly name?: unknown } | undefined;
    for (let time = 1; ; time++) {
      const look = async (): Promise<readonly Exchange[]> => [
        await target.list(),
        ...(typeof first?.name === 'string' ? [await target.list(first.name)] : []),
      ];
      const before = await look();
      const exchange = await send();
      const after = await look();
      const known = new Set(before.flatMap((list) => listedIn(list) ?? []).map(({ tagId }) => tagId));
      const shown = after
        .flatMap((list) => listedIn(list) ?? [])
        .find((tag) => !known.has(tag.tagId) && (time > 1 ? tag.name === first?.name : isNameless(tag)));
      first ??= { exchange, name: shown?.name };
      if (accepted(exchange) || before.some((list) => listedIn(list) === undefined) || shown === undefined)
        return { exchange: first.exchange };
      if (time < CONFIRMATIONS) continue;
      if (typeof shown.name === 'string') target.note({ leftBehind: shown.name });
      const why = `${whatCame(exchange)}, yet a tag named ${quote(shown.name)} is listed afterwards, ${time} times out of ${time}`;
      return { exchange: first.exchange, left: { why, exchanges: [exchange, ...before, ...after] } };
    }
  });
}

/** No stranger's tag holds a trace, so one look is enough. */
async function expectNoTrace(
  target: Target,
  send: () => Promise<Exchange>,
  traces: readonly string[],
): Promise<{ readonly exchange: Exchange; readonly left?: LeftBehind }> {
  const exchange = await send();
  if (accepted(exchange)) return { exchange };
  const all = await allTags(target);
  const lists =
    all === undefined
      ? await Promise.all([target.list(), ...traces.map((trace) => target.list(trace))])
      : [all.list];
  const shown = lists.flatMap((list) => listedIn(list) ?? []).find((tag) => holdsTrace(tag, traces));
  if (shown === undefined) return { exchange };
  const why = `${whatCame(exchange)}, yet a tag named ${quote(shown.name)} is listed afterwards`;
  return { exchange, left: { why, exchanges: [exchange, ...lists] } };
}

const isNameless = ({ name }: Listed): boolean => typeof name !== 'string' || NAMELESS.test(name);

/** Whether the name of a listed tag holds one of these strings. */
export const holdsTrace = ({ name }: Listed, traces: readonly string[]): boolean =>
  traces.some((trace) => JSON.stringify(name)?.includes(trace));

/** Whether a refused create may have made a listed tag: the tag holds a trace, or is new and nameless. */
export const isLeft = (tag: Listed, known: ReadonlySet<string>, traces: readonly string[]): boolean =>
  holdsTrace(tag, traces) || (isNameless(tag) && !known.has(tag.tagId));
