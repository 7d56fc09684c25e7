import { isClientError, statusOf, type Exchange } from '../http/exchange.ts';
import type { Outcome } from '../outcome.ts';

/** Whether what went wrong shows a create that was refused, as a full account would refuse it. */
export function restsOnRefusedCreate(outcome: Outcome): boolean {
  const finding = outcome.kind === 'holds' ? outcome.warning : outcome;
  return outcome.kind !== 'observed' && finding !== undefined && finding.exchanges.some(isRefusedCreate);
}

/** 401 is about the credentials (RFC 9110, 15.5.2), and 507 says that there is no room (RFC 4918, 11.5). */
const isRefusedCreate = (exchange: Exchange): boolean =>
  exchange.ask.operation === 'create' &&
  ((isClientError(exchange) && statusOf(exchange) !== 401) || statusOf(exchange) === 507);
