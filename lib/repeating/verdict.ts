import { harmless } from '../http/wording.ts';
import type { Replay } from './replay.ts';
import { literal, shellWord } from './template.ts';

const word = (text: string): string => literal(harmless(text));

/** The shell function `faulty`, which succeeds while the last answer shows the fault. */
export function faultyLines(replay: Replay): string[] {
  return ['faulty() {', ...testOf(replay).map((line) => `  ${line}`), '}'];
}

const NO_ANSWER = `[ "$status" != 000 ] || cannot 'no answer came'`;

function testOf({ judge, status, looks, shape, nameForms, steps }: Replay): string[] {
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
      return [
        // A truncated body lacks its closing braces.
        `braces() { tr -dc "$1" <"$work/answer" | wc -c; }`,
        `[ "$trouble" -ne 0 ] || [ "$(braces '{[')" -ne "$(braces '}]')" ]`,
      ];
    case 'no answer':
      // A proxy answers for a server that closes the connection.
      return ['case $status in 000 | 5??) true;; *) false;; esac'];
    case 'certificate':
      return ['[ "$trouble" -eq 60 ] || [ "$trouble" -eq 51 ]'];
    case 'address':
      return ['case $BASE in https://*) false;; *) true;; esac'];
    case 'token':
      return [NO_ANSWER, `! tr -d '\\n' <"$work/answer" | grep -E -q '"access_token" *: *"[]!#-[^-~]*"'`];
    case 'secret':
      return [NO_ANSWER, `case $(cat "$work/answer") in *"$${judge.variable}"*) true;; *) false;; esac`];
    case 'again':
      return [NO_ANSWER, 'case $status in 2??) true;; *) false;; esac'];
    case 'messages':
      return [NO_ANSWER, '[ "$message" != "$message_before" ]'];
    case 'text':
      return [NO_ANSWER, `sed 's/" *: */":/g' "$work/answer" | grep -q -F -- ${word(judge.text)}`];
    case 'name': {
      const tests = nameForms.map(
        (form) => `! tr -d '\\n' <"$work/answer" | grep -q -F -- ${shellWord(form)}`,
      );
      return [NO_ANSWER, tests.join(' && ')];
    }
    case 'disclosure':
      return [NO_ANSWER, `grep -q -F -- "$NAME0" "$work/answer"`];
    case 'array':
      return [NO_ANSWER, `! tr -d '[:space:]' <"$work/answer" | grep -q '"tagging":\\['`];
    case 'twice':
      return [NO_ANSWER, '[ -n "$(entries | ids | sort | uniq -d)" ]'];
    case 'ids': {
      const [first = '', ...others] = steps.flatMap(({ id }) => (id === undefined ? [] : `"$${id}"`));
      return [
        `doubled() { [ -n "$(printf '%s\\n' "$@" | sort | uniq -d)" ]; }`,
        // The first tag is deleted before the last one is made, so these two may share a tag_id.
        `doubled ${[first, ...others].join(' ')} || doubled ${others.join(' ')} "$LAST"`,
      ];
    }
    case 'growth':
      return ['[ "$now" -gt "$then" ]'];
    case 'list':
      return [`[ "$seen" = ${literal(` ${looks.seen}`)} ]`];
    case 'shape':
      return [`[ "$status $(shape)" = ${word(`${status} ${shape}`)} ]`];
    case 'frame':
      return [`[ "$status $(shape | cut -d ' ' -f 1)" = ${word(`${status} ${shape.split(' ')[0]}`)} ]`];
  }
}

/** Prints both sides, and ends with the exit code. */
export function verdictLines({ requirement }: Replay): string[] {
  const found = requirement.verdict === 'warn' ? 'reason for the warning' : 'fault';
  return [
    `echo ${word(`In the report: ${requirement.reason}`)}`,
    ...(requirement.expected === undefined ? [] : [`echo ${word(`Expected: ${requirement.expected}`)}`]),
    `if faulty; then echo 'The ${found} is there.'; exit 1; fi`,
    `echo 'These requests do not show the ${found}.'`,
  ];
}
