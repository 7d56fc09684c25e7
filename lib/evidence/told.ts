import { harmless } from '../http/wording.ts';
import type { HarEntry } from './har.ts';

/** An exchange as lines for a terminal: what was sent after `>`, what came back after `<`. */
export function told(entry: HarEntry): string {
  const { request, response, _number, _at, time } = entry;
  const { postData } = request;
  const what = [
    entry._operation,
    ...(entry._deferred === true ? ['deferred by the target'] : []),
    ...(entry._retracted === true ? ['counts for nothing, because the token had ended'] : []),
  ].join(', ');
  const sent = [
    `${request.method} ${request.url}`,
    ...request.headers.map(({ name, value }) => `${name}: ${value}`),
    ...bodyLines(postData?.text, postData?._length, postData?._sha256),
  ];
  const came =
    response.status === 0
      ? [response._error ?? 'no answer', ...(entry._received === undefined ? [] : [entry._received])]
      : [
          `${response.status} ${response.statusText}`.trim(),
          ...response.headers.map(({ name, value }) => `${name}: ${value}`),
          ...bodyLines(response.content.text, response.content._length, response.content._sha256),
        ];
  return [
    `${_number}: ${what}, ${(_at / 1_000).toFixed(3)} s after the start, ${Math.round(time)} ms`,
    ...sent.map((line) => `> ${harmless(line)}`),
    ...came.map((line) => `< ${harmless(line)}`),
    '',
  ].join('\n');
}

function bodyLines(text: string | undefined, length?: number, sha256?: string): string[] {
  if (length !== undefined)
    return ['', `(${length} bytes${sha256 === undefined ? '' : `, SHA-256 of the masked body ${sha256}`})`];
  return text === undefined || text === '' ? [] : ['', text];
}
