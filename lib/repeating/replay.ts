import type { Evidence } from '../judging/evidence.ts';
import type { ReportedRequirement } from '../reports/schema.ts';
import { operationOf } from '../reports/operation.ts';
import { judgeOf, type Judge } from './judge.ts';
import { countIn, entriesOf, shapeOf } from './shape.ts';
import { addressedIn, createdBy, encoded, StandIns, type MadeTag } from './stand-ins.ts';
import type { Template } from './template.ts';

/** One request of a case. */
export interface Step {
  readonly method: string;
  /** Below the base URL. */
  readonly path: Template;
  readonly headers: readonly Template[];
  readonly body?: Template;
  /** The shell command that makes the body, where no argument can hold it. */
  readonly recipe?: string;
  /** The request for people, without secrets. */
  readonly shown: Template;
  /** The variable that takes the tag_id of a create. */
  readonly id?: string;
}

/** A tag that is made before the case. */
export interface SetUp {
  /** The variable that takes the tag_id. */
  readonly id: string;
  readonly name: Template;
  /** Whether it is deleted again before the requests. */
  readonly isGone: boolean;
  readonly isSecond: boolean;
}

/** Texts whose tags in the list are counted, as shell expressions. */
export interface Count {
  readonly texts: readonly string[];
  readonly seen: number;
}

/** What repeats a finding from nothing. */
export interface Replay {
  readonly requirement: ReportedRequirement;
  /** Variables of names that every run makes up. */
  readonly names: readonly string[];
  readonly setUp: readonly SetUp[];
  readonly steps: readonly Step[];
  /** Labels of tokens and passwords that the steps need, such as `TOKEN_USER_READ`. */
  readonly secrets: readonly string[];
  readonly judge: Judge;
  readonly status: number;
  readonly counts: readonly Count[];
  readonly shape: string;
}

const LABEL = /\$([A-Z_\d]*(?:TOKEN|PASSWORD)[A-Z_\d]*)/g;

/** Builds what repeats a finding, or says in one clause why nothing can. */
export function replayOf(requirement: ReportedRequirement): Replay | string {
  const { exchanges, reason, expected, setUp = [] } = requirement;
  if (exchanges.length === 0 && reason.startsWith('the address is ')) return ofAddress(requirement);
  const decisive = exchanges.find(({ decides }) => decides === true);
  if (decisive === undefined) return 'no single exchange decides it';
  if (/at the same time as others/.test(reason) || OVERLAPPING.test(requirement.id))
    return 'it is about requests that overlap or follow on each other; its report has the case';
  const judge = judgeOf(reason, expected, decisive);
  if (judge === undefined) return 'curl does not show what is wrong with the answer';
  const sent = exchanges
    .filter(({ number }) => judge.kind === 'messages' || number <= decisive.number)
    .toSorted((one, other) => one.number - other.number);
  if (sent.some(({ file }) => file !== undefined && file.recipe === undefined))
    return 'a request has a body that the report does not hold';
  const created = new Map<Evidence, string>();
  for (const exchange of sent)
    if (operationOf(exchange) === 'create') created.set(exchange, `ID${created.size + 1}`);
  const standIns = standInsFor(requirement, sent, created);
  const secrets = new Set<string>();
  const body = decisive.answer?.body ?? '';
  return {
    requirement,
    names: standIns.names,
    setUp: setUp.map(({ name, gone, second }, at) => ({
      id: `MADE${at + 1}`,
      name: standIns.inText(JSON.stringify(name).slice(1, -1)),
      isGone: gone === true,
      isSecond: second === true,
    })),
    steps: sent.map((exchange) => stepOf(exchange, standIns, created.get(exchange), secrets)),
    secrets: [...secrets],
    judge,
    status: decisive.answer?.status ?? 0,
    counts: countsOf(body, standIns),
    shape: shapeOf(body),
  };
}

const OVERLAPPING = /^(overlap\/|sequence\/|login\/at-once$)/;

const ofAddress = (requirement: ReportedRequirement): Replay => ({
  requirement,
  names: [],
  setUp: [],
  steps: [],
  secrets: [],
  judge: { kind: 'address' },
  status: 0,
  counts: [],
  shape: '',
});

/** Finds what differs from run to run in the requests. */
function standInsFor(
  { setUp = [], id }: ReportedRequirement,
  sent: readonly Evidence[],
  created: ReadonlyMap<Evidence, string>,
): StandIns {
  const made: MadeTag[] = setUp.map(({ tag_id: tagId }, at) => ({ variable: `MADE${at + 1}`, tagId }));
  for (const [exchange, variable] of created) {
    const tagId = createdBy(exchange);
    // A tag_id that the client sent is part of the case.
    const isSent = exchange.request.body?.includes(`"${tagId}"`) === true;
    if (tagId !== undefined && !isSent && !made.some((one) => one.tagId === tagId))
      made.push({ variable, tagId });
  }
  // A target that gives a tag another tag_id leaves the run with that one.
  const isKnown = (segment: string): boolean =>
    made.some(({ tagId }) => segment.startsWith(tagId) || segment.startsWith(encoded(tagId)));
  const lost = sent.flatMap((exchange) => addressedIn(exchange) ?? []).find((one) => !isKnown(one));
  const moved = setUp.findIndex(
    ({ tag_id: tagId }) => !sent.some(({ request }) => request.url.includes(encoded(tagId))),
  );
  if (lost !== undefined && moved >= 0 && !/unknown|again|whole|percent/.test(id))
    made.push({ variable: `MADE${moved + 1}`, tagId: lost });
  const texts = sent.map(({ request }) => `${request.url} ${request.body ?? ''}`);
  return new StandIns([...texts, ...setUp.map(({ name }) => name)], made);
}

function stepOf(
  { request, file }: Evidence,
  standIns: StandIns,
  id: string | undefined,
  secrets: Set<string>,
): Step {
  const path = request.url.slice(request.url.indexOf('/api/v2'));
  const withSecrets = (text: string, suffix: string): Template => {
    const more = new Map<string, string>();
    for (const [label, name = ''] of text.matchAll(LABEL)) {
      secrets.add(name);
      more.set(label, `\${${name}${suffix}}`);
    }
    return standIns.inText(text, more);
  };
  const headers = request.headers.filter((line) => !/\$HEADER_\d/.test(line));
  return {
    method: request.method,
    path: standIns.inPath(path),
    headers: headers.map((line) => withSecrets(line, '')),
    // In a body a secret stands within a JSON string.
    ...(request.body === undefined || file !== undefined ? {} : { body: withSecrets(request.body, '_JSON') }),
    ...(file?.recipe === undefined ? {} : { recipe: file.recipe.replace(/ > \S+$/, '') }),
    shown: [
      { text: `${request.method} ` },
      ...standIns.inPath(path),
      ...(request.body === undefined ? [] : [{ text: ' ' }, ...standIns.inText(shortened(request.body))]),
    ],
    ...(id === undefined ? {} : { id }),
  };
}

const shortened = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}...` : text);

/** How often a list shows the tags of the case. */
function countsOf(body: string, { ofNames, made }: StandIns): Count[] {
  const entries = entriesOf(body);
  const names = [...ofNames];
  const counting = (one: readonly [string, string], other?: readonly [string, string]): Count => ({
    texts: [one[1], ...(other === undefined ? [] : [other[1]])],
    seen: countIn(entries, one[0], other?.[0]),
  });
  const quoted = ([value, shell]: readonly [string, string]) => [`"${value}"`, `\\"${shell}\\"`] as const;
  // A tag_id that moved has the variable of the one before it.
  const ids = new Map(made.map(({ tagId, variable }) => [variable, tagId]));
  return [
    ...names.flatMap((name) => [counting(quoted(name)), counting(name)]),
    ...[...ids].flatMap(([variable, tagId]) => {
      const id = quoted([tagId, `\${${variable}}`]);
      return [counting(id), ...names.map((name) => counting(id, quoted(name)))];
    }),
  ];
}
