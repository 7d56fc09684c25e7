import {
  answers,
  broken,
  type Exchange,
  holds,
  holdsWithWarning,
  type Outcome,
  type Requirement,
  statusOf,
  type Suite,
  type Target,
  undecided,
  whatCame,
} from '../lib/check.ts';
import { wrongPassword } from './login/wrong-logins.ts';
import { isGiven, listWithoutToken, tour } from './tour.ts';
import { connectionsKeepNothing } from './transport/connections.ts';
import { clientHeaders } from './transport/client-headers.ts';
import { headerForms } from './transport/headers.ts';
import { messageBodies } from './transport/message-bodies.ts';
import { worksToTheEnd } from './transport/to-the-end.ts';

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether a host is this machine. */
export const isLoopback = (url: URL): boolean => LOOPBACK.test(url.hostname);

/** Gets an answer of each kind except a refused login, for `watch` to look at. */
const afterTour: Requirement['check'] = async (target) => {
  await tour(target);
  return holds();
};

/** The same, with a refused login. */
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
      text: 'The service is reached over HTTPS, and redirects nobody to plain HTTP.',
      cause: 'The base address or a redirect, often one that a proxy makes, is plain HTTP.',
      when: 'logins',
      check: async (target) => {
        if (target.settings.base.protocol === 'https:') return leadsNobodyToHttp(target);
        return isLoopback(target.settings.base) || target.settings.allowsHttp
          ? undecided('tester', 'the target was given with a plain http address')
          : broken(`the address is ${target.settings.base.protocol}//, not https://`);
      },
      watch: (exchange) => {
        return exchange.ask.regular &&
          isRedirect(exchange) &&
          !isRefusedLogin(exchange) &&
          leadsToHttp(exchange)
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
        'HTTPS (1, 5) means that the client authenticates the server by its certificate (RFC 9110, 4.3.4).',
      text: 'The certificate of the target is valid.',
      cause:
        'The certificate is self-signed, expired or for another host, or an intermediate certificate is missing.',
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
      cause: 'A proxy or a framework answers with a page of its own, or the JSON is put together by hand.',
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
      text: 'If an answer whose body section 4 gives names a media type, the media type is JSON.',
      cause: 'The framework sends its default media type, because the answer is written as text.',
      check: afterWholeTour,
      watch: (exchange) => {
        const type = mediaType(exchange);
        return isGiven(exchange) &&
          type !== undefined &&
          !/^(application\/json|[^/]+\/[^/]+\+json)$/.test(type)
          ? `${whatCame(exchange)}, but Content-Type names ${type}, not JSON`
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
      cause: 'The answer is written as bytes, for which the framework names no type.',
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
      cause: 'An exception for unexpected input is not caught.',
      check: async (target) => {
        await listWithoutToken(target);
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
        'In HTTP (1) the headers of a message state its length and coding (RFC 9110, 8.4 and 8.6; RFC 9112, 6), and a client that reads more must not take it for another answer (6.3).',
      text: 'The length and the coding that an answer states are those of its content, and nothing follows it.',
      cause:
        'Content-Length counts characters, not bytes, or a proxy or a filter changes the content, but not the headers.',
      check: async (target) => {
        await target.list(undefined, { headers: { 'Accept-Encoding': 'gzip, deflate, br' } });
        return afterTour(target);
      },
      watch: (exchange) => {
        const { answer, failure } = exchange;
        if (answer?.framing !== undefined) return `${whatCame(exchange)}, and ${answer.framing}`;
        return failure?.kind === 'malformed' ? whatCame(exchange) : undefined;
      },
      signs: ['unasked-bytes'],
    },
    ...headerForms,
    clientHeaders,
    ...messageBodies,
    connectionsKeepNothing,
    worksToTheEnd,
    {
      id: 'transport/not-redirected',
      section: '9',
      sentences: ['1/base-address', '4.1/path', '4.2/path', '4.3/path', '4.4/path', '4.5/path', '9/prefix'],
      level: 'required',
      text: 'An authorised, well-formed request below /api/v2 is answered there, not redirected.',
      cause:
        'The router redirects to a path with or without a slash at its end, or does not know the method.',
      check: async (target) => {
        const { operations } = await tour(target);
        const elsewhere = operations.find((exchange) => [405, 410, 501].includes(statusOf(exchange)));
        return elsewhere === undefined
          ? holds()
          : broken(`${whatCame(elsewhere)}, as if the operation did not exist`, elsewhere);
      },
      watch: (exchange) => {
        return exchange.ask.regular && isRedirect(exchange) && !isRefusedLogin(exchange)
          ? `${whatCame(exchange)}, a redirect`
          : undefined;
      },
    },
  ],
};

/** Clients do not follow the Location of a refusal, so plain http there is only a warning. */
async function leadsNobodyToHttp(target: Target): Promise<Outcome> {
  await tour(target);
  const refusals = [(await wrongPassword(target)).refused, await listWithoutToken(target)];
  const found = refusals.find(leadsToHttp);
  return found === undefined
    ? holds()
    : holdsWithWarning(`${whatCame(found)} with a Location that is plain http, not https`, found);
}

const leadsToHttp = ({ answer }: Exchange): boolean =>
  answer !== undefined && answers.header(answer, 'location')?.toLowerCase().startsWith('http://') === true;

/** 302 is what section 4.1 gives as the answer to wrong credentials. */
const isRefusedLogin = (exchange: Exchange): boolean =>
  exchange.ask.operation === 'login' && statusOf(exchange) === 302;

const isRedirect = (exchange: Exchange): boolean => [301, 302, 303, 307, 308].includes(statusOf(exchange));

function mediaType({ answer }: Exchange): string | undefined {
  const value = answer === undefined ? undefined : answers.header(answer, 'content-type');
  const type = value?.split(';')[0]?.trim().toLowerCase();
  return type === '' ? undefined : type;
}
