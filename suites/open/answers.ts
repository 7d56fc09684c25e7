import { z } from 'zod';
import { accepted, type Exchange, jsonOf, statusOf } from '../../lib/check.ts';

/** A status, or that no answer came. */
export const status = z.union([z.int().min(100).max(999), z.literal('no answer')]);
export type Status = z.infer<typeof status>;

export const statusIn = (exchange: Exchange): Status => {
  const came = statusOf(exchange);
  return came === 0 ? 'no answer' : came;
};

/** That something was accepted, or the status of its refusal. */
export const acceptance = z.union([z.literal('accepted'), status]);
export type Acceptance = z.infer<typeof acceptance>;

export const acceptanceIn = (exchange: Exchange): Acceptance =>
  accepted(exchange) ? 'accepted' : statusIn(exchange);

/** A status, or one for each case where they differ; several where one case has more than one. */
export const statuses = z.union([status, z.record(z.string(), z.union([status, z.array(status)]))]);
export type Statuses = z.infer<typeof statuses>;

/** What each case was answered, in brief. */
export function statusesOf(cases: readonly (readonly [name: string, exchange: Exchange])[]): Statuses {
  const all = distinct(cases.map(([, exchange]) => statusIn(exchange)));
  const [only] = all;
  if (all.length === 1 && only !== undefined) return only;
  const names = [...new Set(cases.map(([name]) => name))];
  return Object.fromEntries(
    names.map((name) => {
      const own = distinct(cases.filter(([other]) => other === name).map(([, one]) => statusIn(one)));
      return [name, own.length === 1 && own[0] !== undefined ? own[0] : own];
    }),
  );
}

const distinct = (all: readonly Status[]): Status[] =>
  [...new Set(all)].toSorted((one, other) => (String(one) < String(other) ? -1 : 1));

/** `401`, or `400 (empty, cut short), 422 (array)`. */
export function tellStatuses(answer: Statuses): string {
  if (typeof answer !== 'object') return tellStatus(answer);
  const cases = Object.entries(answer).map(([name, own]) => ({
    name,
    own: Array.isArray(own) ? own.join(' or ') : tellStatus(own),
  }));
  return [...new Set(cases.map(({ own }) => own))]
    .map((own) => {
      const names = cases.filter((one) => one.own === own).map(({ name }) => name);
      return `${own} (${names.join(', ')})`;
    })
    .join(', ');
}

export const tellStatus = (answer: Status): string =>
  answer === 'no answer' ? 'not at all' : String(answer);

export const tellAcceptance = (answer: Acceptance): string =>
  answer === 'accepted' ? 'accepted' : `refused with ${tellStatus(answer)}`;

/** The kind of a body. */
export const bodyKind = z.enum(['message', 'other JSON', 'HTML', 'text', 'empty', 'several kinds']);
export type BodyKind = z.infer<typeof bodyKind>;

export function bodyKindOf(exchanges: readonly Exchange[]): BodyKind {
  const kinds = new Set(exchanges.map(kindOf));
  const [kind] = kinds;
  return kinds.size === 1 && kind !== undefined ? kind : 'several kinds';
}

function kindOf(exchange: Exchange): BodyKind {
  const value = jsonOf(exchange);
  if (typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string')
    return 'message';
  if (value !== undefined) return 'other JSON';
  const text = new TextDecoder().decode(exchange.answer?.bytes).trim();
  return text === '' ? 'empty' : text.startsWith('<') ? 'HTML' : 'text';
}

/** The name of an operation, as people know it. */
export const operationOf = ({ ask }: Exchange): string =>
  ask.operation === 'rename' ? 'update' : ask.operation;

export const byOperation = (exchanges: readonly Exchange[]): Statuses =>
  statusesOf(exchanges.map((exchange) => [operationOf(exchange), exchange]));
