import { accepted, type bodies, type Exchange, succeeds } from '../lib/check.ts';

type Shape = (typeof bodies)[keyof typeof bodies];

/**
 * Watches every answer of a run with which an operation succeeds: some are answered otherwise in one account, or for some
 * names only.
 *
 * @param isMeant whether a request is of that operation; those whose answer is left open are passed over.
 */
export const everySuccess =
  (isMeant: (ask: Exchange['ask']) => boolean, shape: Shape) =>
  (exchange: Exchange): string | undefined => {
    if (!exchange.ask.regular || !isMeant(exchange.ask) || !accepted(exchange)) return undefined;
    const outcome = succeeds(exchange, shape);
    return outcome.kind === 'broken' ? outcome.why : undefined;
  };
