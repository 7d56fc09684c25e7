import type { Secret } from '../secret.ts';
import type { Operation } from '../spec/operations.ts';

export type HeaderLine = readonly [name: string, value: string | Secret];

/** One request as plain data. Whatever is secret in it stays a `Secret` until it is on the wire. */
export interface Ask {
  readonly operation: Operation;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query below the base URL, percent-encoded: `/api/v2/tagging?tag=x`. */
  readonly path: string;
  readonly headers: readonly HeaderLine[];
  readonly body?: string | Uint8Array | Secret;
  /**
   * True for a request of the form that section 4 describes, to which the specification gives the answers. False for
   * departures, whose answer it leaves open: the rules that hold for every answer of the run pass these over.
   */
  readonly regular: boolean;
  /** Whether it is the first request of its connection; else that is left to chance. */
  readonly opensConnection?: boolean;
}

/**
 * The body read as JSON (RFC 8259). `problem` is one clause that says what is wrong with it; if there is a `value`
 * all the same (behind a byte order mark, or in another encoding), the run goes on with that.
 */
export interface Json {
  readonly value?: unknown;
  readonly problem?: string;
}

export interface Answer {
  readonly status: number;
  /** Names in lower case, in the order received; a name may stand more than once. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The content, with its content coding undone; only its start if that is all that was kept of it. */
  readonly bytes: Uint8Array;
  /** The length of the content, if only its start was kept. */
  readonly length?: number;
  readonly json: Json;
  /** What is wrong with the framing or coding of the message, in one clause, if the run can go on all the same. */
  readonly framing?: string;
}

/**
 * Why there is no answer. `unreachable` and `untrusted` mean that nothing was sent; `unreadable`, that the answer is
 * lawful as far as it could be read, and that the suite cannot read on.
 */
export interface Failure {
  readonly kind:
    | 'unreachable'
    | 'untrusted'
    | 'timeout'
    | 'closed'
    | 'malformed'
    | 'unreadable'
    | 'oversized'
    | 'cancelled';
  /** One clause without a full stop, such as `the connection was closed before any answer`. */
  readonly message: string;
  /** The first bytes that came, if they show what is wrong. */
  readonly bytes?: Uint8Array;
}

/** One request with its answer or its failure, never both. */
export interface Exchange {
  /** Counts the exchanges of a run from 1, in the order in which they were sent. */
  readonly number: number;
  readonly ask: Ask;
  readonly answer?: Answer;
  readonly failure?: Failure;
  /** When it was sent, by a clock of the run's own in milliseconds. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** How many other requests were under way meanwhile, if there were any. */
  readonly beside?: number;
}

export const header = (answer: Answer, name: string): string | undefined =>
  answer.headers.find(([key]) => key === name)?.[1];

/** The status, or 0 if no answer came. */
export const statusOf = (exchange: Exchange): number => exchange.answer?.status ?? 0;

export const accepted = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 200 && statusOf(exchange) < 300;

/** Whether a request was refused with a 4xx status. */
export const isClientError = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 400 && statusOf(exchange) < 500;

/** Nothing came back that could be judged; what came and was no HTTP is another matter. */
export const isUnanswered = ({ failure }: Exchange): boolean =>
  failure !== undefined && failure.kind !== 'malformed' && failure.kind !== 'oversized';

/** The parsed body, or undefined if there is none. */
export const jsonOf = (exchange: Exchange): unknown => exchange.answer?.json.value;

/** A member of the JSON object in an answer; undefined if there is none. */
export function memberOf(exchange: Exchange, name: string): unknown {
  const body = jsonOf(exchange);
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
}

/** How much of a large answer is kept if only people will read it. */
const KEPT_BYTES = 64 * 1024;

/** An exchange without the bulk of a large answer. */
export function slim<T extends Pick<Exchange, 'answer'>>(exchange: T): T {
  const { answer } = exchange;
  if (answer === undefined || answer.bytes.length <= KEPT_BYTES) return exchange;
  return { ...exchange, answer: startOf(answer, { problem: 'only the start of the body was kept' }) };
}

/** An answer with no more than the start of its content, which reads as that JSON. */
export function startOf(answer: Answer, json: Json): Answer {
  const { status, headers, bytes, framing } = answer;
  return {
    status,
    headers,
    // A copy: a Buffer's own slice would keep all of it.
    bytes: new Uint8Array(bytes.subarray(0, KEPT_BYTES)),
    length: answer.length ?? bytes.length,
    json,
    ...(framing === undefined ? {} : { framing }),
  };
}
