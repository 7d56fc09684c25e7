import {
  accepted,
  broken,
  createdIn,
  type Exchange,
  generated,
  holds,
  ifDecided,
  learn,
  listedIn,
  matches,
  type Outcome,
  type RequestOverrides,
  type Requirement,
  spec,
  statusOf,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { areIdsRandom } from '../freed-ids.ts';
import { mayBePage } from '../listed-tags.ts';
import { isFormOf } from '../names/kept-form.ts';
import { variedLetters } from '../names/sizes.ts';
import { longestAccepted } from '../open/name-length.ts';
import { refusedNames } from '../open/names.ts';
import { tour } from '../tour.ts';

/** HTTP/2 and many clients write header names like this. */
const IN_SMALL_LETTERS: RequestOverrides = { spelling: (name) => name.toLowerCase() };

/** An answer that differs from section 4. */
interface Odd {
  readonly why: string;
  readonly exchange: Exchange;
}

/** Habits of browsers and libraries in request headers, by description. None of them changes the answers of section 4. */
const HABITS: Readonly<Record<string, RequestOverrides>> = {
  'header names in small letters': IN_SMALL_LETTERS,
  'Accept-Encoding: gzip, deflate': { headers: { 'Accept-Encoding': 'gzip, deflate' } },
  'Accept-Language: nl, de;q=0.8, *;q=0.5': { headers: { 'Accept-Language': 'nl, de;q=0.8, *;q=0.5' } },
  'Connection: close': { headers: { Connection: 'close' } },
  // Browsers send the cookies of other pages of the host, and reload with this header.
  'Cookie: theme=dark': { headers: { Cookie: 'theme=dark' } },
  'Cache-Control: no-cache': { headers: { 'Cache-Control': 'no-cache' } },
};

const all = (habits: readonly RequestOverrides[]): RequestOverrides =>
  habits.reduce((some, one) => ({ ...some, ...one, headers: { ...some.headers, ...one.headers } }), {});

/** The habits. If the tester gave a cookie for every request, they leave it in place and send none. */
async function habitsOf(target: Target): Promise<readonly (readonly [string, RequestOverrides])[]> {
  const usual = await ifDecided(() => tour(target));
  const hasNoCookie =
    usual?.operations.every(({ ask }) => ask.headers.every(([name]) => !/^cookie$/i.test(name))) === true;
  return Object.entries(HABITS).filter(([habit]) => hasNoCookie || !habit.startsWith('Cookie'));
}

/** The length of names. Long ones make lists large enough for servers that compress only large answers. */
const LONG_NAME = 200;

/** Its encoding shows in a list, also in a compressed one. */
const FOREIGN = '漢';

/** A long name, which ends outside ASCII if the target accepts that. */
async function longName(target: Target): Promise<string> {
  const length = Math.min((await longestAccepted(target)) ?? 0, LONG_NAME);
  const refused = await ifDecided(() => learn(target, refusedNames));
  const room = length - generated.plainLetters - Buffer.byteLength(FOREIGN);
  return room < 0 || refused?.includes('scripts') !== false
    ? target.names.endingIn(variedLetters(Math.max(0, length - generated.plainLetters)))
    : target.names.endingIn(`${variedLetters(room)}${FOREIGN}`);
}

/** Sends requests of every operation, and returns the first odd answer. */
async function firstOdd(target: Target, overrides?: RequestOverrides): Promise<Odd | undefined> {
  const isOdd = (
    exchange: Exchange,
    status: number,
    body: (typeof spec.bodies)[keyof typeof spec.bodies],
  ): Odd | undefined => {
    const { framing, json } = exchange.answer ?? {};
    const problem = framing ?? json?.problem;
    const wrong =
      matches.difference(exchange, status, body) ??
      (problem === undefined ? undefined : `${whatCame(exchange)}, but ${problem}`);
    return wrong === undefined
      ? undefined
      : { why: `the ${spec.nameOf(exchange.ask.operation)} ${wrong}`, exchange };
  };
  const create = await target.create({ name: await longName(target) }, overrides);
  const created = createdIn(create);
  const odd = isOdd(create, 200, spec.bodies.tag);
  if (odd !== undefined || created === undefined) return odd;
  const { seen, good } = await target.until(
    async () => ({ exchanges: [await target.list(undefined, overrides)] }),
    ({ exchanges: [list] }) =>
      list === undefined || listedIn(list)?.some(({ tagId }) => tagId === created.tagId) !== false,
    { late: 'ignored' },
  );
  const [list] = seen.exchanges;
  const rename = await target.rename(created.tagId, { name: target.name() }, overrides);
  const refused = await target.rename(created.tagId, {}, overrides);
  const remove = await target.delete(created.tagId, overrides);
  // A stranger's tag may have the freed tag_id by now.
  const again =
    accepted(remove) && (await areIdsRandom(target))
      ? await target.delete(created.tagId, overrides)
      : undefined;
  // If the list is paged, it may lack the tag.
  const oddList = list === undefined ? undefined : isOdd(list, 200, spec.bodies.list);
  const missing =
    good || list === undefined || !target.facts.hasShortLists || mayBePage(target, list)
      ? undefined
      : { why: 'the list leaves out the tag', exchange: list };
  const listed =
    list === undefined ? undefined : listedIn(list)?.find(({ tagId }) => tagId === created.tagId);
  const isNamed =
    typeof created.name !== 'string' ||
    listed === undefined ||
    (typeof listed.name === 'string' && isFormOf(listed.name, created.name));
  const misnamed =
    isNamed || list === undefined
      ? undefined
      : { why: 'the list shows the tag with another name than the create', exchange: list };
  return (
    oddList ??
    misnamed ??
    isOdd(rename, 200, spec.bodies.message) ??
    isOdd(refused, 422, spec.bodies.validation) ??
    isOdd(remove, 200, spec.bodies.message) ??
    (again !== undefined && statusOf(again) === 404 ? isOdd(again, 404, spec.bodies.message) : undefined) ??
    missing
  );
}

/** The habit that causes the odd answer, if one alone does. */
async function blamed(
  target: Target,
  habits: readonly (readonly [string, RequestOverrides])[],
): Promise<string | undefined> {
  for (const [habit, overrides] of habits) {
    await target.removeTags();
    const odd = await ifDecided(() => firstOdd(target, overrides));
    if (odd !== undefined) return habit;
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
    'Accept-Encoding and Accept-Language state preferences (RFC 9110, 12.5), Connection is about the connection (7.6.1), Cache-Control: no-cache asks for no old answer (RFC 9111, 5.2.1.4), a cookie that the service did not set is no credential (section 5), and field names are case-insensitive (RFC 9110, 5.1): none changes the form of the bodies in section 4.',
  text: 'Answers have the same form if the client accepts compression, prefers another language, writes header names in small letters, closes the connection afterwards, asks for no cached answer, and sends a cookie that the service did not set.',
  cause:
    'Answers are compressed twice or cut off, a message has no translation, headers are looked up by an exact spelling, or a cookie counts before the token.',
  tags: 2,
  check: async (target): Promise<Outcome> => {
    const habits = await habitsOf(target);
    const together = all(habits.map(([, overrides]) => overrides));
    const odd = await firstOdd(target, together);
    if (odd === undefined) return holds();
    await target.removeTags();
    const usual = await firstOdd(target);
    if (usual !== undefined)
      return undecided('failure', 'the same requests are not answered as usual either', usual.exchange);
    const habit = await blamed(target, habits);
    if (habit === undefined) {
      await target.removeTags();
      // Unless one habit is the cause, the first answer may have had another reason.
      if ((await firstOdd(target, together)) === undefined)
        return undecided('failure', 'the same requests are answered as usual the next time', odd.exchange);
    }
    const given = habit ?? habits.map(([name]) => name).join(', ');
    return broken(`${odd.why}, to a request with ${given}`, odd.exchange);
  },
};
