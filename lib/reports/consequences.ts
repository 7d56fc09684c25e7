import { decisiveIn } from './at-fault.ts';
import {
  isBetweenChecks,
  isOfMissingTag,
  isOfStaleLists,
  isOfTheEnd,
  isOfTwins,
  isSporadic,
} from './cause-ranks.ts';
import { ASKS_MANY, fits, isOneOf } from './composite.ts';
import type { Features } from './finding-features.ts';
import type { ReportedRequirement } from './schema.ts';

/** Requirements whose faults change or hide the tags of other checks. */
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
  'overlap/*',
];

const MIXED_UP = [
  'transport/connection-keeps-nothing',
  'account/list-is-private',
  'account/filter-is-private',
  'login/at-once',
];

/** Whether a check found that a token stands for another account: then lists leave out tags, and creates seem lost. */
export const isMixedUp = (one: ReportedRequirement): boolean =>
  isOneOf(one.id, MIXED_UP) &&
  !isBetweenChecks(one) &&
  (one.id !== 'login/at-once' || one.reason.includes('of the other account'));

/** The answer to a request depends on an earlier one of its connection. */
const OF_CONNECTIONS = ['transport/connection-keeps-nothing', 'transport/body-of-refusal'];

/** What it leaves between checks. */
const EFFECTS_OF_MIXING = ['create/persists', 'list/holds-all-tags'];

/** For each finding, others that follow from it. */
const FOLLOWS: Readonly<Record<string, readonly string[]>> = {
  // Nothing else was checked.
  'transport/certificate': ['*'],
  // Names are not validated.
  'create/name-missing': ['create/name-*'],
  'update/name-missing': ['update/name-*'],
  // A tag whose name is no string breaks the lists that show it.
  'create/name-*': ['list/answers*', 'create/name-falsy', 'create/name-elsewhere'],
  'update/name-*': ['list/answers*', 'update/name-falsy', 'update/name-elsewhere'],
  'create/answers': ['create/echoes-name', 'create/persists'],
  // The next tag_id may be the one that a client sent.
  'create/distinct-ids': ['create/assigns-the-id'],
  // A list shows a tag that no delete finds any more.
  'delete/takes-effect': ['delete/every-tag'],
  'delete/after-update': ['delete/takes-effect', 'create/lasts', 'scope/sets'],
  'list/filter-excludes': ['list/answers-nothing', 'list/filter-includes'],
  'scope/answers-alike': ['create/persists'],
  'account/filter-is-private': ['account/list-is-private'],
  'login/at-once': ['token/stands-for-the-account'],
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
  'token/missing-on-update': ['create/lasts'],
  'token/missing-on-delete': ['create/lasts'],
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

/** For each requirement about which the run finds something between checks, the findings that explain it. */
const SHOWN_BETWEEN_CHECKS: Readonly<Record<string, readonly string[]>> = {
  'account/list-is-private': ['account/*', 'token/*', 'login/*', 'overlap/*'],
  'create/distinct-ids': ['overlap/*', 'name/distinct'],
  'create/persists': ['overlap/*', 'create/same-name-twice', 'list/holds-all-tags', 'account/same-name'],
  'delete/takes-effect': [
    'scope/*',
    'account/*',
    'overlap/*',
    'create/same-name-twice',
    'update/*',
    'list/*',
  ],
};

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

/** Matches a finding about a wrong state of tags, rather than a wrong answer. */
const EFFECT =
  /\b(yet|no longer|listed|lists? shows?|became|twice|is now named|was changed|carried out|does not (?:find|list)|finds the tag|that made the tag|without the usual effect|answered 404)\b/;

/** Matches a finding that may rest on a list that shows what was true before a write. */
const STALE = new RegExp(
  `${EFFECT.source}|, but the tag is named |without effect|does not show|did not change that tag|shows the tag`,
);

/**
 * Matches a finding that another tag now has a whole name of the run, which only an update can have given it. If
 * updates change other tags, checks blame other requests for it as well.
 */
const OTHER_RENAMED = /(?:another|account's) tag is now named "[a-z]{14}"/;

/** Whether a finding shows that an update gave its name to another tag. */
const showsRenaming = ({ id, reason }: ReportedRequirement): boolean =>
  (id === 'update/others-stay' && OTHER_RENAMED.test(reason)) ||
  (id === 'update/takes-effect' && reason.includes('update of another tag'));

/** Whether a finding shows that tags of the run vanish by themselves. */
const showsVanishing = ({ id, reason }: ReportedRequirement): boolean =>
  id === 'create/lasts' && reason.startsWith('a tag that nobody deleted ');

/** Whether a request is blamed for a tag that may have vanished by itself: another time the same request left it alone. */
const mayHaveVanished = ({ id, reason, steadiness }: ReportedRequirement): boolean =>
  id !== 'create/lasts' &&
  steadiness !== undefined &&
  steadiness.failed < steadiness.asked &&
  reason.endsWith('no longer listed');

/** Whether a finding shows that an acknowledged delete removes another tag as well. */
export const showsRemoval = ({ id, reason }: ReportedRequirement): boolean =>
  id === 'delete/others-stay' && reason === 'the delete answered 200, and another tag is no longer listed';

/** Whether a finding shows that tags of other checks are changed or hidden. */
export const isDamaging = (one: ReportedRequirement): boolean =>
  isOneOf(one.id, DAMAGING) || showsRemoval(one);

/** Whether a refused request is blamed for a tag that is gone: a delete of another check may have removed it. */
const blamesRefused = ({ reason }: ReportedRequirement): boolean =>
  /\banswered 4\d\d\b.*\b(?:no longer listed|is gone)$/.test(reason);

/**
 * Whether a check blames its own request for what another finding shows to be the work of updates, of deletes, or of the
 * target itself.
 */
export const blamesWrongly = (one: ReportedRequirement, shown: ReportedRequirement): boolean =>
  (showsRenaming(shown) && !showsRenaming(one) && OTHER_RENAMED.test(one.reason)) ||
  (showsRemoval(shown) && blamesRefused(one)) ||
  (showsVanishing(shown) && mayHaveVanished(one));

/** Matches a finding that a tag has another name than the one sent. */
const OTHER_NAME = /^(?:the tag is listed with the name|the name became) "/;

/** Matches a finding that only shows that a refused delete left the tag. */
const REFUSED_DELETE = /\bdelete answered [45]\d\d, yet\b/;

/** Whether a finding follows from a more basic one. */
export function explains(lead: Features, other: Features): boolean {
  const [id, otherId] = [lead.one.id, other.one.id];
  return (
    Object.entries(FOLLOWS).some(([first, later]) => fits(id, first) && isOneOf(otherId, later)) ||
    (isOneOf(otherId, ASKS_MANY) && isOneOf(id, fits(otherId, 'login/*') ? OF_LOGINS : OF_TAGS)) ||
    (fits(otherId, 'name/*') && isOneOf(id, OF_TAGS) && lead.operation === other.operation) ||
    (isOfTheEnd(otherId, other.one.reason) && isOneOf(id, OF_TAGS)) ||
    (isDamaging(lead.one) && !isOfTwins(lead.one) && EFFECT.test(other.one.reason)) ||
    // Updates that overlap take the name of one another.
    (id === 'overlap/explained-by-an-order' &&
      (other.operation === 'rename' || STALE.test(other.one.reason))) ||
    (isOfStaleLists(lead.one) && STALE.test(other.one.reason)) ||
    (isSporadic(other.one) && isOneOf(id, OF_CONNECTIONS)) ||
    (isOfTwins(other.one) && isOneOf(id, ['create/same-name-twice', 'update/*'])) ||
    (isBetweenChecks(other.one) && isOneOf(id, SHOWN_BETWEEN_CHECKS[otherId] ?? [])) ||
    (isBetweenChecks(other.one) && isOneOf(otherId, EFFECTS_OF_MIXING) && isMixedUp(lead.one)) ||
    (fits(otherId, 'account/*') && lead.one.reason.includes('both accounts gave the same token')) ||
    blamesWrongly(other.one, lead.one) ||
    // A wrong answer to the delete of a missing tag does not explain that another account's tag is gone.
    (fits(id, 'delete/*') &&
      otherId === 'account/delete-is-private' &&
      !(isOneOf(id, ['delete/again-404', 'delete/unknown-404']) && EFFECT.test(other.one.reason))) ||
    (isOfMissingTag(other.one) && isOneOf(id, ['delete/again-404', 'delete/unknown-404'])) ||
    (isOneOf(id, UNSIGNED) && isOneOf(otherId, ALTERED)) ||
    // One guard serves all operations.
    (fits(id, 'token/*') && fits(otherId, 'token/*') && lead.symptom === other.symptom) ||
    // An operation that needs no token accepts every wrong one.
    (fits(id, 'token/missing-on-*') && fits(otherId, 'token/*') && lead.operation === other.operation) ||
    (id === 'create/echoes-name' && fits(otherId, 'create/*') && OTHER_NAME.test(other.one.reason)) ||
    (id === 'delete/answers' && REFUSED_DELETE.test(other.one.reason)) ||
    (fits(id, 'transport/*') && isSeenBy(lead, other)) ||
    (fits(otherId, 'transport/*') && isSeenBy(other, lead))
  );
}

/** Whether a rule about every answer is broken by the answer that decides another finding. */
function isSeenBy({ one, operation }: Features, other: Features): boolean {
  const status = decisiveIn(one)?.answer?.status;
  return (
    operation === other.operation &&
    status === decisiveIn(other.one)?.answer?.status &&
    (status !== 200 || /\bbody\b|became|JSON/.test(other.one.reason))
  );
}
