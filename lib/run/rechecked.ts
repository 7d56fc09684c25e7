import { isClientError, statusOf, type Exchange } from '../http/exchange.ts';
import type { Outcome } from '../outcome.ts';
import type { Found } from './results.ts';
import { REPEATABLE } from './schedule.ts';

/** Whether a check could not decide because of a failed step, which other checks at the same time may have caused. */
export const isWorthRechecking = ({ requirement: { level, when = 'main' }, outcome }: Found): boolean =>
  level !== 'advisory' &&
  level !== 'open' &&
  REPEATABLE.has(when) &&
  outcome.kind === 'undecided' &&
  outcome.because === 'failure';

/** Whether a requirement can be rechecked at the end. Logins and the last phase cannot be repeated. */
export const isRecheckable = ({ requirement: { when = 'main' } }: Found): boolean =>
  REPEATABLE.has(when) || when === 'throughout';

/** The path of the case that was found. */
export const pathOf = (outcome: Outcome): string | undefined =>
  outcome.kind === 'broken' ? outcome.example?.path : undefined;

/** Whether a finding has a large answer, of which only the start was kept. */
export const isLarge = ({ outcome }: Found): boolean =>
  outcome.kind === 'broken' && outcome.exchanges.some(({ answer }) => answer?.length !== undefined);

/** Whether the evidence of an outcome holds a create that was refused as a full account refuses creates. */
export function restsOnRefusedCreate(outcome: Outcome): boolean {
  const finding = outcome.kind === 'holds' ? outcome.warning : outcome;
  return outcome.kind !== 'observed' && finding !== undefined && finding.exchanges.some(isRefusedCreate);
}

/** 401 concerns the credentials (RFC 9110, 15.5.2), and 507 means that there is no room (RFC 4918, 11.5). */
const isRefusedCreate = (exchange: Exchange): boolean =>
  exchange.ask.operation === 'create' &&
  ((isClientError(exchange) && statusOf(exchange) !== 401) || statusOf(exchange) === 507);
