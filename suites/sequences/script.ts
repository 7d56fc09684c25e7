import { nameOf, NEVER, tellStep, type Step } from './steps.ts';

/** What the steps are made of. No secret stands in it: whoever runs it sets the variables. */
const BEGINNING = String.raw`#!/bin/sh
# Repeats the case with tags of its own, which it removes at the end.
# BASE is the address of the target without /api/v2, TOKEN an access token.
set -eu
: "${'$'}{BASE:?}" "${'$'}{TOKEN:?}"

# Names are letters, new each time: the time and the process, written with letters.
name() { printf '%s%s%s' "$1" "$(date +%s)" "$$" | tr 0-9 a-j | cut -c 1-16; }

# ask METHOD PATH [BODY]: sends a request, and shows what came.
ask() {
  method=$1; path=$2; shift 2
  answer=$(curl -sS -w ' (%{http_code})' -X "$method" "$BASE/api/v2/tagging$path" \
    -H 'Accept: application/json' -H 'Content-Type: application/json' \
    -H "Authorization: Bearer $TOKEN" ${'$'}{1+--data-raw "$1"})
  printf '   %s\n' "$answer"
}

# The tag_id in the answer to a create, as it is written in a path; never nothing, which could mean all tags there.
tag_id() {
  id=$(printf '%s' "$answer" | sed -n 's/.*"tag_id" *: *"\{0,1\}\([^",}]*\).*/\1/p' |
    sed 's,\\/,/,g; s/%/%25/g; s,/,%2F,g; s/+/%2B/g; s/=/%3D/g; s/?/%3F/g; s/#/%23/g; s/ /%20/g')
  printf '%s' "${'$'}{id:-no-such-tag}"
}`;

/** An id of either of two forms: far from what a counter has come to, or a UUID that nobody has. */
const NOBODY = `case $tag1 in *[!0-9]*) never=00000000-0000-4000-8000-000000000000;; *) never=1987654321;; esac`;

/** A case as a script for a POSIX shell with curl, which sends it step by step and lists after every change. */
export function script(steps: readonly Step[]): string {
  const lines: string[] = [];
  let made = 0;
  const pathOf = (tag: number): string => `"/$${tag === NEVER ? 'never' : `tag${tag + 1}`}"`;
  const body = (name: number): string => `"{\\"name\\":\\"$${nameOf(name)}\\"}"`;
  for (const [at, step] of steps.entries()) {
    lines.push('', `echo '${at + 1}. ${tellStep(step)}'`);
    if ('tag' in step && step.tag === NEVER) lines.push(NOBODY);
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
        lines.push(`ask GET "?tag=$${nameOf(step.name)}"`);
        break;
    }
  }
  const names = [...new Set(steps.flatMap((step) => ('name' in step ? step.name : [])))].toSorted(
    (a, b) => a - b,
  );
  const given = names.map((name) => `${nameOf(name)}=$(name ${nameOf(name).toLowerCase()})`);
  const looks = names.map((name) => `ask GET "?tag=$${nameOf(name)}"`);
  // Not what the steps delete: its tag_id may be somebody else's by now.
  const deleted = new Set(steps.flatMap((step) => (step.do === 'delete' ? step.tag : [])));
  const left = Array.from({ length: made }, (_, tag) => tag).filter((tag) => !deleted.has(tag));
  const removals = left.map((tag) => `ask DELETE ${pathOf(tag)} >/dev/null`);
  return [
    BEGINNING,
    '',
    ...given,
    ...(given.length === 0
      ? []
      : [`echo "${names.map((name) => `${nameOf(name)} is $${nameOf(name)}`).join(', ')}"`]),
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
