import { harmless } from '../http/wording.ts';
import { LOGIN_PATH, TAGGING_PATH } from '../spec/operations.ts';
import { PRELUDE } from './prelude.ts';
import type { Replay, SetUp } from './replay.ts';
import { ALTERING, preparations, type Preparation } from './secrets.ts';
import type { Step } from './step.ts';
import { literal, shellWord } from './template.ts';
import { faultyLines, verdictLines } from './verdict.ts';

/** The variable of the second account's token for api. */
const SECOND = 'SECOND_TOKEN';

/** A script for a POSIX shell with curl that repeats a finding, or why there is none. */
export function scriptOf(
  replay: Replay,
  base: string,
): { readonly script: string } | { readonly why: string } {
  const { requirement, names, setUp, steps, secrets, judge } = replay;
  // The tags of an account are removed with its token for api, whatever the scopes of the token that made them.
  const isOfSecond =
    setUp.some(({ isSecond }) => isSecond) || secrets.some((one) => one.startsWith(`${SECOND}_`));
  const prepared = preparations([...secrets, ...(isOfSecond ? [SECOND] : [])]);
  if (prepared === undefined) return { why: 'a token of it cannot be made again' };
  const needsAltering = prepared.some((one) => 'line' in one);
  const ids = [...setUp.map(({ id }) => id), ...steps.flatMap(({ id }) => id ?? [])];
  const tokens = [
    'TOKEN',
    ...prepared.flatMap((one) => ('variable' in one && one.variable === SECOND ? one.variable : [])),
  ];
  return {
    script: [
      '#!/bin/sh',
      `# Repeats ${requirement.id}: ${harmless(requirement.text)}`,
      '# It needs curl, and takes the account from CONFORMANCE_USERNAME and CONFORMANCE_PASSWORD.',
      '# It exits with 1 while the fault is there, with 0 where its requests do not show it, and with 2 where a step before fails.',
      `BASE=\${CONFORMANCE_BASE_URL:-${literal(harmless(base))}}`,
      ': "${CONFORMANCE_USERNAME:?set it to the account}" "${CONFORMANCE_PASSWORD:?set it to the password}"',
      PRELUDE,
      ...(needsAltering ? [ALTERING] : []),
      '',
      ...names.map(
        ({ variable, letters }, at) =>
          `${variable}=${letters === undefined ? `$(name ${at + 1})` : literal(letters)}`,
      ),
      ...ids.map((id) => `${id}=`),
      ...tidying(
        names.map(({ variable }) => variable),
        ids,
        tokens,
      ),
      ...(steps.length === 0 ? [] : logins(replay, prepared)),
      ...setUp.flatMap(setUpLines),
      ...(judge.kind === 'framing' || judge.kind === 'encoding' ? OTHER_LETTERS : []),
      ...(judge.kind === 'disclosure' || showsTags(replay) ? ANOTHER_TAG : []),
      '',
      ...faultyLines(replay),
      ...caseLines(replay),
      '',
      ...verdictLines(replay),
      '',
    ].join('\n'),
  };
}

/** Whether the shape of a whole list decides: an empty list has another shape. */
const showsTags = ({ judge, steps }: Replay): boolean =>
  judge.kind === 'shape' &&
  steps.some(
    ({ method, path }) =>
      method === 'GET' && path.every((part) => 'text' in part && !part.text.includes('?')),
  );

/** A tag whose name has more bytes than characters, for lists whose length is counted wrongly. */
const OTHER_LETTERS = [`NAME0=$(name 0)`, `as "$TOKEN" POST ${TAGGING_PATH} "{\\"name\\":\\"$NAME0 é\\"}"`];

/** One more tag of the account. */
const ANOTHER_TAG = [`NAME0=$(name 0)`, `as "$TOKEN" POST ${TAGGING_PATH} "{\\"name\\":\\"$NAME0\\"}"`];

/** A list with a filter that no tag fits: some targets keep the filter for the next list. */
const ANOTHER_LIST = ['', `as "$TOKEN" GET "${TAGGING_PATH}?tag=$(name 0)"`];

/** A tag that is made after the first one of the case is gone, for tag_ids that count the tags. */
const ONE_FOR_ANOTHER = [
  `as "$TOKEN" DELETE "${TAGGING_PATH}/$(encoded "$ID1")"`,
  ...ANOTHER_TAG,
  'LAST=$(tag_id)',
];

/** Removes the tags of the script when it ends: by names that nobody else uses, and by tag_ids that were not there before. */
const tidying = (names: readonly string[], ids: readonly string[], tokens: readonly string[]): string[] => [
  ...[...tokens, 'NAME0', 'NEW_IDS'].map((variable) => `${variable}=`),
  '# remove TOKEN TAG_ID: deletes a tag that was not there before the script.',
  'remove() { [ -z "$2" ] || grep -q -F -- "\\"$2\\"" "$work/before" || as "$1" DELETE "' +
    `${TAGGING_PATH}/$(encoded "$2")"; }`,
  'tidy() {',
  '  trap - EXIT INT TERM',
  '  rm -f "$work/request" "$work/sent"',
  `  for token in ${tokens.map((token) => `"$${token}"`).join(' ')}; do`,
  '    [ -n "$token" ] || continue',
  `    for name in ${[...names, 'NAME0'].map((name) => `"$${name}"`).join(' ')}; do`,
  '      [ -n "$name" ] || continue',
  `      for form in "$name" "$(upper "$name")"; do`,
  `        as "$token" GET "${TAGGING_PATH}?tag=$form"`,
  '        entries | grep -F -i -- "$name" | ids >"$work/left"',
  '        while IFS= read -r id; do remove "$token" "$id"; done <"$work/left"',
  '      done',
  '    done',
  `    for id in ${[...ids.map((id) => `"$${id}"`), '$NEW_IDS'].join(' ')}; do remove "$token" "$id"; done`,
  '  done',
  '  rm -rf "$work"',
  '}',
  'trap tidy EXIT',
  `trap 'exit 130' INT TERM`,
  '',
];

function logins({ steps }: Replay, prepared: readonly Preparation[]): string[] {
  const isAboutLogin = steps.every(({ path }) => {
    const [first] = path;
    return first !== undefined && 'text' in first && first.text.startsWith(LOGIN_PATH);
  });
  return [
    `TOKEN=$(log_in "$CONFORMANCE_USERNAME" "$PASSWORD" '"api"')`,
    ...(isAboutLogin ? [] : [`[ -n "$TOKEN" ] || cannot 'the login gave no token'`]),
    `as "$TOKEN" GET ${TAGGING_PATH}; cp "$work/answer" "$work/before"`,
    ...prepared.flatMap((one) => {
      if ('line' in one) {
        const variable = one.line.slice(0, one.line.indexOf('='));
        return [
          one.line,
          `${variable}_JSON=${one.isJson === true ? `$${variable}` : `$(quoted "$${variable}")`}`,
        ];
      }
      const account = one.isSecond
        ? '"${CONFORMANCE_SECOND_USERNAME:?}" "${CONFORMANCE_SECOND_PASSWORD:?}"'
        : '"$CONFORMANCE_USERNAME" "$PASSWORD"';
      const scopes = one.scopes.map((scope) => `"${scope}"`).join(',');
      return [`${one.variable}=$(log_in ${account} '${scopes}')`];
    }),
  ];
}

function setUpLines({ id, name, updates, isGone, isSecond }: SetUp): string[] {
  const token = isSecond ? '"$SECOND_TOKEN"' : '"$TOKEN"';
  return [
    `as ${token} POST ${TAGGING_PATH} '{"name":"'${shellWord(name)}'"}'; ${id}=$(tag_id)`,
    `[ -n "$${id}" ] || cannot 'no tag could be made'`,
    ...updates.map(
      (update) => `as ${token} PUT "${TAGGING_PATH}/$(encoded "$${id}")" '{"name":"'${shellWord(update)}'"}'`,
    ),
    ...(isGone ? [`as ${token} DELETE "${TAGGING_PATH}/$(encoded "$${id}")"`] : []),
  ];
}

const isNamed = (name: string, { headers }: Step): boolean =>
  headers.some(
    ([first]) => first !== undefined && 'text' in first && new RegExp(`^${name}:`, 'i').test(first.text),
  );

/** Sends the requests of a case. */
function caseLines(replay: Replay): string[] {
  const { steps, judge, looks } = replay;
  const sent = (step: Step): string[] => ['', ...stepLines(step, replay)];
  if (judge.kind === 'growth')
    return steps.flatMap((step) => [...sent(step), ...countingOf(judge.name, step)]);
  if (judge.kind === 'ids') return [...steps.flatMap(sent), '', ...ONE_FOR_ANOTHER];
  if (judge.kind !== 'list') return steps.flatMap(sent);
  const counted = looks.texts.map((texts) => `$(count ${texts.map((one) => `"${one}"`).join(' ')})`);
  // Lists that show an effect are repeated until the effect has had time to show.
  return [
    'answers=',
    ...steps
      .slice(0, steps.length - looks.lists)
      .flatMap((step) => [
        ...sent(step),
        'case $status in 2??) answers="$answers yes" ;; *) answers="$answers no" ;; esac',
      ]),
    ...(looks.lists === steps.length ? ANOTHER_LIST : []),
    '',
    'look() {',
    '  seen=$answers',
    ...steps
      .slice(steps.length - looks.lists)
      .flatMap((step) => [
        ...stepLines(step, replay).map((line) => `  ${line}`),
        `  seen="$seen ${['$status', ...counted].join(' ')}"`,
      ]),
    '}',
    'look',
    'waited=0',
    'while faulty && [ "$waited" -lt "$(((${CONFORMANCE_SETTLE_MS:-1000} + 500) / 1000))" ]; do',
    '  sleep 1; waited=$((waited + 1)); look',
    'done',
  ];
}

/** Counts the tags of a name in each list, and keeps the count from before the last request that is not a list. */
const countingOf = (name: string, { method }: Step): string[] =>
  method !== 'GET'
    ? ['then=${now-0}']
    : [
        `now=$(entries | grep -c '"name" *: *'${literal(name.replace(/[[\].*^$\\/]/g, '\\$&'))})`,
        `NEW_IDS=$(entries | grep '"name" *: *'${literal(name.replace(/[[\].*^$\\/]/g, '\\$&'))} | ids)`,
        'then=${then-$now}',
      ];

function stepLines(step: Step, { judge, steps }: Replay): string[] {
  const { method, path, headers, body, recipe, shown, id } = step;
  const hasBody = recipe !== undefined || body !== undefined;
  const keepsValidators =
    method === 'GET' && steps.some((one) => isNamed('if-(none-match|modified-since)', one));
  return [
    `printf '  > %s\\n' ${shellWord(shown)}`,
    ...headers.map((header) => `header ${shellWord(header)}`),
    ...(isNamed('accept', step) ? [] : ['without Accept']),
    ...(hasBody && !isNamed('content-type', step) ? ['without Content-Type'] : []),
    ...(recipe !== undefined
      ? [`${recipe} >"$work/sent"`]
      : body === undefined
        ? []
        : [`body ${shellWord(body)}`]),
    `ask ${method} ${shellWord(path)}${judge.kind === 'framing' ? ' --compressed' : ''}`,
    'show',
    ...(judge.kind === 'messages'
      ? [
          'message_before=${message-}',
          `message=$(sed -n 's/.*"message" *: *"\\([^"]*\\)".*/\\1/p' "$work/answer" | tr 0-9 '#')`,
        ]
      : []),
    ...(id === undefined ? [] : [`${id}=$(tag_id)`]),
    ...(keepsValidators ? ['ETAG=$(given_in etag); MODIFIED=$(given_in last-modified)'] : []),
  ];
}
