import { harmless } from '../http/wording.ts';
import { LOGIN_PATH, TAGGING_PATH } from '../spec/operations.ts';
import type { Judge } from './judge.ts';
import type { Count, Replay, Step } from './replay.ts';
import { ALTERING, preparations, type Preparation } from './secrets.ts';
import { shellWord } from './template.ts';

const word = (text: string): string => `'${harmless(text).replaceAll("'", `'\\''`)}'`;

/** The functions of every script. */
const FUNCTIONS = String.raw`set -u
umask 077
work=$(mktemp -d) || exit 2
BASE=${'$'}{BASE%/}
PASSWORD=$CONFORMANCE_PASSWORD
json() { printf %s "$1" | sed 's/[\\"]/\\&/g'; }
PASSWORD_JSON=$(json "$PASSWORD")

# ask METHOD PATH [ARGUMENT...]: sends a request. Its status is in $status, its answer in the files head and body.
ask() {
  method=$1; path=$2; shift 2
  : >"$work/body"; : >"$work/head"
  status=$(curl -sS -g --path-as-is -m 30 ${'$'}{CONFORMANCE_CA_FILE:+--cacert "$CONFORMANCE_CA_FILE"} \
    -o "$work/body" -D "$work/head" -w '%{http_code}' -X "$method" "$@" "$BASE$path") || status=000
}
# as TOKEN METHOD PATH [BODY]: sends a request of the form that the specification describes.
as() {
  bearer=$1; method=$2; path=$3; shift 3
  ask "$method" "$path" -H 'Accept: application/json' -H 'Content-Type: application/json' \
    -H "Authorization: Bearer $bearer" ${'$'}{1+--data-raw "$1"}
}
# log_in USERNAME PASSWORD SCOPES: prints a token.
log_in() {
  ask POST ${LOGIN_PATH} -H 'Accept: application/json' -H 'Content-Type: application/json' \
    --data-raw "{\"username\":\"$(json "$1")\",\"password\":\"$(json "$2")\",\"scopes\":[$3]}"
  sed -n 's/.*"access_token" *: *"\([^"]*\)".*/\1/p' "$work/body"
}
# entries: the tags of the list in the file body, one in a line.
entries() { tr -d '\n' <"$work/body" | awk '{ gsub(/}[ \t]*,[ \t]*{/, "\n"); print }'; }
# count TEXT [TEXT]: how many tags of the list have both.
count() { entries | grep -F -- "$1" | grep -F -c -- "${'$'}{2-}"; }
# tag_id: the tag_id in the file body, encoded for a path.
tag_id() {
  sed -n 's/.*"tag_id" *: *"\{0,1\}\([^",}]*\).*/\1/p' "$work/body" | head -n 1 |
    sed 's,\\/,/,g; s/%/%25/g; s,/,%2F,g; s/+/%2B/g; s/=/%3D/g; s/?/%3F/g; s/#/%23/g; s/ /%20/g'
}
# name NUMBER: a new name of 14 letters.
name() { printf 'ct%010d%02d' "$(printf '%s %s %s' "$(date +%s)" "$$" "$1" | cksum | cut -d ' ' -f 1)" "$1" | tr 0-9 a-j; }
# show: prints the answer without tokens.
show() {
  printf '  < %s %s\n' "$status" "$(tr -d '\r\n' <"$work/body" | sed 's/"access_token" *: *"[^"]*"/"access_token":"..."/' | cut -c 1-400)"
}
# shape: the body without its values. A list of objects is the set of their shapes.
values() { sed -E 's/""/E/g; s/: *"([^"\\]|\\.)*"/:S/g; s/"([^"\\]|\\.)*"([],])/S\2/g; s/[0-9]+/N/g'; }
shape() {
  line=$(tr '\r\n\t' '   ' <"$work/body" | tr -s ' ')
  case $line in
    *'[{'*'}]'*)
      printf '%s' "$(printf '%s\n' "$line" | sed 's/\[{.*}\]/[]/' | values)"
      printf '%s\n' "$line" | sed 's/^[^[]*\[{//; s/}\][^]]*$//' | awk '{ gsub(/}[ \t]*,[ \t]*{/, "\n"); print }' |
        sed 's/$/,/' | values | LC_ALL=C sort -u | while IFS= read -r one; do printf ' %s' "$one"; done ;;
    *) printf '%s\n' "$line" | values ;;
  esac
}
media() { sed -n 's/^[Cc][Oo][Nn][Tt][Ee][Nn][Tt]-[Tt][Yy][Pp][Ee]: *\([^;[:space:]]*\).*/\1/p' "$work/head" | tail -n 1; }
cannot() { echo "$1: the case cannot be repeated here"; exit 2; }
case $BASE in
  https://*|http://127.*|http://localhost|http://localhost:*|'http://[::1]'*) ;;
  *) [ -n "${'$'}{ALLOW_HTTP-}" ] || cannot 'the address is plain http (ALLOW_HTTP=1 allows it)' ;;
esac
# settle: the time until an acknowledged change must show.
settle() { sleep "$(( ${'$'}{CONFORMANCE_SETTLE_MS:-1000} / 1000 ))"; }`;

/** A script for a POSIX shell with curl that repeats a finding, or why there is none. */
export function scriptOf(
  replay: Replay,
  base: string,
): { readonly script: string } | { readonly why: string } {
  const { requirement, names, setUp, steps, secrets, judge } = replay;
  const prepared = preparations(secrets);
  if (prepared === undefined) return { why: 'a token of it cannot be made again' };
  const needsAltering = prepared.some((one) => 'line' in one);
  const ids = [...setUp.map(({ id }) => id), ...steps.flatMap(({ id }) => id ?? [])];
  return {
    script: [
      '#!/bin/sh',
      `# Repeats ${requirement.id}: ${harmless(requirement.text)}`,
      '# It needs curl, and takes the account from CONFORMANCE_USERNAME and CONFORMANCE_PASSWORD.',
      '# It exits with 1 while the fault is there, with 0 where it is not, and with 2 where a step before cannot be made.',
      `BASE=\${CONFORMANCE_BASE_URL:-${word(base)}}`,
      ': "${CONFORMANCE_USERNAME:?}" "${CONFORMANCE_PASSWORD:?}"',
      FUNCTIONS,
      ...(needsAltering ? [ALTERING] : []),
      '',
      ...names.map(
        (name, at) => `${name}=$(name ${at + 1}${name.startsWith('UPPER') ? ' | tr a-z A-Z' : ''})`,
      ),
      ...ids.map((id) => `${id}=`),
      ...tidying(names, ids, ['TOKEN', ...secrets.filter((label) => label === 'SECOND_TOKEN')]),
      ...logins(prepared, judge, steps),
      ...setUp.flatMap(({ id, name, isGone }) => [
        `as "$TOKEN" POST ${TAGGING_PATH} '{"name":"'${shellWord(name)}'"}'; ${id}=$(tag_id)`,
        `[ -n "$${id}" ] || cannot 'no tag could be made'`,
        ...(isGone ? [`as "$TOKEN" DELETE "${TAGGING_PATH}/$${id}"`] : []),
      ]),
      '',
      ...steps.flatMap((step, at) => stepLines(step, at === steps.length - 1)),
      '',
      ...verdictLines(replay),
      '',
    ].join('\n'),
  };
}

/** Removes the tags of the script when it ends: by names that nobody else uses, and by tag_ids that were not there before. */
const tidying = (names: readonly string[], ids: readonly string[], tokens: readonly string[]): string[] => [
  ...tokens.map((token) => `${token}=`),
  'tidy() {',
  ...tokens.flatMap((token) => [
    `  if [ -n "$${token}" ]; then`,
    '    :',
    ...names.flatMap((name) => [
      `    as "$${token}" GET "${TAGGING_PATH}?tag=$${name}"`,
      `    for id in $(entries | grep -F -- "$${name}" | sed -n 's/.*"tag_id" *: *"\\{0,1\\}\\([^",}]*\\).*/\\1/p'); do`,
      `      as "$${token}" DELETE "${TAGGING_PATH}/$id"`,
      '    done',
    ]),
    '  fi',
  ]),
  '  if [ -n "$TOKEN" ]; then',
  '    :',
  ...ids.map(
    (id) =>
      `    [ -n "$${id}" ] && ! grep -q -F -- "\\"$${id}\\"" "$work/before" && as "$TOKEN" DELETE "${TAGGING_PATH}/$${id}"`,
  ),
  '  fi',
  '  rm -rf "$work"',
  '}',
  'trap tidy EXIT',
  '',
];

function logins(prepared: readonly Preparation[], _judge: Judge, steps: readonly Step[]): string[] {
  const isAboutLogin = steps.every(({ path }) => {
    const [first] = path;
    return first !== undefined && 'text' in first && first.text.startsWith(LOGIN_PATH);
  });
  return [
    `TOKEN=$(log_in "$CONFORMANCE_USERNAME" "$PASSWORD" '"api"')`,
    ...(isAboutLogin ? [] : [`[ -n "$TOKEN" ] || cannot 'the login gave no token'`]),
    `as "$TOKEN" GET ${TAGGING_PATH}; cp "$work/body" "$work/before"`,
    ...prepared.flatMap((one) => {
      if ('line' in one) {
        const variable = one.line.slice(0, one.line.indexOf('='));
        return [one.line, `${variable}_JSON=$(json "$${variable}")`];
      }
      const account = one.isSecond
        ? '"${CONFORMANCE_SECOND_USERNAME:?}" "${CONFORMANCE_SECOND_PASSWORD:?}"'
        : '"$CONFORMANCE_USERNAME" "$PASSWORD"';
      const scopes = one.scopes.map((scope) => `"${scope}"`).join(',');
      return [`${one.variable}=$(log_in ${account} '${scopes}')`];
    }),
  ];
}

function stepLines(step: Step, isLast: boolean): string[] {
  const { method, path, headers, body, recipe, shown, id } = step;
  const isLook = method === 'GET';
  const args = [
    ...headers.map((header) => `-H ${shellWord(header)}`),
    ...(recipe !== undefined
      ? ['--data-binary "@$work/sent"']
      : body === undefined
        ? []
        : [`--data-raw ${shellWord(body)}`]),
  ];
  return [
    ...(isLast && isLook ? ['settle'] : []),
    `echo ${word(`  > ${shown}`)}`,
    ...(recipe === undefined ? [] : [`${recipe} > "$work/sent"`]),
    `ask ${method} ${shellWord(path)} ${args.join(' ')}`.trimEnd(),
    'show',
    ...(id === undefined ? [] : [`${id}=$(tag_id)`]),
  ];
}

/** Prints both sides, and ends with the exit code. */
function verdictLines({ requirement, judge, decisive, counts, shape, steps }: Replay): string[] {
  const status = decisive.answer?.status ?? 0;
  const [test, ...more] = testOf({ judge, status, counts, shape, steps });
  return [
    ...more,
    `echo ${word(`In the report: ${requirement.reason}`)}`,
    ...(requirement.expected === undefined ? [] : [`echo ${word(`Expected: ${requirement.expected}`)}`]),
    `if ${test}; then echo 'The fault is there.'; exit 1; fi`,
    `echo 'The fault is not there.'`,
  ];
}

/** The condition that holds while the fault is there, and the lines before it. */
function testOf(parts: {
  readonly judge: Judge;
  readonly status: number;
  readonly counts: readonly Count[];
  readonly shape: string;
  readonly steps: readonly Step[];
}): [test: string, ...before: string[]] {
  const { judge, status, counts, shape, steps } = parts;
  const isAnswered = `[ "$status" -ne 0 ] || cannot 'no answer came'`;
  switch (judge.kind) {
    case 'other status':
      return [`[ "$status" != ${judge.expected} ]`, isAnswered];
    case 'status':
      return [`case $status in ${judge.pattern}) true;; *) false;; esac`, isAnswered];
    case 'media type':
      return [`case $(media) in application/json|*+json) false;; *) true;; esac`, isAnswered];
    case 'cacheable':
      return [`! grep -q -i '^cache-control:.*no-store' "$work/head"`, isAnswered];
    case 'byte order mark':
      return [`[ "$(head -c 3 "$work/body" | od -An -tx1 | tr -d ' ')" = efbbbf ]`, isAnswered];
    case 'text':
      return [`grep -q -F -- ${word(judge.text)} "$work/body"`, isAnswered];
    case 'name': {
      const sent = steps.at(-1)?.body ?? [];
      return [
        `! tr -d '\\n' <"$work/body" | grep -q -F -- "$sent"`,
        `sent=${shellWord(nameOf(sent))}`,
        isAnswered,
      ];
    }
    case 'list':
      return [
        `[ "$status $seen" = ${word(`${status} ${counts.map(({ seen }) => seen).join(' ')}`)} ]`,
        `seen="${counts
          .map(({ id, name, part }) =>
            part === undefined
              ? [id, name].flatMap((one) => (one === undefined ? [] : `"\\"$${one}\\""`)).join(' ')
              : `"$${part}"`,
          )
          .map((texts) => `$(count ${texts})`)
          .join(' ')}"`,
      ];
    case 'shape':
      return [`[ "$status $(shape)" = ${word(`${status} ${shape}`)} ]`];
  }
}

/** The name in a body as JSON, with its variables. */
function nameOf(body: Step['body'] & object): Step['body'] & object {
  const [first, ...rest] = body;
  if (first === undefined || !('text' in first)) return body;
  const start = /^\{\s*"name"\s*:\s*/.exec(first.text)?.[0] ?? '';
  const inner = [{ text: first.text.slice(start.length) }, ...rest];
  const last = inner.at(-1);
  return last !== undefined && 'text' in last
    ? [...inner.slice(0, -1), { text: last.text.replace(/\s*\}$/, '') }]
    : inner;
}
