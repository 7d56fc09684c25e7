import type { Dispatcher } from 'undici';
import type { Answer, Failure } from './exchange.ts';
import { tooLarge } from './failures.ts';
import { MAX_CONTENT_BYTES } from './message.ts';

/** A received message, without its transfer coding. */
interface Received {
  readonly status: number;
  readonly headers: Answer['headers'];
  readonly content: Buffer;
}

/** The reason why no message was received. */
interface Lost {
  readonly error: Error;
  readonly timedOut: boolean;
}

/**
 * Sends a request and receives the answer. Its own handler takes about a third less time than undici's `request`, which
 * creates a stream for every answer.
 *
 * @param timeoutMs how long that may take in all, once there is a connection.
 */
export function receive(
  client: Dispatcher,
  request: Pick<Dispatcher.DispatchOptions, 'method' | 'path' | 'headers' | 'body'>,
  timeoutMs: number,
): Promise<Received | Failure | Lost> {
  return new Promise((resolve) => {
    let abort: (() => void) | undefined;
    let timedOut = false;
    const deadline = setTimeout(() => {
      timedOut = true;
      abort?.();
    }, timeoutMs);
    const end = (came: Received | Failure | Lost): void => {
      clearTimeout(deadline);
      resolve(came);
    };
    let status = 0;
    let headers: Received['headers'] = [];
    const chunks: Buffer[] = [];
    let size = 0;
    client.dispatch(
      // The deadline covers headers and body together.
      { ...request, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart: (controller) => {
          abort = () => controller.abort(new Error('no longer waited for'));
          if (timedOut) abort();
        },
        onResponseStart: ({ rawHeaders }, statusCode) => {
          // Called for interim responses, too (RFC 9110, 15.2): the final one comes last.
          status = statusCode;
          headers = pairsIn(rawHeaders);
        },
        onResponseData: (_controller, chunk) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size <= MAX_CONTENT_BYTES) return;
          end(tooLarge(MAX_CONTENT_BYTES));
          abort?.();
        },
        onResponseEnd: () =>
          end({
            status,
            headers,
            content: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks),
          }),
        onResponseError: (_controller, error) => end({ error, timedOut }),
      },
    );
  });
}

/** undici gives a flat list of names and values, contrary to its types. The bytes of a value are read as Latin-1. */
function pairsIn(raw: unknown): [string, string][] {
  const list = raw as readonly Buffer[];
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < list.length; at += 2)
    pairs.push([String(list[at]).toLowerCase(), list[at + 1]?.toString('latin1') ?? '']);
  return pairs;
}
