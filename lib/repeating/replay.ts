import type { Evidence } from '../judging/evidence.ts';
import type { ReportedRequirement } from '../reports/schema.ts';
import { TAGGING_PATH } from '../spec/operations.ts';
import { countIn, entriesOf, judgeOf, shapeOf, type Judge } from './judge.ts';
import { template, type Template } from './template.ts';

/** One request of a case. */
export interface Step {
  readonly method: string;
  /** Below the base URL. */
  readonly path: Template;
  readonly headers: readonly Template[];
  readonly body?: Template;
  /** The shell command that makes the body, where no argument can hold it. */
  readonly recipe?: string;
  /** The request for people, without secrets and in one line. */
  readonly shown: string;
  /** The variable that takes the tag_id of a create. */
  readonly id?: string;
}

/** A text whose occurrences in the list are counted: `tag_id`, name, or both in one tag. */
export interface Count {
  readonly id?: string;
  readonly name?: string;
  /** The variable of a name that may stand within another text. */
  readonly part?: string;
  readonly seen: number;
}

/** What repeats a finding from nothing. */
export interface Replay {
  readonly requirement: ReportedRequirement;
  /** Variables of names that every run makes up. */
  readonly names: readonly string[];
  /** Tags that are made first: the variable of the tag_id, and that of the name. */
  readonly setUp: readonly {
    readonly id: string;
    readonly name: Template;
    /** Whether it is deleted again before the requests. */
    readonly isGone: boolean;
  }[];
  readonly steps: readonly Step[];
  /** Labels of tokens and passwords that the steps need, such as `TOKEN_USER_READ`. */
  readonly secrets: readonly string[];
  readonly judge: Judge;
  readonly decisive: Evidence;
  readonly counts: readonly Count[];
  readonly shape: string;
}

const RUN_NAME = /ct[a-z]{12}|CT[A-Z]{12}|(?<![a-z])[a-z]{14}(?![a-z])/g;
const LABEL = /\$([A-Z_]*(?:TOKEN|PASSWORD)[A-Z_]*)/g;

/** Builds what repeats a finding, or says in one clause why nothing can. */
export function replayOf(requirement: ReportedRequirement): Replay | string {
  const { exchanges, reason, expected, setUp = [] } = requirement;
  const decisive = exchanges.find(({ decides }) => decides === true);
  if (decisive === undefined) return 'no single exchange decides it';
  if (/at the same time as others/.test(reason) || /^(overlap|sequence)\//.test(requirement.id))
    return 'it is about requests that overlap or follow on each other; its report has the case';
  const judge = judgeOf(reason, expected, decisive);
  if (judge === undefined) return 'curl does not show what is wrong with the answer';
  const sent = exchanges
    .filter(({ number }) => number <= decisive.number)
    .toSorted((one, other) => one.number - other.number);
  if (sent.some(({ file }) => file !== undefined && file.recipe === undefined))
    return 'a request has a body that the report does not hold';
  const variables = new Map<string, string>();
  const named = new Set<string>();
  for (const text of [
    ...sent.map(({ request }) => `${request.url} ${request.body ?? ''}`),
    ...setUp.map(({ name }) => name),
  ])
    for (const [name] of text.matchAll(RUN_NAME)) named.add(name);
  for (const [at, name] of [...named].entries())
    variables.set(name, `${name.startsWith('CT') ? 'UPPER' : 'NAME'}${at + 1}`);
  const made = setUp.map(({ tag_id: tagId, name }, at) => {
    const id = `MADE${at + 1}`;
    variables.set(encodeURIComponent(tagId), id).set(tagId, id);
    const first = sent.find(({ request }) => addressedIn(request.url)?.startsWith(encodeURIComponent(tagId)));
    const isGone = (first?.answer?.status ?? 0) >= 400 && first?.request.headers.some(isOwnToken) === true;
    return {
      id,
      // A tag that an update gave the name, against the rules, was made under another one.
      name: isGivenLater(name, sent)
        ? [{ variable: `FRESH${at + 1}` }]
        : template(JSON.stringify(name).slice(1, -1), variables),
      isGone: isGone && /delete|no tag|missing tag|404|410/.test(`${reason} ${requirement.text}`),
    };
  });
  // A target that gives a tag another tag_id leaves the run with that one.
  const lost = sent
    .flatMap(({ request }) => addressedIn(request.url) ?? [])
    .find((id) => !isKnown(id, variables));
  const [moved] = setUp.flatMap(({ tag_id: tagId }, at) =>
    sent.some(({ request }) => request.url.includes(encodeURIComponent(tagId))) ? [] : [`MADE${at + 1}`],
  );
  if (lost !== undefined && moved !== undefined && !/unknown|again|whole/.test(requirement.id))
    variables.set(lost, moved);
  const ids = new Map<Evidence, string>();
  for (const exchange of sent) {
    if (exchange.request.method !== 'POST' || !exchange.request.url.endsWith(TAGGING_PATH)) continue;
    const id = `ID${ids.size + 1}`;
    ids.set(exchange, id);
    const tagId = /"tag_id"\s*:\s*"?([^",}]+)/.exec(exchange.answer?.body ?? '')?.[1];
    // A tag_id that the client sent is part of the case.
    const isSent = exchange.request.body?.includes(`"${tagId}"`) === true;
    if (tagId !== undefined && !isSent && !variables.has(tagId))
      variables.set(encodeURIComponent(tagId), id).set(tagId, id);
  }
  const secrets = new Set<string>();
  const steps = sent.map((exchange) => stepOf(exchange, variables, ids.get(exchange), secrets));
  const body = decisive.answer?.body ?? '';
  return {
    requirement,
    names: [
      ...[...named].flatMap((name) => variables.get(name) ?? []),
      ...made.flatMap(({ name: [first] }) =>
        first !== undefined && 'variable' in first && first.variable.startsWith('FRESH')
          ? first.variable
          : [],
      ),
    ],
    setUp: made,
    steps,
    secrets: [...secrets],
    judge,
    decisive,
    counts: countsOf(body, variables),
    shape: shapeOf(body),
  };
}

/** Whether an update in the case gives this name. */
const isGivenLater = (name: string, sent: readonly Evidence[]): boolean =>
  sent.some(
    ({ request: { method, body } }) => method === 'PUT' && body?.includes(JSON.stringify(name)) === true,
  );

/** Whether a header holds the token of the account. */
const isOwnToken = (line: string): boolean => line.endsWith('Bearer $TOKEN');

/** The tag_id in the path of an update or delete, as it stands there. */
const addressedIn = (url: string): string | undefined => url.split(`${TAGGING_PATH}/`)[1];

const isKnown = (id: string, variables: ReadonlyMap<string, string>): boolean =>
  [...variables.keys()].some((value) => value !== '' && id.startsWith(value));

function stepOf(
  { request, file }: Evidence,
  variables: ReadonlyMap<string, string>,
  id: string | undefined,
  secrets: Set<string>,
): Step {
  const path = request.url.slice(request.url.indexOf('/api/v2'));
  const withSecrets = (text: string, suffix: string): Template => {
    const all = new Map(variables);
    for (const [label, name = ''] of text.matchAll(LABEL)) {
      secrets.add(name);
      all.set(label, `${name}${suffix}`);
    }
    return template(text, all);
  };
  const headers = request.headers.filter((line) => !/\$HEADER_\d/.test(line));
  return {
    method: request.method,
    path: template(path, variables),
    headers: headers.map((line) => withSecrets(line, '')),
    // In a body a secret stands within a JSON string.
    ...(request.body === undefined || file !== undefined ? {} : { body: withSecrets(request.body, '_JSON') }),
    ...(file?.recipe === undefined ? {} : { recipe: file.recipe.replace(/ > \S+$/, '') }),
    shown: `${request.method} ${path} ${request.body ?? ''}`.trim().slice(0, 200),
    ...(id === undefined ? {} : { id }),
  };
}

/** How often a list shows the tags of the case. */
function countsOf(body: string, variables: ReadonlyMap<string, string>): Count[] {
  const entries = entriesOf(body);
  const names = [...variables].filter(([, variable]) => /^(NAME|UPPER)/.test(variable));
  // The encoded form of a tag_id has the same variable.
  const ids = new Map(
    [...variables].flatMap(([value, variable]) =>
      /^(ID|MADE)/.test(variable) ? [[variable, value] as const] : [],
    ),
  );
  return [
    ...names.flatMap(([name, variable]) => [
      { name: variable, seen: countIn(entries, `"${name}"`) },
      { part: variable, seen: countIn(entries, name) },
    ]),
    ...[...ids].flatMap(([variable, id]) => [
      { id: variable, seen: countIn(entries, `"${id}"`) },
      ...names.map(([name, named]) => ({
        id: variable,
        name: named,
        seen: countIn(entries, `"${id}"`, `"${name}"`),
      })),
    ]),
  ];
}
