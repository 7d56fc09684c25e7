import {
  bodies,
  broken,
  createdIn,
  type Exchange,
  holds,
  ifDecided,
  jsonOf,
  listedIn,
  misfit,
  nameOf,
  type Outcome,
  PLAIN_LETTERS,
  type Requirement,
  statusOf,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { variedLetters } from '../names/letters.ts';
import { mayBePage } from '../one-list.ts';
import { longestAccepted } from '../open/name-length.ts';

type Headers = Readonly<Record<string, string>>;

/** An answer that is not as section 4 shows it. */
interface Odd {
  readonly why: string;
  readonly exchange: Exchange;
}

/** What browsers and libraries send on their own. Each leaves the answers as they are in section 4. */
const HEADERS: Headers = {
  'Accept-Encoding': 'gzip, deflate',
  'Accept-Language': 'nl, de;q=0.8, *;q=0.5',
  Connection: 'close',
};

/** Long names make lists long enough for servers that compress large answers only. */
const LONG_NAME = 200;

/** Sends requests of every operation, and gives the first odd answer. */
async function firstOdd(target: Target, headers: Headers): Promise<Odd | undefined> {
  const departure = { headers };
  const isOdd = (
    exchange: Exchange,
    status: number,
    body: (typeof bodies)[keyof typeof bodies],
  ): Odd | undefined => {
    const what = `the ${nameOf(exchange.ask.operation)} ${whatCame(exchange)}`;
    if (statusOf(exchange) !== status) return { why: `${what}, not ${status}`, exchange };
    const { framing, json } = exchange.answer ?? {};
    const wrong = framing ?? json?.problem ?? misfit(body, jsonOf(exchange));
    return wrong === undefined ? undefined : { why: `${what}, but ${wrong}`, exchange };
  };
  const length = Math.min((await longestAccepted(target)) ?? 0, LONG_NAME);
  const name = target.names.endingIn(variedLetters(Math.max(0, length - PLAIN_LETTERS)));
  const create = await target.create({ name }, departure);
  const created = createdIn(create);
  const odd = isOdd(create, 200, bodies.tag);
  if (odd !== undefined || created === undefined) return odd;
  const { seen, good } = await target.until(
    async () => ({ exchanges: [await target.list(undefined, departure)] }),
    ({ exchanges: [list] }) =>
      list === undefined || listedIn(list)?.some(({ tagId }) => tagId === created.tagId) !== false,
    { late: 'ignored' },
  );
  const [list] = seen.exchanges;
  const rename = await target.rename(created.tagId, { name: target.name() }, departure);
  const refused = await target.rename(created.tagId, {}, departure);
  const remove = await target.delete(created.tagId, departure);
  // A list that is a page may lack the tag.
  const oddList = list === undefined ? undefined : isOdd(list, 200, bodies.list);
  const missing =
    good || list === undefined || !target.facts.hasShortLists || mayBePage(target, list)
      ? undefined
      : { why: 'the list leaves out the tag', exchange: list };
  return (
    oddList ??
    isOdd(rename, 200, bodies.message) ??
    isOdd(refused, 422, bodies.validation) ??
    isOdd(remove, 200, bodies.message) ??
    missing
  );
}

/** The one of the headers that is to blame, if it is one. */
async function blamed(target: Target): Promise<string | undefined> {
  for (const [name, value] of Object.entries(HEADERS)) {
    await target.removeTags();
    const odd = await ifDecided(() => firstOdd(target, { [name]: value }));
    if (odd !== undefined) return `${name}: ${value}`;
  }
  return undefined;
}

export const clientHeaders: Requirement = {
  id: 'transport/client-headers',
  effort: 'standard',
  section: '4',
  sentences: ['4/json-accepted', '4.2/status-200', '4.3/status-200', '4.4/status-200', '7/validation-errors'],
  level: 'derived',
  derivation:
    'Accept-Encoding and Accept-Language state preferences (RFC 9110, 12.5), and Connection is about the connection (7.6.1): none changes the form of the bodies in section 4.',
  text: 'Answers have the same form if the client accepts compression, prefers another language, and closes the connection afterwards.',
  cause: 'Answers are compressed twice or cut off, or a message has no translation.',
  tags: 2,
  check: async (target): Promise<Outcome> => {
    const odd = await firstOdd(target, HEADERS);
    if (odd === undefined) return holds();
    await target.removeTags();
    const usual = await firstOdd(target, {});
    if (usual !== undefined)
      return undecided('failure', 'the same requests are not answered as usual either', usual.exchange);
    const header = await blamed(target);
    const given = header ?? Object.keys(HEADERS).join(', ');
    return broken(`${odd.why}, to a request with ${given}`, odd.exchange);
  },
};
