import type { Answer, Ask, Exchange, HeaderLine } from '../http/exchange.ts';
import { readJson } from '../http/json.ts';
import { Undecided } from '../outcome.ts';
import type { HarEntry } from './har.ts';

/**
 * The exchange that an entry keeps. Its secrets are stand-ins.
 *
 * @param target the base URL of the target, without a slash at its end.
 * @param onMissing is told when a body is needed that the entry does not keep; reading it throws `Undecided`.
 */
export function exchangeOf(entry: HarEntry, target: string, onMissing: () => void): Exchange {
  const { response, _number: number, _at, _beside, _failure } = entry;
  return {
    number,
    ask: askOf(entry, target),
    ...(_failure === undefined
      ? { answer: answerOf(entry, onMissing) }
      : { failure: { kind: _failure, message: response._error ?? '' } }),
    startedAt: _at,
    durationMs: entry.time,
    ...(_beside === undefined ? {} : { beside: _beside }),
  };
}

const linesOf = (headers: HarEntry['request']['headers']): HeaderLine[] =>
  headers.map(({ name, value }) => [name, value]);

function askOf({ request, _operation, _regular }: HarEntry, target: string): Ask {
  const { method, url, headers, postData } = request;
  const body =
    postData?._encoding === 'base64' ? Buffer.from(postData.text, 'base64') : (postData?.text ?? undefined);
  return {
    operation: _operation,
    method,
    path: url.startsWith(target) ? url.slice(target.length) : url,
    headers: linesOf(headers),
    regular: _regular,
    ...(body === undefined ? {} : { body }),
  };
}

function answerOf({ response, _number, _framing }: HarEntry, onMissing: () => void): Answer {
  const { status, content } = response;
  const common = {
    status,
    headers: response.headers.map(({ name, value }) => [name, value] as const),
    ...(_framing === undefined ? {} : { framing: _framing }),
  };
  const { text, encoding, _length } = content;
  if (text === undefined && _length !== undefined) {
    const missing = (): never => {
      onMissing();
      throw new Undecided('failure', `only the length and the digest of the answer ${_number} are kept`);
    };
    return {
      ...common,
      length: _length,
      get bytes(): Uint8Array {
        return missing();
      },
      get json() {
        return missing();
      },
    };
  }
  const bytes = Buffer.from(text ?? '', encoding === 'base64' ? 'base64' : 'utf8');
  return { ...common, bytes, json: readJson(bytes) };
}
