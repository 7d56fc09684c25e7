import type { Evidence } from '../judging/evidence.ts';
import type { ReportedRequirement } from '../reports/schema.ts';
import { operationOf } from '../reports/operation.ts';
import { encoded } from '../spec/requests.ts';
import { judgeOf, type Judge } from './judge.ts';
import { looksOf, type Looks } from './looks.ts';
import { countIn, entriesOf, shapeOf } from './shape.ts';
import { addressedIn, createdBy, decoded, type MadeTag, type RunName, StandIns } from './stand-ins.ts';
import { type Step, stepOf } from './step.ts';
import type { Template } from './template.ts';

/** A tag that is made before the case. */
export interface SetUp {
  /** The variable that takes the tag_id. */
  readonly id: string;
  readonly name: Template;
  /** The names that it is updated to, in this order. */
  readonly updates: readonly Template[];
  /** Whether it is deleted again before the requests. */
  readonly isGone: boolean;
  readonly isSecond: boolean;
}

/** All that a script needs to repeat a finding. */
export interface Replay {
  readonly requirement: ReportedRequirement;
  /** Names of the case, with their variables. */
  readonly names: readonly RunName[];
  readonly setUp: readonly SetUp[];
  readonly steps: readonly Step[];
  /** Labels of tokens and passwords that the steps need, such as `TOKEN_USER_READ`. */
  readonly secrets: readonly string[];
  readonly judge: Judge;
  readonly status: number;
  readonly looks: Looks;
  readonly shape: string;
  /** The forms that the name in the last request with a body may have in an answer. */
  readonly nameForms: readonly Template[];
}

/** Builds what a script needs to repeat a finding, or says in one clause why none can. */
export function replayOf(requirement: ReportedRequirement): Replay | string {
  const { exchanges, reason, expected } = requirement;
  if (exchanges.length === 0 && reason.startsWith('the address is ')) return ofAddress(requirement);
  const decisive = exchanges.find(({ decides }) => decides === true);
  if (decisive === undefined) return 'no single exchange decides it';
  if (/at the same time as others|concurrent lists/.test(reason) || OVERLAPPING.test(requirement.id))
    return 'it is about requests that overlap; its report has the case';
  if (OF_CONNECTIONS.test(requirement.id))
    return 'it is about requests on one connection, and curl opens one for each';
  if (
    OF_THE_RUN.test(requirement.id) ||
    /nobody deleted|which another living tag has|lists before and after/.test(reason)
  )
    return 'it shows only after many requests of a run';
  if (OF_MANY_TAGS.test(reason)) return 'it shows only in an account with many tags';
  const judge = judgeOf(reason, expected, decisive);
  if (judge === undefined) return 'its requests alone do not show what is wrong';
  const sent = upTo(decisive, judge, exchanges);
  if (sent.some(({ file }) => file !== undefined && file.recipe === undefined))
    return 'a request has a body that the report does not hold';
  const setUp = [...(requirement.setUp ?? []), ...shownIn(sent, requirement.setUp ?? [])];
  const isLookAlone = judge.kind === 'list' && sent.every(({ request }) => request.method === 'GET');
  if (isLookAlone && /\b(create|update|delete)\b.*\b(refused|answered)\b/.test(reason))
    return 'the report does not hold the request that had the effect';
  if (showsNoneOfOther(reason, decisive, setUp))
    return 'the list in the report shows no tag that the other account made before';
  const created = new Map<Evidence, string>();
  for (const exchange of sent)
    if (operationOf(exchange) === 'create') created.set(exchange, `ID${created.size + 1}`);
  const standIns = standInsFor({ ...requirement, setUp }, sent, created);
  const secrets = new Set<string>();
  const body = decisive.answer?.body ?? '';
  const isRefused = judge.kind === 'list' && /\bto an? (?!request with)|without a token|holds/.test(reason);
  if (judge.kind === 'list' && !isRefused && standIns.made.length + standIns.names.length === 0)
    return 'the lists of the report name no tag of the case';
  const nameForms = nameFormsOf(nameSent(sent, reason));
  if (judge.kind === 'name' && nameForms.length === 0)
    return 'the report does not hold the name that was sent';
  const inJson = (name: string): Template => standIns.inText(JSON.stringify(name).slice(1, -1));
  const namesOfSetUp = setUp.map(({ name }) => name);
  return {
    requirement,
    names: standIns.names,
    setUp: setUp.map(({ name, updates = [], gone, second }, at) => ({
      id: `MADE${at + 1}`,
      name: inJson(name),
      updates: updates.map(inJson),
      isGone: gone === true,
      isSecond: second === true,
    })),
    steps: sent.map((exchange, at) =>
      stepOf(exchange, standIns, created.get(exchange), secrets, sent.slice(0, at)),
    ),
    secrets: [...secrets],
    judge,
    status: decisive.answer?.status ?? 0,
    looks: looksOf(
      sent,
      standIns,
      [...namesOfSetUp, ...sent.flatMap(nameIn), ...listedAs(reason)],
      OF_ANOTHER_TAG.test(reason) ? [] : [...namesOfSetUp, ...unmadeIn(reason)],
      listedAs(reason),
    ),
    shape: shapeOf(body.replace(REST_OF_LIST, '')),
    nameForms: nameForms.map((form) => standIns.inText(form)),
  };
}

/** Whether the finding is that a list shows a tag of the other account, and the list shows none of the set-up. */
function showsNoneOfOther(
  reason: string,
  { answer }: Evidence,
  setUp: NonNullable<ReportedRequirement['setUp']>,
): boolean {
  const lister = /^the list of the (first|second) account shows the tag/.exec(reason)?.[1];
  if (lister === undefined) return false;
  const entries = entriesOf(answer?.body ?? '');
  const ofOther = setUp.filter(({ second }) => (second === true) !== (lister === 'second'));
  return ofOther.length > 0 && ofOther.every(({ tag_id: tagId }) => countIn(entries, `"${tagId}"`) === 0);
}

/** The name of a tag that should not be there, if the finding is about one. */
const unmadeIn = (reason: string): string[] =>
  [...reason.matchAll(/a tag named "([^"]+)" that was (?:never made|deleted)/g)].flatMap(
    ([, name = '']) => name,
  );

/** The name that a list gives a tag in place of its own, if the finding is about one. */
const listedAs = (reason: string): string[] =>
  [...reason.matchAll(/\b(?:listed as|is named) "([^"]+)"/g)].flatMap(([, name = '']) => name);

/** Tags that filtered lists show and that no request of the case makes or names. */
function shownIn(
  sent: readonly Evidence[],
  known: NonNullable<ReportedRequirement['setUp']>,
): NonNullable<ReportedRequirement['setUp']> {
  const bodies = sent.map(({ request: { body } }) => body ?? '').join('\n');
  const shown = sent.flatMap(({ request, answer }) => {
    const filter = request.url.split('?tag=')[1];
    return filter === undefined || !/^[a-z]{14}$/.test(filter)
      ? []
      : entriesOf(answer?.body ?? '').flatMap((entry) => {
          const tagId = /"tag_id":"([^"]+)"/.exec(entry)?.[1];
          return tagId !== undefined && entry.includes(`"name":"${filter}"`)
            ? [{ tag_id: tagId, name: filter }]
            : [];
        });
  });
  const made = new Map(shown.map((tag) => [tag.tag_id, tag]));
  return [...made.values()]
    .filter(
      ({ tag_id: tagId, name }) =>
        !bodies.includes(name) && !known.some((one) => one.tag_id === tagId || one.name === name),
    )
    .slice(0, 1);
}

/** What a report says in place of the tags of a long list that it leaves out. */
const REST_OF_LIST = / and \d+ more tags$/;

const OVERLAPPING = /^(overlap\/|login\/at-once$)/;
/** Matches findings about a tag that has a tag_id in the script. Further tags of the run may have the same name. */
const OF_ANOTHER_TAG = /\banother tag (is no longer listed|is now named)|the name of another tag/;
const OF_MANY_TAGS = /\bmany tags\b/;
const OF_CONNECTIONS = /^transport\/connection-keeps-nothing$/;
const OF_THE_RUN =
  /^(create\/lasts|transport\/works-to-the-end|account\/ids-alike|list\/(shows-effects-at-once|changes-nothing))$/;

/** The requests of a case in the order in which they were sent, up to the one that decides and the lists that follow it. */
function upTo(decisive: Evidence, { kind }: Judge, exchanges: readonly Evidence[]): Evidence[] {
  const all = exchanges.toSorted((one, other) => one.number - other.number);
  if (kind === 'messages' || kind === 'ids' || kind === 'growth' || kind === 'again') return all;
  const isLook = kind === 'list';
  const next = all.findIndex(
    ({ number, request }) => number > decisive.number && !(isLook && request.method === 'GET'),
  );
  return next < 0 ? all : all.slice(0, next);
}

const ofAddress = (requirement: ReportedRequirement): Replay => ({
  requirement,
  names: [],
  setUp: [],
  steps: [],
  secrets: [],
  judge: { kind: 'address' },
  status: 0,
  looks: { lists: 0, texts: [], seen: '' },
  shape: '',
  nameForms: [],
});

/** Replaces what differs from run to run in the requests: names and tag_ids. */
function standInsFor(
  { setUp = [], id, reason }: ReportedRequirement,
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
  // If the target gave a tag another tag_id, the requests use the new one.
  const isKnown = (segment: string): boolean =>
    made.some(
      ({ tagId }) =>
        segment.startsWith(tagId) || segment.startsWith(encoded(tagId)) || decoded(segment) === tagId,
    );
  const lost = sent.flatMap((exchange) => addressedIn(exchange) ?? []).find((one) => !isKnown(one));
  const moved = setUp.findIndex(
    ({ tag_id: tagId }) => !sent.some(({ request }) => request.url.includes(encoded(tagId))),
  );
  if (lost !== undefined && moved >= 0 && !/unknown|again|whole|percent/.test(id)) {
    const isSent = sent.some(({ request }) => request.body?.includes(`"${setUp[moved]?.tag_id}"`));
    if (isSent) made.splice(moved, 1);
    made.push({ variable: `MADE${moved + 1}`, tagId: lost });
  }
  const texts = sent.map(({ request }) => `${request.url} ${request.body ?? ''}`);
  const given = setUp.flatMap(({ name, updates = [] }) => [name, ...updates]);
  const keepsNames = /^the filter by .* finds the tag named/.test(reason);
  return new StandIns([...texts, ...given], given, made, { keepsNames });
}

/** The name in the body of a request, as written there. */
const nameIn = ({ request: { body } }: Evidence): string[] =>
  nameFormsOf(nameOf(body ?? ''))
    .slice(0, 1)
    .map((form) => form.slice(1, -1));

/** The name in the last request with a body, or the one that was expected, if the body is too large for the report. */
function nameSent(sent: readonly Evidence[], reason: string): string | undefined {
  const last = sent.findLast(({ request }) => request.body !== undefined);
  const expected = /, not ("(?:[^"\\]|\\.)+")/.exec(reason)?.[1];
  const isCut = last?.file !== undefined && expected?.includes('…') === false;
  return isCut ? nameOf(`{"name":${expected}}`) : nameOf(last?.request.body ?? '');
}

/** The name in a body; undefined if it holds none. */
function nameOf(body: string): string | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const name = typeof value === 'object' && value !== null && 'name' in value ? value.name : undefined;
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}

/** A name as JSON texts: as it is, and in ASCII. */
function nameFormsOf(name: string | undefined): string[] {
  if (name === undefined) return [];
  const json = JSON.stringify(name);
  const ascii = json.replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const upper = ascii.replace(/\\u[\da-f]{4}/g, (code) => `\\u${code.slice(2).toUpperCase()}`);
  return [...new Set([json, ascii, upper])];
}
