import type { Losses } from './losses.ts';
import { isClientError, isUnanswered, statusOf, type Exchange } from '../http/exchange.ts';
import { undecided, type Outcome } from '../outcome.ts';
import type { Requirement } from '../requirement.ts';
import { REPEATABLE } from './schedule.ts';
import type { Obstacle } from './session.ts';

/** What a check found. */
export interface Found {
  readonly requirement: Requirement;
  readonly outcome: Outcome;
  readonly durationMs: number;
}

/** How often a broken requirement was checked in all, and how often it failed. */
export interface Steadiness {
  readonly asked: number;
  readonly failed: number;
}

/** A broken requirement was checked once, and failed. */
export const ONCE: Steadiness = { asked: 1, failed: 1 };

// These rules decide whether an outcome counts. If it may not be due to a fault of the target, its requirement is checked again, or the
// outcome becomes undecided.

/**
 * Whether an undecided outcome may be decided by a repetition: a step failed, perhaps because of other checks; or the check found
 * something and had no requests left to confirm it. The run keeps some requests for its end.
 */
export const isUndecidedForNow = ({ requirement: { level, when = 'main' }, outcome }: Found): boolean =>
  level !== 'advisory' &&
  level !== 'open' &&
  REPEATABLE.has(when) &&
  outcome.kind === 'undecided' &&
  (outcome.because === 'failure' || (outcome.because === 'budget' && outcome.exchanges.length > 0));

/** Whether a check can be repeated at the end. Logins and the last phase cannot. */
export const canBeRepeated = ({ requirement: { when = 'main' } }: Found): boolean =>
  REPEATABLE.has(when) || when === 'throughout';

/** The path of the case that was found. */
export const casePathOf = (outcome: Outcome): string | undefined =>
  outcome.kind === 'broken' ? outcome.example?.path : undefined;

/** Whether a finding has a large answer, of which only the start was kept. */
export const isLarge = ({ outcome }: Found): boolean =>
  outcome.kind === 'broken' && outcome.exchanges.some(({ answer }) => answer?.length !== undefined);

/** Whether the evidence of an outcome holds a create that was refused with a status that may mean a full account. */
export const restsOnRefusedCreate = (outcome: Outcome): boolean => restsOn(outcome, isRefusedCreate);

/**
 * Whether the evidence of an outcome holds such a create, or an update that was refused with 409: another tag may have had the name at
 * that moment.
 */
export const restsOnPassingRefusal = (outcome: Outcome): boolean =>
  restsOn(outcome, (one) => isRefusedCreate(one) || isConflictOfUpdate(one));

function restsOn(outcome: Outcome, isSuch: (exchange: Exchange) => boolean): boolean {
  const finding = outcome.kind === 'holds' ? outcome.warning : outcome;
  return outcome.kind !== 'observed' && finding !== undefined && finding.exchanges.some(isSuch);
}

const isConflictOfUpdate = (exchange: Exchange): boolean =>
  exchange.ask.operation === 'rename' && statusOf(exchange) === 409;

/** 401 concerns the credentials (RFC 9110, 15.5.2), and 507 means that there is no room (RFC 4918, 11.5). */
const isRefusedCreate = (exchange: Exchange): boolean =>
  exchange.ask.operation === 'create' &&
  ((isClientError(exchange) && statusOf(exchange) !== 401) || statusOf(exchange) === 507);

/** After a failed preflight, its failed step is the reason why nothing was decided. */
export function unlessObstructed(outcome: Outcome, obstacle: Obstacle | undefined): Outcome {
  if (obstacle === undefined || outcome.kind !== 'undecided' || outcome.because !== 'failure') return outcome;
  const { step, why, exchanges } = obstacle;
  return undecided('failure', `preflight could not ${step}: ${why}`, ...exchanges);
}

/** Why a finding does not count if a create of its check may have been refused for the number of tags: quotas are open (8). */
export const ACCOUNT_FULL = 'the target limits the number of tags too much for this to be decided';

/** Why a finding does not count if a create of its check may have been refused because a quota of creates is used up. */
export const CREATES_USED_UP =
  'the target refuses all further creates of this run, which may be due to a quota';

/** Makes a finding undecided for this reason. */
export const undecidedBecause = (reason: string, outcome: Outcome): Outcome =>
  outcome.kind === 'broken'
    ? undecided('failure', `${reason}: ${outcome.why}`, ...outcome.exchanges)
    : outcome;

/** The size of an answer is open (8), and the client cannot read some lawful answers: an unread answer decides nothing. */
export function unlessUnread(outcome: Outcome): Outcome {
  const isUnread =
    outcome.kind === 'broken' &&
    outcome.exchanges.some(({ failure }) => failure?.kind === 'oversized' || failure?.kind === 'unreadable');
  return isUnread ? undecided('failure', outcome.why, ...outcome.exchanges) : outcome;
}

/** A finding based on closed connections counts only if they were closed each time. */
export function unlessByChance(
  outcome: Outcome,
  { when = 'main' }: Requirement,
  losses: Losses,
  { asked, failed }: Steadiness = ONCE,
): Outcome {
  if (outcome.kind !== 'broken') return outcome;
  const closed = outcome.exchanges.filter(({ failure }) => failure?.kind === 'closed');
  const isRepeated = asked > 1 || !REPEATABLE.has(when) || closed.every((one) => losses.isSteady(one));
  return closed.length === 0 || (failed === asked && isRepeated)
    ? outcome
    : undecided('failure', `${outcome.why}, which may be due to the connection`, ...outcome.exchanges);
}

/** Whether a finding is based on a missing answer. It counts only if the target did not go down. */
export const isUnansweredFinding = (outcome: Outcome): outcome is Outcome & { readonly kind: 'broken' } =>
  outcome.kind === 'broken' && outcome.exchanges.some(isUnanswered);

/** @param gone why the target counts as gone, if it does. */
export const unlessGone = (outcome: Outcome, gone: string | undefined): Outcome =>
  gone !== undefined && isUnansweredFinding(outcome)
    ? undecided('failure', gone, ...outcome.exchanges)
    : outcome;
