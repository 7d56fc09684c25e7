import { decisiveIn } from './at-fault.ts';
import { fits, isOneOf } from './composite.ts';
import type { ReportedRequirement } from './schema.ts';

/**
 * The findings in the order in which they lead, the most basic one first. The first pattern that matches an id gives
 * its rank. An id that only `*` matches keeps the order of the catalogue.
 */
const ORDER: readonly string[] = [
  'transport/certificate',
  'transport/https',
  'transport/not-redirected',
  'transport/framing',
  'transport/json',
  'transport/media-type',
  'transport/connection-keeps-nothing',
  'transport/body-of-refusal',
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
  // A race of logins gives one account the token of another.
  'login/at-once',
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
  'list/ids-once',
  'create/lasts',
  'list/agrees',
  'create/same-name-twice',
  // If letters are lost, so are the odd blanks and marks beyond them.
  'name/letters',
  'name/latin',
  'name/scripts',
  'name/emoji',
  'name/*',
  'update/to-any-name',
  'update/to-a-name-alike',
  // These fail as well if an update to some name fails.
  'update/name-falsy',
  'name/long',
  'name/whole-forms',
  'name/empty',
  'name/bare',
  'delete/every-tag',
  'list/filter-of-any-form',
  'transport/works-to-the-end',
  'sequence/*',
  'overlap/*',
];

/** Findings that the run made between checks. Each check of what they are about passed, so another finding leads. */
const BETWEEN_CHECKS: Readonly<Record<string, RegExp>> = {
  'account/list-is-private': /^the list of one account shows/,
  'create/distinct-ids': /^create gave the tag_id/,
  'create/persists': /^(?:a )?create .*was acknowledged/,
  'list/holds-all-tags': /, which lists before and after it show\b/,
  'delete/takes-effect': /, yet a list that was requested later shows/,
};

export const isBetweenChecks = ({ id, reason }: ReportedRequirement): boolean =>
  BETWEEN_CHECKS[id]?.test(reason) === true;

/** Whether two tags of one name are the reason: the filter, or a later create, treats them as one. */
export const isOfTwins = ({ id, reason }: ReportedRequirement): boolean =>
  (id === 'update/others-stay' && reason.endsWith('finds only the other tag')) ||
  (id === 'update/takes-effect' && reason.includes('to a create with the name that another tag had'));

/** Whether lists that were requested at the same time differ for good: then any look may show what was true before a write. */
export const isOfStaleLists = ({ id, reason }: ReportedRequirement): boolean =>
  id === 'list/agrees' &&
  /one of several concurrent lists shows the tag as|, but lists before and after it show it as/.test(reason);

/** Whether plain requests failed now and then: the run does not know why. */
export const isSporadic = ({ reason }: ReportedRequirement): boolean =>
  reason.includes('although no other request of the run was under way');

/** Whether the delete of a tag that does not exist failed, with a tag_id of another form than the target's. */
export const isOfMissingTag = ({ id, reason }: ReportedRequirement): boolean =>
  id === 'delete/id-as-a-whole' && reason.includes('no tag has that tag_id');

/** Requirements that use other tokens than the run's own. */
const CONFIRMED_IN_VAIN = ['scope/sets', 'token/from-the-control-panel'];

/** The rank: findings that more basic faults often cause come later. */
export function rankOf(one: ReportedRequirement): number {
  const { id, reason } = one;
  // The operation fails whatever is sent, so that other checks of it fail as well.
  if (isOneOf(id, ['create/answers', 'transport/works-to-the-end']) && /\banswered 5\d\d/.test(reason))
    return ORDER.indexOf('create/name-*') - 0.5;
  // The operation's own requirements report the unexpected status.
  if (id === 'transport/not-redirected' && !reason.includes('redirect')) return ORDER.length;
  if (isOfTheEnd(id, reason)) return ORDER.length;
  if (isOfTwins(one)) return ORDER.indexOf('update/to-a-name-alike') + 0.5;
  if (isBetweenChecks(one) && id === 'delete/takes-effect') return ORDER.indexOf('delete/every-tag') - 0.5;
  if (isBetweenChecks(one) && id === 'account/list-is-private') return ORDER.length;
  // The list without a filter was asked first, and showed nothing wrong.
  if (id === 'account/list-is-private' && /[?&]tag=/.test(decisiveIn(one)?.request.url ?? ''))
    return ORDER.indexOf('account/filter-is-private') + 0.5;
  const isEffect =
    isOneOf(id, ['create/name-*', 'update/name-*']) &&
    /\byet\b|, and the tag is\b|after others of it/.test(reason);
  // A finding about one kind of body says more than one about several.
  const ofSeveral = /\/name-(?:falsy|elsewhere)$/.test(id) ? 0.5 : 0;
  if (isEffect) return ORDER.indexOf('*') + ofSeveral;
  // A scope that permits too little, rather than a tag that belongs to one token.
  if (id === 'token/stands-for-the-account' && reason.includes('answered 403'))
    return ORDER.indexOf('scope/*');
  // Updates fail, whatever the token.
  if (id === 'token/stands-for-the-account' && /answered 5\d\d/.test(reason))
    return ORDER.indexOf('sequence/*');
  if (isOfMissingTag(one)) return ORDER.indexOf('*') + 0.5;
  // Only the answer is wrong: no tag was removed.
  if (id === 'delete/unknown-removes-nothing' && reason.startsWith('answered ')) return ORDER.indexOf('*');
  // A confirmed update or delete without effect, with one of the tokens that were asked. Lists that differ may hide the effect.
  if (isOneOf(id, CONFIRMED_IN_VAIN) && reason.includes('answered 200'))
    return ORDER.indexOf('list/agrees') + 0.5;
  const named = ORDER.indexOf(id);
  const at = named >= 0 ? named : ORDER.findIndex((pattern) => pattern !== '*' && fits(id, pattern));
  return (at < 0 ? ORDER.indexOf('*') : at) + ofSeveral;
}

/**
 * Whether the finding comes from the removal of tags at the end: that says only that a create had no effect or a wrong one,
 * and another check says why.
 */
export const isOfTheEnd = (id: string, reason: string): boolean =>
  id === 'create/persists' && reason.includes('at the end of the run');
