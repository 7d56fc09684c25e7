import { z } from 'zod';
import { accepted, answers, type Exchange, spec, statusOf } from '../../lib/check.ts';

/** The status of an answer, or `no answer`. */
export const status = z.union([z.int().min(100).max(999), z.literal('no answer')]);
export type Status = z.infer<typeof status>;

export const statusIn = (exchange: Exchange): Status => {
  const number = statusOf(exchange);
  return number === 0 ? 'no answer' : number;
};

/** `accepted`, or the status of the refusal. */
export const acceptance = z.union([z.literal('accepted'), status]);
export type Acceptance = z.infer<typeof acceptance>;

export const acceptanceIn = (exchange: Exchange): Acceptance =>
  accepted(exchange) ? 'accepted' : statusIn(exchange);

/**
 * One status if all cases have the same; otherwise each case with its status, or with its statuses if it has several.
 */
export const statuses = z.union([status, z.record(z.string(), z.union([status, z.array(status)]))]);
export type Statuses = z.infer<typeof statuses>;

/** The statuses of the answers, by case. A case may appear several times. */
export function statusesOf(cases: readonly (readonly [name: string, exchange: Exchange])[]): Statuses {
  const all = distinct(cases.map(([, exchange]) => statusIn(exchange)));
  const [only] = all;
  if (all.length === 1 && only !== undefined) return only;
  const names = [...new Set(cases.map(([name]) => name))];
  return Object.fromEntries(
    names.map((name) => {
      const own = distinct(cases.filter(([other]) => other === name).map(([, one]) => statusIn(one)));
      const [first] = own;
      return [name, own.length === 1 && first !== undefined ? first : own];
    }),
  );
}

const distinct = (all: readonly Status[]): Status[] =>
  [...new Set(all)].toSorted((one, other) => (String(one) < String(other) ? -1 : 1));

/** Statuses as text, to follow "answered": `401`, or `400 (empty, cut short), 422 (array)`. */
export function describeStatuses(answer: Statuses): string {
  if (typeof answer !== 'object') return describeStatus(answer);
  const cases = Object.entries(answer).map(([name, own]) => ({
    name,
    own: Array.isArray(own) ? own.join(' or ') : describeStatus(own),
  }));
  return [...new Set(cases.map(({ own }) => own))]
    .map((own) => {
      const names = cases.filter((one) => one.own === own).map(({ name }) => name);
      return `${own} (${names.join(', ')})`;
    })
    .join(', ');
}

/** A status as text, to follow "answered". */
export const describeStatus = (answer: Status): string =>
  answer === 'no answer' ? 'not at all' : String(answer);

/** An acceptance as text, to follow "is". */
export const describeAcceptance = (answer: Acceptance): string =>
  answer === 'accepted' ? 'accepted' : `refused with ${describeStatus(answer)}`;

/** The kind of body that one or several answers have. */
export const bodyKind = z.enum(['message', 'other JSON', 'HTML', 'text', 'empty', 'several kinds']);
export type BodyKind = z.infer<typeof bodyKind>;

export function bodyKindOf(exchanges: readonly Exchange[]): BodyKind {
  const kinds = new Set(exchanges.map(kindOf));
  const [kind] = kinds;
  return kinds.size === 1 && kind !== undefined ? kind : 'several kinds';
}

function kindOf(exchange: Exchange): BodyKind {
  if (typeof answers.member(exchange, 'message') === 'string') return 'message';
  if (exchange.answer?.json.value !== undefined) return 'other JSON';
  const text = new TextDecoder().decode(exchange.answer?.bytes).trim();
  return text === '' ? 'empty' : text.startsWith('<') ? 'HTML' : 'text';
}

/** The statuses of the answers, by operation. */
export const byOperation = (exchanges: readonly Exchange[]): Statuses =>
  statusesOf(exchanges.map((exchange) => [spec.nameOf(exchange.ask.operation), exchange]));
