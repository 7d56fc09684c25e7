import type { Secret } from '../secret.ts';
import type { Operation } from '../spec/operations.ts';

export type HeaderLine = readonly [name: string, value: string | Secret];

/** One request as plain data. Secrets in it stay `Secret` until it is sent. */
export interface Ask {
  readonly operation: Operation;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query below the base URL, percent-encoded: `/api/v2/tagging?tag=x`. */
  readonly path: string;
  readonly headers: readonly HeaderLine[];
  readonly body?: string | Uint8Array | Secret;
  /**
   * True for a request as section 4 describes it, whose answers the specification shows. False for any other request: the
   * requirements that watch every exchange ignore it, because its answer is open.
   */
  readonly regular: boolean;
  /** Whether it has to be the first request of a connection; by default any connection may carry it. */
  readonly opensConnection?: boolean;
  /** Whether the body is sent in two pieces, the second one a little after the first. */
  readonly isInPieces?: boolean;
}

/**
 * The body, parsed as JSON (RFC 8259). `problem` is one clause that says what is wrong with it. A body may have both: after
 * a byte order mark, or in another encoding, the run still uses the `value`.
 */
export interface Json {
  readonly value?: unknown;
  readonly problem?: string;
}

export interface Answer {
  readonly status: number;
  /** Names in lower case, in the order received; a name may stand more than once. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The decoded content, or only its start if the rest was not kept. */
  readonly bytes: Uint8Array;
  /** The length of the content, if only its start was kept. */
  readonly length?: number;
  readonly json: Json;
  /** What is wrong with the framing or coding of the message, in one clause, if the answer is usable all the same. */
  readonly framing?: string;
}

/**
 * Why there is no answer. `unreachable` and `untrusted`: nothing was sent. `unreadable`: the answer is lawful as far as it
 * was read, but the suite cannot read the rest.
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
  /** The first bytes of the answer, if they show what is wrong. */
  readonly bytes?: Uint8Array;
}

/** One request with its answer or its failure, never both. */
export interface Exchange {
  /** The exchanges of a run are numbered from 1, in the order in which they were sent. */
  readonly number: number;
  readonly ask: Ask;
  readonly answer?: Answer;
  readonly failure?: Failure;
  /** When it was sent, by `performance.now()`. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** How many other requests overlapped it, if any did. */
  readonly beside?: number;
  /** Whether it was answered with a server error during an outage (no request succeeded) or shortly after it. */
  readonly inOutage?: true;
  /** Whether the same request was sent just before and its answer was lost. */
  readonly followsLost?: true;
}

export const header = (answer: Answer, name: string): string | undefined =>
  answer.headers.find(([key]) => key === name)?.[1];

/** The status, or 0 if no answer came. */
export const statusOf = (exchange: Exchange): number => exchange.answer?.status ?? 0;

export const accepted = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 200 && statusOf(exchange) < 300;

/** Whether the answer says that the request was not carried out. 501 says so, too (RFC 9110, 15.6.2). */
export const isRefusal = (exchange: Exchange): boolean => {
  const status = statusOf(exchange);
  return (status >= 300 && status < 500) || status === 501;
};

/** Whether a refusal blames the request itself, so that it will not be carried out later either. */
export const isClearRefusal = (exchange: Exchange): boolean =>
  [400, 401, 403, 422].includes(statusOf(exchange));

/** Whether a request was refused with a 4xx status. */
export const isClientError = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 400 && statusOf(exchange) < 500;

/** Whether no answer came that could be judged. An answer that is not well-formed HTTP can be judged. */
export const isUnanswered = ({ failure }: Exchange): boolean =>
  failure !== undefined && failure.kind !== 'malformed' && failure.kind !== 'oversized';

/** A member of the JSON object in an answer; undefined if there is none. */
export function memberOf(exchange: Exchange, name: string): unknown {
  const body = exchange.answer?.json.value;
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
}

/** How much of a large answer is kept as evidence. */
const KEPT_BYTES = 64 * 1024;

/** An exchange without the bulk of a large answer. */
export function slim<T extends Pick<Exchange, 'answer'>>(exchange: T): T {
  const { answer } = exchange;
  if (answer === undefined || answer.bytes.length <= KEPT_BYTES) return exchange;
  return { ...exchange, answer: startOf(answer, { problem: 'only the start of the body was kept' }) };
}

/** An answer with only the start of its content, and with this JSON. */
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
