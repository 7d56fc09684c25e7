import { harmless } from '../http/wording.ts';
import type { Replay } from './replay.ts';
import { literal, shellWord, type Template } from './template.ts';

const word = (text: string): string => literal(harmless(text));

/** The shell function `faulty`, which succeeds while the last answer shows the fault. */
export function faultyLines(replay: Replay): string[] {
  return ['faulty() {', ...testOf(replay).map((line) => `  ${line}`), '}'];
}

const NO_ANSWER = `[ "$status" != 000 ] || cannot 'no answer came'`;

function testOf({ judge, status, counts, shape, steps }: Replay): string[] {
  switch (judge.kind) {
    case 'status': {
      const [fits, other] = judge.isExpected === true ? ['false', 'true'] : ['true', 'false'];
      return [NO_ANSWER, `case $status in ${judge.pattern}) ${fits};; *) ${other};; esac`];
    }
    case 'media type':
      return [NO_ANSWER, 'case $(media) in application/json|*+json) false;; *) true;; esac'];
    case 'cacheable':
      return [NO_ANSWER, `! grep -q -i '^cache-control:.*no-store' "$work/head"`];
    case 'byte order mark':
      return [NO_ANSWER, `[ "$(head -c 3 "$work/answer" | od -An -tx1 | tr -d ' ')" = efbbbf ]`];
    case 'encoding':
      return [NO_ANSWER, `! iconv -f UTF-8 -t UTF-8 "$work/answer" >/dev/null 2>&1`];
    case 'framing':
      return [`[ "$trouble" -ne 0 ] || ! tail -c 2 "$work/answer" | grep -q '[]}]'`];
    case 'no answer':
      return ['[ "$status" = 000 ]'];
    case 'certificate':
      return ['[ "$trouble" -eq 60 ] || [ "$trouble" -eq 51 ]'];
    case 'address':
      return ['case $BASE in https://*) false;; *) true;; esac'];
    case 'token':
      return [NO_ANSWER, `! tr -d '\\n' <"$work/answer" | grep -E -q '"access_token" *: *"[]!#-[^-~]*"'`];
    case 'secret':
      return [NO_ANSWER, `case $(cat "$work/answer") in *"$${judge.variable}"*) true;; *) false;; esac`];
    case 'messages':
      return [NO_ANSWER, '[ "$message" != "$message_before" ]'];
    case 'text':
      return [NO_ANSWER, `grep -q -F -- ${word(judge.text)} "$work/answer"`];
    case 'name':
      return [
        NO_ANSWER,
        `! tr -d '\\n' <"$work/answer" | grep -q -F -- ${shellWord(nameOf(steps.at(-1)?.body ?? []))}`,
      ];
    case 'list': {
      const seen = counts.map(({ texts }) => `$(count ${texts.map((one) => `"${one}"`).join(' ')})`);
      return [
        `[ "$status ${seen.join(' ')}" = ${word(`${status} ${counts.map((one) => one.seen).join(' ')}`)} ]`,
      ];
    }
    case 'shape':
      return [`[ "$status $(shape)" = ${word(`${status} ${shape}`)} ]`];
  }
}

/** Prints both sides, and ends with the exit code. */
export function verdictLines({ requirement }: Replay): string[] {
  return [
    `echo ${word(`In the report: ${requirement.reason}`)}`,
    ...(requirement.expected === undefined ? [] : [`echo ${word(`Expected: ${requirement.expected}`)}`]),
    `if faulty; then echo 'The fault is there.'; exit 1; fi`,
    `echo 'The fault is not there.'`,
  ];
}

/** The name in a body as JSON. */
function nameOf(body: Template): Template {
  const [first, ...rest] = body;
  if (first === undefined || !('text' in first)) return body;
  const start = /^\{\s*"name"\s*:\s*/.exec(first.text)?.[0] ?? '';
  const inner = [{ text: first.text.slice(start.length) }, ...rest];
  const last = inner.at(-1);
  return last !== undefined && 'text' in last
    ? [...inner.slice(0, -1), { text: last.text.replace(/\s*\}$/, '') }]
    : inner;
}
