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
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { listUntil, mayBePage, shows } from '../listed-tags.ts';
import { isFormOf } from '../names/kept-form.ts';
import { variedLetters } from '../names/sizes.ts';
import { longestAccepted } from '../open/name-length.ts';
import { refusedNames } from '../open/names.ts';
import { tour } from '../tour.ts';

/** Headers that mean the same as those of section 5. */
const EQUIVALENT: readonly {
  readonly id: string;
  /** Completes "A request …". */
  readonly what: string;
  readonly sentence: Requirement['sentences'][number];
  readonly headers: Readonly<Record<string, string>>;
  readonly cause: string;
}[] = [
  {
    id: 'accept-with-weights',
    what: 'whose Accept allows other types besides JSON',
    sentence: '5/accept-value',
    headers: { Accept: 'application/json, */*;q=0.8' },
    cause: 'Accept is compared as a whole with application/json.',
  },
  {
    id: 'content-type-with-charset',
    what: 'whose Content-Type names the charset',
    sentence: '5/content-type-value',
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    cause: 'Content-Type is compared as a whole with application/json.',
  },
];

/** Code that compares header names with one or two usual spellings does not read these. */
const IN_CAPITALS: RequestOverrides = { spelling: (name) => name.toUpperCase() };

/** Code that knows three usual spellings does not read these. */
const IN_MIXED_CASE: RequestOverrides = {
  spelling: (name) =>
    [...name].map((char, at) => (at % 2 === 0 ? char.toLowerCase() : char.toUpperCase())).join(''),
};

/** HTTP/2 and many clients write header names like this. */
const IN_SMALL_LETTERS: RequestOverrides = { spelling: (name) => name.toLowerCase() };

/**
 * Sends each operation, with unusual header names if `isOdd`. Returns the first exchange that has no effect, if any.
 */
async function useSpelled(target: Target, isOdd: boolean): Promise<Exchange | undefined> {
  const [capitals, mixed] = isOdd ? [IN_CAPITALS, IN_MIXED_CASE] : [];
  const [before, name] = [target.name(), target.name()];
  const create = await target.create({ name: before }, capitals);
  const created = createdIn(create);
  if (created === undefined) return create;
  const { tagId } = created;
  // The lists that wait for the tag use this spelling as well.
  const { list, good } = await listUntil(target, (one) => shows(one, created), {
    filter: before,
    ...(capitals === undefined ? {} : { overrides: capitals }),
  });
  if (!good) return list;
  const update = await target.rename(tagId, { name }, capitals);
  if (!accepted(update)) return update;
  const last = await target.list(name, mixed);
  if (!accepted(last)) return last;
  const remove = await target.delete(tagId, capitals);
  return accepted(remove) ? undefined : remove;
}

/** Sends a create with these headers, and a list with those that it may have. */
const sendWith = (target: Target, headers: Readonly<Record<string, string>>): Promise<readonly Exchange[]> =>
  Promise.all([
    target.create({ name: target.name() }, { headers }),
    ...('Accept' in headers ? [target.list(undefined, { headers })] : []),
  ]);

/** The same with all headers that mean the same as those of section 5, sent once in a run. */
const withAllEquivalent = (target: Target): Promise<readonly Exchange[]> =>
  target.shared('equivalent headers', 1, (shared) =>
    sendWith(shared, Object.fromEntries(EQUIVALENT.flatMap(({ headers }) => Object.entries(headers)))),
  );

/** Requirements about other ways to write the headers of section 5. */
export const headerForms: readonly Requirement[] = [
  {
    id: 'transport/header-case',
    effort: 'standard',
    section: '5',
    sentences: ['5/content-type-value', '5/accept-value', '5/authorization-value'],
    level: 'derived',
    derivation: 'Field names are case-insensitive (RFC 9110, 5.1).',
    text: 'Header names mean the same in any letter case.',
    cause: 'Headers are looked up by the exact spelling that was sent.',
    tags: 2,
    check: async (target) => {
      if ((await useSpelled(target, true)) === undefined) return holds();
      const usual = await useSpelled(target, false);
      if (usual !== undefined)
        return undecided(
          'failure',
          'the same requests do not work with the usual header names either',
          usual,
        );
      // The first failure may have had another reason, such as a quota or an ended token.
      const odd = await useSpelled(target, true);
      return odd === undefined
        ? holds()
        : broken(
            `${whatCame(odd)}, but without the usual effect, when the header names are not in their usual letter case`,
            odd,
          );
    },
  },
  ...EQUIVALENT.map(({ id, what, sentence, headers, cause }): Requirement => ({
    id: `transport/${id}`,
    effort: 'standard',
    section: '5',
    sentences: [sentence],
    level: 'advisory',
    text: `A request ${what} is answered as usual.`,
    cause,
    tags: 1,
    check: async (target) => {
      if ((await withAllEquivalent(target)).every(accepted)) return holds();
      const pair = await sendWith(target, headers);
      const refused = pair.find((exchange) => !accepted(exchange));
      if (refused === undefined) return holds();
      const { operations } = await tour(target);
      const twin = operations.find(({ ask }) => ask.operation === refused.ask.operation);
      return twin === undefined || !accepted(twin)
        ? undecided(
            'failure',
            `the ${spec.nameOf(refused.ask.operation)} does not work with the usual headers either`,
            refused,
          )
        : broken(`${whatCame(refused)} to a request ${what}`, refused, twin);
    },
  })),
];

/** An answer that differs from section 4. */
interface Odd {
  readonly why: string;
  readonly exchange: Exchange;
}

/** What browsers and libraries do with the headers of a request, by its description. Nothing of it changes the answers of section 4. */
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
