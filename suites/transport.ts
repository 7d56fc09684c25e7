import {
  accepted,
  broken,
  type Exchange,
  header,
  holds,
  listedIn,
  type Position,
  type RequestOverrides,
  type Requirement,
  statusOf,
  type Suite,
  type Target,
  undecided,
  whatCame,
} from '../lib/check.ts';
import { wrongPassword } from './login.ts';
import { isGiven, tour } from './tour.ts';

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether a host is this machine, which no network lies in front of. */
export const isLoopback = (url: URL): boolean => LOOPBACK.test(url.hostname);

const JSON_TYPE = 'application/json';

/** Headers that mean the same as those of section 5. */
const NEIGHBOURS: readonly {
  readonly id: string;
  /** Completes "A request …". */
  readonly what: string;
  readonly sentence: Position;
  readonly headers: Readonly<Record<string, string>>;
  readonly cause: string;
}[] = [
  {
    id: 'accept-with-weights',
    what: 'whose Accept allows other types beside JSON',
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

const lower = (name: string): string => name.toLowerCase();
const upper = (name: string): string => name.toUpperCase();

/** Lists and updates a tag with the names of headers written so; returns the first exchange that had no effect. */
async function listAndUpdate(
  target: Target,
  spelling: RequestOverrides['spelling'],
): Promise<Exchange | undefined> {
  const departure = spelling === undefined ? undefined : { spelling };
  const tag = await target.makeTag();
  const list = await target.list(undefined, departure);
  const filtered = await target.list(tag.name, departure);
  const isListed = [list, filtered].some(
    (one) => listedIn(one)?.some(({ tagId }) => tagId === tag.tagId) === true,
  );
  if (!isListed) return filtered;
  const name = target.name();
  const update = await target.rename(tag.tagId, { name }, departure);
  const { good } = await target.untilListed(tag.tagId, name, tag.name);
  return accepted(update) && good ? undefined : update;
}

/** Makes sure that each kind of answer has been given in this run, so that `watch` has something to look at. */
const afterTour: Requirement['check'] = async (target) => {
  await tour(target);
  return holds();
};

const afterWholeTour: Requirement['check'] = async (target) => {
  await tour(target);
  await wrongPassword(target);
  return holds();
};

export const transport: Suite = {
  topic: 'transport',
  requirements: [
    {
      id: 'transport/https',
      section: '1',
      sentences: ['1/json-over-https', '1/https', '5/https'],
      level: 'required',
      text: 'The service is reached over HTTPS, and sends nobody away from it.',
      check: async (target) => {
        if (target.settings.base.protocol === 'https:') return afterTour(target);
        return isLoopback(target.settings.base) || target.settings.allowsHttp
          ? undecided('tester', 'the target was given with a plain http address')
          : broken(`the address is ${target.settings.base.protocol}//, not https://`);
      },
      watch: (exchange) => {
        const location = exchange.answer === undefined ? undefined : header(exchange.answer, 'location');
        return isRedirect(exchange) && location?.startsWith('http://') === true
          ? `${whatCame(exchange)} with a Location that is plain http, not https`
          : undefined;
      },
    },
    {
      id: 'transport/certificate',
      section: '1',
      sentences: ['1/json-over-https', '1/https', '5/https'],
      level: 'derived',
      derivation:
        'HTTPS (1, 5) means a server that the client has authenticated by its certificate (RFC 9110, 4.3.4).',
      text: 'The certificate of the target verifies.',
      check: async (target) => {
        if (target.settings.base.protocol !== 'https:')
          return undecided('tester', 'the target was given with a plain http address');
        const first = await target.list(target.name());
        return first.failure === undefined ? holds() : undecided('failure', first.failure.message, first);
      },
      watch: ({ failure }) =>
        failure?.kind === 'untrusted' ? `was not sent: ${failure.message}` : undefined,
    },
    {
      id: 'transport/json',
      section: '4',
      sentences: ['1/json-over-https', '4/json-accepted', '5/accept-purpose'],
      level: 'required',
      when: 'logins',
      text: 'Each answer whose body section 4 gives is well-formed JSON in UTF-8 without a byte order mark.',
      check: afterWholeTour,
      watch: (exchange) => {
        const problem = exchange.answer?.json.problem;
        return isGiven(exchange) && problem !== undefined
          ? `${whatCame(exchange)}, but ${problem}`
          : undefined;
      },
    },
    {
      id: 'transport/media-type',
      section: '5',
      sentences: ['4/json-accepted', '5/accept-purpose'],
      level: 'derived',
      derivation:
        'Responses are JSON (5), and Content-Type states the media type of the content (RFC 9110, 8.3).',
      when: 'logins',
      text: 'Where an answer whose body section 4 gives names its media type, it is JSON.',
      check: afterWholeTour,
      watch: (exchange) => {
        const type = mediaType(exchange);
        return isGiven(exchange) &&
          type !== undefined &&
          !/^(application\/json|[^/]+\/[^/]+\+json)$/.test(type)
          ? `${whatCame(exchange)} with JSON promised, but Content-Type names ${type}`
          : undefined;
      },
    },
    {
      id: 'transport/media-type-named',
      section: '5',
      sentences: ['4/json-accepted', '5/accept-purpose'],
      level: 'advisory',
      when: 'logins',
      text: 'Each answer whose body section 4 gives names its media type.',
      check: afterWholeTour,
      watch: (exchange) =>
        isGiven(exchange) && mediaType(exchange) === undefined
          ? `${whatCame(exchange)} with a body, but without Content-Type`
          : undefined,
    },
    {
      id: 'transport/no-server-error',
      section: '7',
      sentences: ['7/errors'],
      level: 'advisory',
      when: 'logins',
      text: 'Nothing that the suite sends is answered with a 5xx status.',
      check: async (target) => {
        await target.list(undefined, { token: 'none' });
        return afterWholeTour(target);
      },
      watch: (exchange) => (statusOf(exchange) >= 500 ? whatCame(exchange) : undefined),
    },
    {
      id: 'transport/framing',
      section: '1',
      sentences: ['1/json-over-https'],
      level: 'derived',
      derivation:
        'HTTP (1) means messages whose length and coding are what their headers say (RFC 9110, 8.4 and 8.6; RFC 9112, 6).',
      text: 'The lengths and codings that answers state are those of their content.',
      cause:
        'A proxy or a filter changes the content, or compresses it, and leaves the headers as they were.',
      check: async (target) => {
        await target.list(undefined, { headers: { 'Accept-Encoding': 'gzip, deflate, br' } });
        return afterTour(target);
      },
      watch: ({ answer, failure }) =>
        answer?.framing ?? (failure?.kind === 'malformed' ? failure.message : undefined),
    },
    {
      id: 'transport/header-case',
      effort: 'standard',
      section: '5',
      sentences: ['5/content-type-value', '5/accept-value', '5/authorization-value'],
      level: 'derived',
      derivation: 'Field names are case-insensitive (RFC 9110, 5.1).',
      text: 'The names of headers mean the same in any letter case.',
      cause: 'Headers are looked up in a map by the name as it was sent.',
      tags: 3,
      check: async (target) => {
        for (const [spelling, written] of [
          ['lower', lower],
          ['upper', upper],
        ] as const) {
          const odd = await listAndUpdate(target, written);
          if (odd === undefined) continue;
          const usual = await listAndUpdate(target, undefined);
          if (usual !== undefined)
            return undecided('failure', 'the same requests fare no better with names as usual', usual);
          return broken(
            `${whatCame(odd)}, without the effect that it has otherwise, where the names of the headers are in ${spelling} case`,
            odd,
          );
        }
        return holds();
      },
    },
    ...NEIGHBOURS.map(({ id, what, sentence, headers, cause }): Requirement => ({
      id: `transport/${id}`,
      effort: 'standard',
      section: '5',
      sentences: [sentence],
      level: 'advisory',
      text: `A request ${what} is answered as usual.`,
      cause,
      tags: 1,
      check: async (target) => {
        const pair = await Promise.all([
          target.create({ name: target.name() }, { headers }),
          target.list(undefined, { headers: { Accept: headers['Accept'] ?? JSON_TYPE } }),
        ]);
        const refused = pair.find((exchange) => !accepted(exchange));
        if (refused === undefined) return holds();
        const { operations } = await tour(target);
        const twin = operations.find(({ ask }) => ask.operation === refused.ask.operation);
        return twin === undefined || !accepted(twin)
          ? undecided(
              'failure',
              `the ${refused.ask.operation} does not work with the usual headers either`,
              refused,
            )
          : broken(`${whatCame(refused)} to a request ${what}`, refused, twin);
      },
    })),
    {
      id: 'transport/not-redirected',
      section: '9',
      sentences: ['1/base-address', '4.1/path', '4.2/path', '4.3/path', '4.4/path', '4.5/path', '9/prefix'],
      level: 'required',
      text: 'An authorised, well-formed request below /api/v2 is answered there, not redirected.',
      check: async (target) => {
        const { exchanges } = await tour(target);
        const elsewhere = exchanges.find((exchange) => [405, 410, 501].includes(statusOf(exchange)));
        return elsewhere === undefined
          ? holds()
          : broken(`${whatCame(elsewhere)}, as if the operation were not there`, elsewhere);
      },
      watch: (exchange) => {
        // 302 is what section 4.1 gives as the answer to wrong credentials.
        const told = exchange.ask.operation === 'login' && statusOf(exchange) === 302;
        return exchange.ask.regular && isRedirect(exchange) && !told
          ? `${whatCame(exchange)}, a redirect`
          : undefined;
      },
    },
  ],
};

const isRedirect = (exchange: Exchange): boolean => [301, 302, 303, 307, 308].includes(statusOf(exchange));

function mediaType({ answer }: Exchange): string | undefined {
  const value = answer === undefined ? undefined : header(answer, 'content-type');
  const type = value?.split(';')[0]?.trim().toLowerCase();
  return type === '' ? undefined : type;
}
