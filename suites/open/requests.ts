import { z } from 'zod';
import {
  accepted,
  createdIn,
  type Exchange,
  open,
  RawBody,
  type Target,
  Undecided,
  whatCame,
} from '../../lib/check.ts';
import { NO_OBJECTS, noObject } from '../create/no-object.ts';
import { status, statuses, statusesOf, statusIn, tellStatus, tellStatuses } from './answers.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Departures from the headers of section 5, each by the name that it has in the answer. */
const DEPARTURES = {
  noAccept: 'without Accept',
  acceptHtml: 'with Accept: text/html',
  noContentType: 'create without Content-Type',
  textContentType: 'create with Content-Type: text/plain',
  contentTypeOnList: 'list with Content-Type',
  noContentTypeOnList: 'list without Content-Type',
  contentTypeOnDelete: 'delete with Content-Type',
  noContentTypeOnDelete: 'delete without Content-Type',
} as const;
type DepartureName = keyof typeof DEPARTURES;
const DEPARTURE_NAMES = Object.keys(DEPARTURES) as DepartureName[];

export const headers = open({
  id: 'open/headers',
  section: '5',
  sentences: ['5/content-type-required', '5/accept-required'],
  text: 'How are requests answered that depart from the headers of section 5?',
  key: 'headers',
  answers: z.object(
    Object.fromEntries(DEPARTURE_NAMES.map((name) => [name, status])) as Record<DepartureName, typeof status>,
  ),
  tags: 4,
  tell: (answer) => {
    const refused = DEPARTURE_NAMES.filter((name) => answer[name] !== 200);
    return refused.length === 0
      ? 'Requests that depart from the headers of section 5 are answered 200.'
      : `Of departures from the headers of section 5 these are not answered 200: ${refused.map((name) => `${DEPARTURES[name]} (${tellStatus(answer[name])})`).join(', ')}.`;
  },
  ask: async (target) => {
    const [one, other] = await Promise.all([target.makeTag(), target.makeTag()]);
    const create = (change: Record<string, string | null>): Promise<Exchange> =>
      target.create({ name: target.name() }, { headers: change });
    const list = (change: Record<string, string | null>): Promise<Exchange> =>
      target.list(one.name, { headers: change });
    const asked: Record<DepartureName, Promise<Exchange>> = {
      noAccept: list({ Accept: null }),
      acceptHtml: list({ Accept: 'text/html' }),
      noContentType: create({ 'Content-Type': null }),
      textContentType: create({ 'Content-Type': 'text/plain' }),
      contentTypeOnList: list(JSON_TYPE),
      noContentTypeOnList: list({ 'Content-Type': null }),
      contentTypeOnDelete: target.delete(one.tagId, { headers: JSON_TYPE }),
      noContentTypeOnDelete: target.delete(other.tagId, { headers: { 'Content-Type': null } }),
    };
    const exchanges = await Promise.all(DEPARTURE_NAMES.map((name) => asked[name]));
    return {
      answer: Object.fromEntries(
        DEPARTURE_NAMES.map((name, at) => [
          name,
          exchanges[at] === undefined ? 'no answer' : statusIn(exchanges[at]),
        ]),
      ) as Record<DepartureName, z.infer<typeof status>>,
      exchanges,
    };
  },
});

export const malformedBody = open({
  id: 'open/malformed-body',
  section: '4.2',
  sentences: ['4.2/body'],
  text: 'How is a create answered whose body is no JSON object?',
  key: 'malformedBody',
  answers: statuses,
  tell: (answer) => `A create whose body is no JSON object is answered ${tellStatuses(answer)}.`,
  ask: async (target) => {
    const rows = await Promise.all(
      NO_OBJECTS.map(
        async ({ id }) =>
          [id.replace('body-', '').replace('-', ' '), (await noObject(target, id)).exchange] as const,
      ),
    );
    const invalid = await target.shared('create invalid UTF-8', 1, (shared) => {
      // What readers of UTF-8 make of a byte that is none (Unicode, 3.9).
      const name = shared.names.endingIn('\uFFFD');
      const start = Buffer.from(`{"name":"${name.slice(0, -1)}`);
      const bytes = Buffer.concat([start, Buffer.of(0xff), Buffer.from('"}')]);
      return shared.create(new RawBody(bytes), { open: true }, [name]);
    });
    return {
      answer: statusesOf([...rows, ['invalid UTF-8', invalid]]),
      exchanges: [...rows.map(([, exchange]) => exchange), invalid],
    };
  },
});

export const doubledMembers = open({
  id: 'open/doubled-members',
  section: '4.2',
  sentences: ['4.2/body'],
  text: 'Which name counts where a body has two?',
  key: 'doubledMembers',
  answers: z.union([z.enum(['first', 'last', 'another']), status]),
  tags: 1,
  tell: (answer) =>
    answer === 'first' || answer === 'last'
      ? `Of two members called name the ${answer} one counts.`
      : answer === 'another'
        ? 'Of two members called name neither counts.'
        : `A body with two members called name is answered ${tellStatus(answer)}.`,
  ask: async (target) => {
    const first = target.name();
    const last = target.names.extended(first);
    const body = new RawBody(`{"name":${JSON.stringify(first)},"name":${JSON.stringify(last)}}`);
    const exchange = await target.create(body, { open: true }, [first, last]);
    if (!accepted(exchange)) return { answer: statusIn(exchange), exchanges: [exchange] };
    const name = createdIn(exchange)?.name;
    return {
      answer: name === first ? ('first' as const) : name === last ? ('last' as const) : ('another' as const),
      exchanges: [exchange],
    };
  },
});

/**
 * Between which of these sizes a limit lies: the greatest first, then by halves.
 *
 * @param ask asks with that size, and returns what shows whether it is accepted.
 */
async function limit(
  sizes: readonly number[],
  unit: string,
  ask: (size: number) => Promise<Exchange>,
): Promise<{ answer: string; exchanges: readonly Exchange[] }> {
  const exchanges: Exchange[] = [];
  const fits = async (at: number): Promise<boolean> => {
    const exchange = await ask(sizes[at] ?? 0);
    exchanges.push(exchange);
    return accepted(exchange);
  };
  if (await fits(sizes.length - 1)) return { answer: 'not met', exchanges };
  let [low, high] = [-1, sizes.length - 1];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await fits(middle)) low = middle;
    else high = middle;
  }
  const most = sizes[high] ?? 0;
  return { answer: low < 0 ? `under ${most} ${unit}` : `${sizes[low]} to ${most} ${unit}`, exchanges };
}

const tellLimit = (what: string, answer: string): string =>
  answer === 'not met' ? `No limit to ${what} was met.` : `The limit to ${what} is ${answer}.`;

export const bodyLimit = open({
  id: 'open/body-limit',
  section: '8',
  sentences: ['8/size'],
  text: 'How large may a body be?',
  key: 'bodyLimit',
  answers: z.string(),
  tags: 4,
  tell: (answer) => tellLimit('the size of a body', answer),
  ask: (target) =>
    limit([8, 16, 64, 100, 256, 1_000], 'KB', (size) => {
      const name = target.name();
      // White space makes no difference to what a body means (RFC 8259, 2).
      const body = `{"name":${JSON.stringify(name)}${' '.repeat(size * 1_024)}}`;
      return target.create(new RawBody(body), { open: true }, [name]);
    }),
});

export const queryLimit = open({
  id: 'open/query-limit',
  section: '8',
  sentences: ['8/size'],
  text: 'How long may a query be?',
  key: 'queryLimit',
  answers: z.string(),
  tell: (answer) => tellLimit('the length of a query', answer),
  ask: async (target) => {
    const short = await target.list({ query: `tag=${target.name()}` });
    if (!accepted(short))
      throw new Undecided('failure', `a list with a short query ${whatCame(short)}`, short);
    return limit([1_500, 2_000, 4_000, 7_000, 15_000], 'bytes', (size) =>
      target.list({ query: `tag=${target.name()}${'x'.repeat(size)}` }),
    );
  },
});

/** Read at the end of the run, from what the others met with. */
const afterAll = async (target: Target): Promise<void> => target.othersDone;

export const rateLimit = open({
  id: 'open/rate-limit',
  section: '8',
  sentences: ['8/rate'],
  when: 'throughout',
  text: 'Is the target throttled?',
  key: 'rateLimit',
  answers: z.enum(['met', 'not met']),
  // How fast a run asks is not the target's doing.
  gates: false,
  tell: (answer) =>
    answer === 'met' ? 'The target asked to be asked more slowly.' : 'No rate limit was met.',
  ask: async (target) => {
    await afterAll(target);
    return {
      answer: target.signs('throttled').length > 0 ? ('met' as const) : ('not met' as const),
      exchanges: [],
    };
  },
});

export const readAfterWrite = open({
  id: 'open/read-after-write',
  section: '4',
  sentences: ['4/json-accepted'],
  when: 'throughout',
  text: 'Does what was acknowledged show in the next read?',
  key: 'readAfterWrite',
  answers: z.enum(['at once', 'late']),
  tell: (answer) => `What was acknowledged shows ${answer}.`,
  ask: async (target) => {
    await afterAll(target);
    const late = target.signs('late-effect').flatMap(({ exchanges }) => exchanges);
    return {
      answer: late.length === 0 ? ('at once' as const) : ('late' as const),
      exchanges: late.slice(0, 3),
    };
  },
});
