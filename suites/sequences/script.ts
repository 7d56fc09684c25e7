import { describeStep, letterOf, NEVER_MADE, type Step } from './steps.ts';

/** The functions that the steps call. The script contains no secret: whoever runs it sets the variables. */
const BEGINNING = String.raw`#!/bin/sh
# Repeats the case with tags of its own, and deletes them at the end.
# BASE is the URL of the target without /api/v2, TOKEN an access token.
set -eu
: "${'$'}{BASE:?}" "${'$'}{TOKEN:?}"

# name LETTER: makes a new name, of letters that encode the time and the process.
name() { printf '%s%s%s' "$1" "$(date +%s)" "$$" | tr 0-9 a-j | cut -c 1-16; }

# ask METHOD PATH [BODY]: sends a request, and prints the answer.
ask() {
  method=$1; path=$2; shift 2
  answer=$(curl -sS -w ' (%{http_code})' -X "$method" "$BASE/api/v2/tagging$path" \
    -H 'Accept: application/json' -H 'Content-Type: application/json' \
    -H "Authorization: Bearer $TOKEN" ${'$'}{1+--data-raw "$1"})
  printf '   %s\n' "$answer"
}

# The tag_id in the answer to a create, encoded for a path. It is never empty: an empty one could address all tags.
tag_id() {
  id=$(printf '%s' "$answer" | sed -n 's/.*"tag_id" *: *"\{0,1\}\([^",}]*\).*/\1/p' |
    sed 's,\\/,/,g; s/%/%25/g; s,/,%2F,g; s/+/%2B/g; s/=/%3D/g; s/?/%3F/g; s/#/%23/g; s/ /%20/g')
  printf '%s' "${'$'}{id:-no-such-tag}"
}`;

/** Sets the variable `never` to an id that no tag has: a very high number, or a UUID. */
const SET_NEVER = `case $tag1 in *[!0-9]*) never=00000000-0000-4000-8000-000000000000;; *) never=1987654321;; esac`;

/**
 * A case as a POSIX shell script with curl. The script sends the steps, lists the tags and deletes those that are left.
 */
export function script(steps: readonly Step[]): string {
  const lines: string[] = [];
  let made = 0;
  const pathOf = (tag: number): string => `"/$${tag === NEVER_MADE ? 'never' : `tag${tag + 1}`}"`;
  const body = (name: number): string => `"{\\"name\\":\\"$${letterOf(name)}\\"}"`;
  for (const [at, step] of steps.entries()) {
    lines.push('', `echo '${at + 1}. ${describeStep(step)}'`);
    if ('tag' in step && step.tag === NEVER_MADE) lines.push(SET_NEVER);
    switch (step.do) {
      case 'create':
        lines.push(`ask POST '' ${body(step.name)}`, `tag${++made}=$(tag_id)`);
        break;
      case 'rename':
        lines.push(`ask PUT ${pathOf(step.tag)} ${body(step.name)}`);
        break;
      case 'delete':
        lines.push(`ask DELETE ${pathOf(step.tag)}`);
        break;
      case 'list':
        lines.push(`ask GET ''`);
        break;
      case 'filter':
        lines.push(`ask GET "?tag=$${letterOf(step.name)}"`);
        break;
    }
  }
  const names = [...new Set(steps.flatMap((step) => ('name' in step ? step.name : [])))].toSorted(
    (a, b) => a - b,
  );
  const given = names.map((name) => `${letterOf(name)}=$(name ${letterOf(name).toLowerCase()})`);
  const looks = names.map((name) => `ask GET "?tag=$${letterOf(name)}"`);
  // Tags that a step deletes are not deleted again, because a stranger's tag may have the tag_id now.
  const deleted = new Set(steps.flatMap((step) => (step.do === 'delete' ? step.tag : [])));
  const left = Array.from({ length: made }, (_, tag) => tag).filter((tag) => !deleted.has(tag));
  const removals = left.map((tag) => `ask DELETE ${pathOf(tag)} >/dev/null`);
  return [
    BEGINNING,
    '',
    ...given,
    ...(given.length === 0
      ? []
      : [`echo "${names.map((name) => `${letterOf(name)} is $${letterOf(name)}`).join(', ')}"`]),
    ...lines,
    '',
    `echo 'in the end'`,
    `ask GET ''`,
    ...looks,
    '',
    ...removals,
    '',
  ].join('\n');
}
