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

/** Names that programs give to a tag whose name is missing or not a string, such as the numbers and booleans that the run sends. */
const NAMELESS =
  /^(\s*|null|none|nil|undefined|false|true|[tf01]|-4821\.5|nan|\[object object\]|array|\{.*\}|\[.*\]|blank|default|empty|missing|new|no ?name|unknown|unnamed|untagged|untitled)$/i;

/** How often the fault must be seen: a stranger may make such a tag by chance, but not this often in a row. */
const CONFIRMATIONS = 3;

/**
 * Sends a create that must be refused, and looks for a tag that it made nevertheless. The tag's name would hold a
 * string of the request, called a trace. A request without traces would make a nameless tag. A stranger's tag may look
 * the same, so a nameless tag counts only if another one of the same name appears each time that the request is sent, and none
 * while it is not sent. Other names do not count: a client that makes tags of one name all the time would look the same.
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
    let suspects: readonly unknown[] = [];
    const look = async (): Promise<readonly Exchange[]> => {
      const [name] = suspects;
      return [await target.list(), ...(typeof name === 'string' ? [await target.list(name)] : [])];
    };
    const first = await sendBetween(look, send);
    const { exchange } = first;
    if (accepted(exchange)) return { exchange };
    suspects = first.appeared.filter(isNameless).map(({ name }) => name);
    let last = first;
    for (let time = 2; time <= CONFIRMATIONS && suspects.length > 0; time++) {
      last = await sendBetween(look, send);
      if (accepted(last.exchange)) return { exchange };
      suspects = suspects.filter((name) => last.appeared.some((tag) => tag.name === name));
    }
    const [name] = suspects;
    if (suspects.length === 0 || (await appearsUnasked(target, name))) return { exchange };
    if (typeof name === 'string') target.note({ leftBehind: name });
    const why = `${whatCame(last.exchange)}, yet a tag named ${quote(name)} is listed afterwards, ${CONFIRMATIONS} times out of ${CONFIRMATIONS}`;
    return { exchange, left: { why, exchanges: [last.exchange, ...last.lists] } };
  });
}

/** Whether another user makes tags of such a name: one appears although no request was sent that might make it. */
async function appearsUnasked(target: Target, name: unknown): Promise<boolean> {
  const look = async (): Promise<readonly Exchange[]> => [await target.list()];
  const { appeared } = await sendBetween(look, () => target.list());
  return appeared.some((tag) => tag.name === name);
}

/** Sends a request between two looks. `appeared`: the tags that only the second one shows; none if the first cannot be read. */
async function sendBetween(
  look: () => Promise<readonly Exchange[]>,
  send: () => Promise<Exchange>,
): Promise<{
  readonly exchange: Exchange;
  readonly lists: readonly Exchange[];
  readonly appeared: readonly Listed[];
}> {
  const before = await look();
  const exchange = await send();
  const after = await look();
  const known = new Set(before.flatMap((list) => listedIn(list) ?? []).map(({ tagId }) => tagId));
  const isReadable = before.every((list) => listedIn(list) !== undefined);
  const appeared = after.flatMap((list) => listedIn(list) ?? []).filter(({ tagId }) => !known.has(tagId));
  return { exchange, lists: [...before, ...after], appeared: isReadable ? appeared : [] };
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

/**
 * Looks for a tag that a refused create made of a value that is no string. The look costs one list if lists are whole.
 *
 * @param texts the strings to which a target may convert the value.
 * @param areOwn whether no stranger's tag has such a name. Otherwise the create is sent again, as `expectNoTag` does.
 */
export async function leftByValue(
  target: Target,
  refused: Exchange,
  {
    texts,
    areOwn,
    send,
  }: { readonly texts: readonly string[]; readonly areOwn: boolean; readonly send: () => Promise<Exchange> },
): Promise<LeftBehind | undefined> {
  const list = (await allTags(target))?.list ?? (await target.list(texts[0]));
  const shown = listedIn(list)?.find(({ name }) => typeof name === 'string' && texts.includes(name));
  if (shown === undefined) return undefined;
  if (!areOwn) return (await expectNoTag(target, send, [])).left;
  target.note({ leftBehind: String(shown.name) });
  return {
    why: `${whatCame(refused)}, yet a tag named ${quote(shown.name)} is listed afterwards`,
    exchanges: [refused, list],
  };
}

const isNameless = ({ name }: Listed): boolean => typeof name !== 'string' || NAMELESS.test(name);

/** Whether the name of a listed tag holds one of these strings. */
export const holdsTrace = ({ name }: Listed, traces: readonly string[]): boolean =>
  traces.some((trace) => JSON.stringify(name)?.includes(trace));

/** Whether a refused create may have made a listed tag: the tag holds a trace, or is new and nameless. */
export const isLeft = (tag: Listed, known: ReadonlySet<string>, traces: readonly string[]): boolean =>
  holdsTrace(tag, traces) || (isNameless(tag) && !known.has(tag.tagId));
