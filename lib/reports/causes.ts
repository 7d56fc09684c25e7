import type { Operation } from '../spec/operations.ts';
import { ASKS_MANY, fits, isOneOf } from './composite.ts';
import { decisiveIn, operationAtFault } from './at-fault.ts';
import type { Cause, ReportedRequirement } from './schema.ts';

/**
 * Which findings lead, from the most basic one. The first pattern that fits an id gives its rank; what fits none comes
 * after `*`, in the order of the catalogue.
 */
const ORDER: readonly string[] = [
  'transport/certificate',
  'transport/https',
  'transport/not-redirected',
  'transport/framing',
  'transport/json',
  'transport/media-type',
  'transport/connection-keeps-nothing',
  'login/needs-no-authorization',
  'login/answers',
  'login/token-fits-a-header',
  'token/suffices',
  'scope/api-permits-all',
  'login/*',
  'create/name-*',
  'update/name-*',
  'list/answers',
  'list/answers-filtered',
  'create/distinct-ids',
  'list/changes-nothing',
  'update/id-as-a-whole',
  'update/unknown-changes-nothing',
  'delete/unknown-removes-nothing',
  'update/others-stay',
  'create/answers',
  'create/echoes-name',
  'create/persists',
  'list/filter-excludes',
  'list/filter-includes',
  'account/list-is-private',
  'account/filter-is-private',
  'token/stands-for-the-account',
  // This one is decided only if deletes of tags that were never updated work.
  'delete/after-update',
  '*',
  // These also update a tag.
  'transport/chunked-body',
  'create/json-*',
  'scope/api-among-others',
  'scope/refusal-has-no-effect',
  'scope/*',
  'token/from-the-control-panel',
  'login/at-once',
  'list/ids-once',
  'create/lasts',
  'update/to-any-name',
  'update/to-a-name-alike',
  // If letters are lost, so are the odd blanks and marks beyond them.
  'name/letters',
  'name/latin',
  'name/scripts',
  'name/emoji',
  'name/*',
  'create/same-name-twice',
  'delete/every-tag',
  'list/agrees',
  'list/filter-of-any-form',
  'transport/works-to-the-end',
  'sequence/*',
  'overlap/*',
];

/** Faults that change or hide the tags of other checks. */
const DAMAGING = [
  'list/answers',
  'list/answers-filtered',
  'list/changes-nothing',
  'list/filter-includes',
  'create/distinct-ids',
  'create/persists',
  'update/unknown-changes-nothing',
  'delete/unknown-removes-nothing',
  'token/stands-for-the-account',
  'update/others-stay',
];

/** Findings that follow from another, by that finding. */
const FOLLOWS: Readonly<Record<string, readonly string[]>> = {
  // Nothing else was checked.
  'transport/certificate': ['*'],
  // A tag whose name is no string breaks the lists that show it.
  'create/name-*': ['list/answers*', 'create/name-falsy', 'create/name-elsewhere'],
  'update/name-*': ['list/answers*', 'update/name-falsy', 'update/name-elsewhere'],
  'create/answers': ['create/echoes-name', 'create/persists'],
  // The next tag_id may be the one that a client sent.
  'create/distinct-ids': ['create/assigns-the-id'],
  'delete/*': ['account/delete-is-private'],
  'delete/after-update': ['delete/takes-effect', 'create/lasts', 'scope/sets'],
  'list/filter-excludes': ['list/answers-nothing', 'list/filter-includes'],
  'scope/answers-alike': ['create/persists'],
  'update/takes-effect': [
    'delete/takes-effect',
    'delete/after-update',
    'delete/id-percent-encoded',
    'update/*',
  ],
  'update/id-as-a-whole': ['delete/id-as-a-whole', 'delete/unknown-removes-nothing'],
  'delete/unknown-404': ['delete/unknown-removes-nothing'],
  'delete/unknown-removes-nothing': ['delete/unknown-404', 'update/unknown-changes-nothing'],
  'update/keeps-the-id': ['list/ids-once'],
  'token/empty': ['token/made-up', 'token/end-cut'],
  'token/half-way-changed': ['token/end-*', 'token/altered-anywhere'],
  'token/end-changed': ['token/end-cut', 'token/altered-anywhere'],
  'token/signature-end-changed': ['token/end-cut', 'token/altered-anywhere'],
  'token/signature-stripped': ['token/algorithm-none', 'token/end-cut'],
  'scope/api-among-others': ['scope/any-order', 'scope/sets', 'token/stands-for-the-account'],
  'scope/refusal-has-no-effect': ['scope/read-only-cannot-write'],
  'token/stands-for-the-account': ['token/from-the-control-panel', 'scope/*', 'create/lasts'],
};

const OF_LOGINS = ['login/*', 'account/*'];
const OF_TAGS = ['create/*', 'update/*', 'list/*', 'delete/*', 'name/*'];

/** An altered token that is accepted shows that the signature is not checked: other altered tokens are accepted, too. */
const UNSIGNED = [
  'token/made-up',
  'token/never-issued',
  'token/payload-changed',
  'token/signature-start-changed',
];
const ALTERED = [
  ...UNSIGNED,
  'token/expiry-later',
  'token/signature-*',
  'token/algorithm-none',
  'token/half-way-changed',
  'token/end-*',
  'token/altered-anywhere',
  'token/scope-widened',
  'token/header-forged',
  'token/form-forged',
];

/** A wrong state of tags, rather than a wrong answer. */
const EFFECT =
  /\b(yet|no longer|listed|lists? shows?|became|twice|is now named|was changed|carried out|does not find|finds the tag|that made the tag|without the usual effect|answered 404)\b/;

/**
 * Another tag has a whole name of the run, which only an update can have given it: if updates change other tags, other
 * requests are blamed for it as well.
 */
const OTHER_RENAMED = /(?:another|account's) tag is now named "[a-z]{14}"/;
const RENAMING = 'update/others-stay';

/** A tag has another name than the one that was sent. */
const OTHER_NAME = /^(?:the tag is listed with the name|the name became) "/;

/** A delete that is refused leaves the tag. */
const REFUSED_DELETE = /\bdelete answered [45]\d\d, yet\b/;

/** Why something is undecided that no finding explains. */
const OF_THE_RUN = /\bran out\b|stopped answering|interrupted|fault of the suite/;

/** A finding and what distinguishes it from others. */
interface Features {
  readonly one: ReportedRequirement;
  readonly operation: Operation | undefined;
  /** The sentence without values of this run. */
  readonly symptom: string;
  /** The number of the exchange that decides. */
  readonly decisive: number | undefined;
}

/**
 * Finds the causes of failures: each failure leads a cause or follows from one that leads. Undecided requirements wait
 * for a cause if they share its operation or its exchange.
 */
export function causesOf(requirements: readonly ReportedRequirement[]): Cause[] {
  const failures = requirements.filter(({ verdict }) => verdict === 'fail').map(featuresOf);
  const renames = failures.some(({ one }) => one.id === RENAMING && OTHER_RENAMED.test(one.reason));
  const isBlamed = ({ one }: Features): boolean =>
    renames && one.id !== RENAMING && OTHER_RENAMED.test(one.reason);
  const byRank = failures.toSorted((one, other) => rankOf(one.one) - rankOf(other.one));
  const ranked = [...byRank.filter((one) => !isBlamed(one)), ...byRank.filter(isBlamed)];
  const groups: Features[][] = [];
  for (const finding of ranked) {
    const fitting = groups.filter((members) => {
      const [lead] = members;
      return (
        lead !== undefined && (explains(lead, finding) || members.some((one) => sharesFault(one, finding)))
      );
    });
    // Of several, the one about the same operation says more.
    const group = fitting.find(([lead]) => lead?.operation === finding.operation) ?? fitting[0];
    if (group === undefined) groups.push([finding]);
    else group.push(finding);
  }
  const undecided = requirements
    .filter(({ verdict, reason }) => verdict === 'error' && !OF_THE_RUN.test(reason))
    .map(featuresOf);
  const waiting = new Map(undecided.map((one) => [one, awaited(one, groups)]));
  return groups.flatMap((members) => {
    const [lead, ...others] = members;
    if (lead === undefined) return [];
    return [
      {
        id: lead.one.id,
        explains: others.map(({ one }) => one.id),
        waiting: undecided.filter((one) => waiting.get(one) === members).map(({ one }) => one.id),
      },
    ];
  });
}

/** Requirements that ask with other tokens than that of the run. */
const CONFIRMED_IN_VAIN = ['scope/sets', 'token/from-the-control-panel'];

/** The rank: findings that more basic faults often cause come later. */
function rankOf({ id, reason }: ReportedRequirement): number {
  // An unexpected status of one operation, which that operation's own requirements name.
  if (id === 'transport/not-redirected' && !reason.includes('redirect')) return ORDER.length;
  if (isOfTheEnd(id, reason)) return ORDER.length;
  const isEffect =
    isOneOf(id, ['create/name-*', 'update/name-*']) &&
    /\byet\b|, and the tag is\b|after others of it/.test(reason);
  // One kind of body says more than several.
  const ofSeveral = /\/name-(?:falsy|elsewhere)$/.test(id) ? 0.5 : 0;
  if (isEffect) return ORDER.indexOf('*') + ofSeveral;
  // A scope that permits too little, rather than a tag that belongs to one token.
  if (id === 'token/stands-for-the-account' && reason.includes('answered 403'))
    return ORDER.indexOf('scope/*');
  // The answer alone is wrong: no tag was removed.
  if (id === 'delete/unknown-removes-nothing' && reason.startsWith('answered ')) return ORDER.indexOf('*');
  // A confirmed update or delete without effect, with one of the tokens that were asked.
  if (isOneOf(id, CONFIRMED_IN_VAIN) && reason.includes('answered 200'))
    return ORDER.indexOf('create/lasts') + 0.5;
  const named = ORDER.indexOf(id);
  const at = named >= 0 ? named : ORDER.findIndex((pattern) => pattern !== '*' && fits(id, pattern));
  return (at < 0 ? ORDER.indexOf('*') : at) + ofSeveral;
}

/** Tidying up says only that some create was in vain: a check that asked says why. */
const isOfTheEnd = (id: string, reason: string): boolean =>
  id === 'create/persists' && reason.includes('at the end of the run');

/** Whether the same operation fails in the same way, or in the same exchange. */
const sharesFault = (one: Features, other: Features): boolean =>
  (one.decisive !== undefined && one.decisive === other.decisive) ||
  (one.operation === other.operation && one.symptom === other.symptom);

/** Whether a finding follows from a more basic one. */
function explains(lead: Features, other: Features): boolean {
  const [id, otherId] = [lead.one.id, other.one.id];
  return (
    Object.entries(FOLLOWS).some(([first, later]) => fits(id, first) && isOneOf(otherId, later)) ||
    (isOneOf(otherId, ASKS_MANY) && isOneOf(id, fits(otherId, 'login/*') ? OF_LOGINS : OF_TAGS)) ||
    (fits(otherId, 'name/*') && isOneOf(id, OF_TAGS) && lead.operation === other.operation) ||
    (isOfTheEnd(otherId, other.one.reason) && isOneOf(id, OF_TAGS)) ||
    (isOneOf(id, DAMAGING) && EFFECT.test(other.one.reason)) ||
    (id === RENAMING && OTHER_RENAMED.test(other.one.reason)) ||
    (isOneOf(id, UNSIGNED) && isOneOf(otherId, ALTERED)) ||
    // An operation that needs no token takes every wrong one.
    (fits(id, 'token/missing-on-*') && fits(otherId, 'token/*') && lead.operation === other.operation) ||
    (id === 'create/echoes-name' && fits(otherId, 'create/*') && OTHER_NAME.test(other.one.reason)) ||
    (id === 'delete/answers' && REFUSED_DELETE.test(other.one.reason)) ||
    (fits(id, 'transport/*') && isSeenBy(lead, other)) ||
    (fits(otherId, 'transport/*') && isSeenBy(other, lead))
  );
}

/** Whether a rule about every answer of the run is broken by the answer that decides another finding. */
function isSeenBy({ one, operation }: Features, other: Features): boolean {
  const status = decisiveIn(one)?.answer?.status;
  return (
    operation === other.operation &&
    status === decisiveIn(other.one)?.answer?.status &&
    (status !== 200 || /\bbody\b|became|JSON/.test(other.one.reason))
  );
}

/** The cause that an undecided requirement waits for. */
function awaited(one: Features, groups: readonly Features[][]): Features[] | undefined {
  const numbers = one.one.exchanges.map(({ number }) => number);
  return (
    groups.find((members) =>
      members.some(({ decisive }) => decisive !== undefined && numbers.includes(decisive)),
    ) ??
    groups.find((members) => members.some((member) => sharesFault(member, one))) ??
    groups.find(([lead]) => lead !== undefined && lead.operation === one.operation) ??
    groups.find(([lead]) => lead !== undefined && isOneOf(lead.one.id, DAMAGING)) ??
    (groups.length === 1 ? groups[0] : undefined)
  );
}

function featuresOf(one: ReportedRequirement): Features {
  return {
    one,
    operation: operationAtFault(one),
    symptom: symptomOf(one.reason),
    decisive: decisiveIn(one)?.number,
  };
}

/** The sentence without quoted values, ids and counts of this run. */
const symptomOf = (reason: string): string =>
  reason
    .replace(/ \((and )?\d+ (more|times)[^)]*\)/g, '')
    .replace(/"(?:[^"\\]|\\.)*"?/gs, '…')
    .replace(/\/api\/v2\/\S+/g, '…')
    .replace(/\[\d+\]/g, '[]');
