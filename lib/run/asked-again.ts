import { isClientError, statusOf, type Exchange } from '../http/exchange.ts';
import type { Outcome } from '../outcome.ts';
import type { Found } from './results.ts';
import { REPEATABLE } from './schedule.ts';

// Which findings are asked again.

/** Something that the target did kept a check from deciding anything, perhaps because of what others asked meanwhile. */
export const isSpoilt = ({ requirement: { level, when = 'main' }, outcome }: Found): boolean =>
  level !== 'advisory' &&
  level !== 'open' &&
  REPEATABLE.has(when) &&
  outcome.kind === 'undecided' &&
  outcome.because === 'failure';

/** Logins are not repeated, and what is asked last of all may have broken the target. */
export const isDoubted = ({ requirement: { when = 'main' }, outcome }: Found): boolean =>
  (REPEATABLE.has(when) || when === 'throughout') && restsOnRefusedCreate(outcome);

/** Leads to the one case that was found. */
export const pathOf = (outcome: Outcome): string | undefined =>
  outcome.kind === 'broken' ? outcome.example?.path : undefined;

/** Only the start of a large answer was kept of a finding. */
export const isLarge = ({ outcome }: Found): boolean =>
  outcome.kind === 'broken' && outcome.exchanges.some(({ answer }) => answer?.length !== undefined);

/** Whether what went wrong shows a create that was refused, as a full account would refuse it. */
export function restsOnRefusedCreate(outcome: Outcome): boolean {
  const finding = outcome.kind === 'holds' ? outcome.warning : outcome;
  return outcome.kind !== 'observed' && finding !== undefined && finding.exchanges.some(isRefusedCreate);
}

/** 401 is about the credentials (RFC 9110, 15.5.2), and 507 says that there is no room (RFC 4918, 11.5). */
const isRefusedCreate = (exchange: Exchange): boolean =>
  exchange.ask.operation === 'create' &&
  ((isClientError(exchange) && statusOf(exchange) !== 401) || statusOf(exchange) === 507);
