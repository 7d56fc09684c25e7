import type { Evidence } from '../judging/evidence.ts';
import { operationOf } from '../reports/operation.ts';
import { bodies, bodyOfSuccess, misfit } from '../spec/bodies.ts';
import { shapeOf } from './shape.ts';

/** How a script decides whether the answer to its last request still shows the fault. */
export type Judge =
  /** Faulty if the status matches this shell pattern, such as `2??`; with `isExpected`, faulty if it does not. */
  | { readonly kind: 'status'; readonly pattern: string; readonly isExpected?: true }
  /** Faulty unless the Content-Type is JSON. */
  | { readonly kind: 'media type' }
  /** Faulty unless Cache-Control forbids storing the answer. */
  | { readonly kind: 'cacheable' }
  /** Faulty if the body begins with a byte order mark. */
  | { readonly kind: 'byte order mark' }
  /** Faulty if the body is not UTF-8. */
  | { readonly kind: 'encoding' }
  /** Faulty if the length or the coding of the content is not what the headers say. */
  | { readonly kind: 'framing' }
  /** Faulty if no answer comes, or an error of the server. */
  | { readonly kind: 'no answer' }
  /** Faulty if the certificate does not verify. */
  | { readonly kind: 'certificate' }
  /** Faulty if the address is plain http. */
  | { readonly kind: 'address' }
  /** Faulty unless the token consists of visible ASCII characters. */
  | { readonly kind: 'token' }
  /** Faulty if the body contains the value of this variable, which is secret. */
  | { readonly kind: 'secret'; readonly variable: string }
  /** Faulty if the answers to the last two requests have different messages. */
  | { readonly kind: 'messages' }
  /** Faulty if the last of several equal requests succeeds. */
  | { readonly kind: 'again' }
  /** Faulty unless the body contains the name as sent. */
  | { readonly kind: 'name' }
  /** Faulty if the body contains this text. */
  | { readonly kind: 'text'; readonly text: string }
  /** Faulty if the body contains the name of a tag that the script made. */
  | { readonly kind: 'disclosure' }
  /** Faulty unless the list holds an array. */
  | { readonly kind: 'array' }
  /** Faulty if the list has a tag_id twice. */
  | { readonly kind: 'twice' }
  /** Faulty if two creates give the same tag_id. */
  | { readonly kind: 'ids' }
  /** Faulty if the list has more tags of this name (as JSON) than before the request. */
  | { readonly kind: 'growth'; readonly name: string }
  /** Faulty if the last lists show the tags of the case as often as in the report, by their tag_ids and names. */
  | { readonly kind: 'list' }
  /** Faulty if the answer has the same status and shape as in the report. */
  | { readonly kind: 'shape' }
  /** Faulty if the list has the same status and shape as in the report; the shape of its tags does not count. */
  | { readonly kind: 'frame' };

/** Sentences about one answer, each with its judge. The first one that matches counts. */
const BY_SENTENCE: readonly (readonly [sentence: RegExp, judge: Judge])[] = [
  [/certificate does not verify/, { kind: 'certificate' }],
  [/Content-Length says|Content-Encoding names/, { kind: 'framing' }],
  [/Content-Type names (?!the charset)|without Content-Type/, { kind: 'media type' }],
  [/without Cache-Control|, not no-store$/, { kind: 'cacheable' }],
  [/byte order mark/, { kind: 'byte order mark' }],
  [/the token holds the character/, { kind: 'token' }],
  [/answered 200 with the tag_id .* twice/s, { kind: 'twice' }],
  [/^the filter by a name that no tag has finds/, { kind: 'text', text: '"tag_id"' }],
  [/were given the tag_id/, { kind: 'ids' }],
  [/\bdeleted again, and each time that was confirmed/, { kind: 'again' }],
  [/^answered 200 to a delete of a tag_id that no tag has/, { kind: 'status', pattern: '2??' }],
  [/ could update(?: it)?, which it could not before$/, { kind: 'status', pattern: '2??' }],
  // Such an update may be refused for another reason.
  [/^the update of an existing tag to a new name answered 404\b/, { kind: 'status', pattern: '404' }],
  [/ gets the message .* an unknown username /s, { kind: 'messages' }],
  [/ answered the name ".*", but the list shows "/s, { kind: 'name' }],
];

/**
 * Chooses the judge of a finding by its sentence; undefined if an answer that `curl` shows cannot reveal the fault.
 *
 * @param expected the status and body that were expected, as a report has them.
 */
export function judgeOf(reason: string, expected: string | undefined, decisive: Evidence): Judge | undefined {
  const { answer, request } = decisive;
  const grown = /, yet a tag named ("(?:[^"\\]|\\.)*"|\S+) is listed afterwards, \d+ times out of/s.exec(
    reason,
  )?.[1];
  if (grown !== undefined) return { kind: 'growth', name: grown };
  if (request.method === 'GET' && /, but tagging is (missing|an? |null)/.test(reason))
    return { kind: 'array' };
  if (request.method === 'GET' && /, but error is /.test(reason)) return { kind: 'frame' };
  const bySentence = BY_SENTENCE.find(([sentence]) => sentence.test(reason))?.[1];
  if (bySentence !== undefined) return bySentence;
  if (answer === undefined) return { kind: 'no answer' };
  if (/is not UTF-8/.test(reason) || (/not well-formed JSON/.test(reason) && answer.body.includes('\uFFFD')))
    return { kind: 'encoding' };
  if (/not well-formed JSON/.test(reason) && isCut(answer.body)) return { kind: 'framing' };
  const repeated = /\$([A-Z_\d]*PASSWORD[A-Z_\d]*)/.exec(answer.body)?.[1];
  if (/repeats the password/.test(reason) && repeated !== undefined)
    return { kind: 'secret', variable: repeated };
  const assigned = /the tag_id ("[^"]+") that the client sent/.exec(reason)?.[1];
  if (assigned !== undefined && request.method === 'POST')
    return answer.body.includes(assigned) ? { kind: 'text', text: assigned } : { kind: 'list' };
  if (answer.status >= 300 && /holds (tags|the account's tags)/.test(reason) && !request.url.includes('?'))
    return { kind: 'disclosure' };
  // A script does not know which other tags there are.
  if (/shows every tag|\b(?:tells|discloses) the name of/.test(reason)) return undefined;
  const isEffect =
    /\b(yet|but)\b|no longer listed|, and its tag is listed$|\bha[sd] no effect\b/.test(reason) &&
    request.method === 'GET';
  return isEffect
    ? (ofList(reason, decisive) ?? ofAnswer(reason, expected, decisive))
    : ofAnswer(reason, expected, decisive);
}

/** Whether a body lacks its end. */
const isCut = (body: string): boolean =>
  (body.match(/[{[]/g)?.length ?? 0) !== (body.match(/[}\]]/g)?.length ?? 0);

function ofAnswer(reason: string, expected: string | undefined, decisive: Evidence): Judge | undefined {
  const { answer, request } = decisive;
  const status = answer?.status ?? 0;
  const wanted = /\banswered \d{3}, not (\d{3})\b/.exec(reason)?.[1];
  if (wanted !== undefined) return { kind: 'status', pattern: wanted, isExpected: true };
  if (status === 200 && /\bholds (tags|the account's tags)/.test(reason)) return { kind: 'list' };
  if (expected?.startsWith('a refusal') === true) return { kind: 'status', pattern: '2??' };
  if (status >= 300 && /redirect|plain http/.test(reason)) return { kind: 'status', pattern: '3??' };
  if (status >= 500) return { kind: 'status', pattern: '5??' };
  const said = /\banswered \d{3} with the message ("(?:[^"\\]|\\.)+"), not\b/.exec(reason)?.[1];
  if (said !== undefined && !said.includes('…')) return { kind: 'text', text: `"message":${said}` };
  if (/\banswered \d{3} with (?:an|a|the) |\berror (?:true|false), not\b/.test(reason))
    return { kind: 'shape' };
  if (
    status >= 300 &&
    (/^answered \d{3}, though\b/.test(reason) || !/\b(body|yet)\b|, (but|and) /.test(reason))
  )
    return { kind: 'status', pattern: '2??', isExpected: true };
  if (/without the usual effect|had no effect/.test(reason) && status >= 300)
    return { kind: 'status', pattern: '2??', isExpected: true };
  if (/name became|holds the name/.test(reason) && request.method === 'POST') return { kind: 'name' };
  // If a right answer may have that form as well, it is the content that is wrong.
  return ofList(reason, decisive) ?? (hasRightForm(decisive) ? undefined : { kind: 'shape' });
}

/** The shape of the validation error of a body without a name (7). */
const WITHOUT_NAME = shapeOf('{"message":"x","errors":{"name":["x"]}}');

/** Whether a right server may answer the request with this status and a body of this form. */
function hasRightForm(exchange: Evidence): boolean {
  const { answer } = exchange;
  const operation = operationOf(exchange);
  if (answer === undefined || operation === undefined) return false;
  if (answer.status === 422) return shapeOf(answer.body) === WITHOUT_NAME;
  // For a login that wrongly gets a token, a right server answers with another status.
  if (answer.status === 200 && operation === 'login') return false;
  const body = answer.status === 200 && operation !== 'login' ? bodyOfSuccess[operation] : bodies.message;
  try {
    return misfit(body, JSON.parse(answer.body)) === undefined;
  } catch {
    return false;
  }
}

/** Whether the fault is in which tags a list shows, rather than in the form of the list. */
const ofList = (reason: string, { request, answer }: Evidence): Judge | undefined =>
  request.method === 'GET' &&
  (answer?.status === 200 || /holds (tags|the account's tags)/.test(reason)) &&
  !/\bthe body\b|, but \S+ is (?:missing|null|an? )/.test(reason)
    ? { kind: 'list' }
    : undefined;
