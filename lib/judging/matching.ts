import type { z } from 'zod';
import { accepted, type Exchange, statusOf } from '../http/exchange.ts';
import { bodyOfSuccess, misfit } from '../spec/bodies.ts';
import type { Operation } from '../spec/operations.ts';
import { whatCame } from '../http/wording.ts';
import { broken, holds, type Outcome } from '../outcome.ts';

/** Whether an exchange succeeded: every success is 200, with a body of the form in section 4. */
export function succeeds(exchange: Exchange): Outcome {
  const why = mismatch(exchange, 200, bodyOfSuccess[exchange.ask.operation]);
  return why === undefined ? holds() : broken(why, exchange);
}

/**
 * Watches every success of an operation during a run: some servers answer otherwise in one account, or for some names.
 *
 * @param isMeant whether a request counts, by default each whose answer is not left open.
 */
export const everySuccess =
  (operation: Operation, isMeant: (ask: Exchange['ask']) => boolean = () => true) =>
  (exchange: Exchange): string | undefined => {
    const { ask } = exchange;
    // 304 stands for a success, but only answers a condition (RFC 9110, 15.4.5), which these requests lack.
    const succeeded = accepted(exchange) || statusOf(exchange) === 304;
    const isOne = ask.regular && ask.operation === operation && succeeded && isMeant(ask);
    return isOne ? mismatch(exchange, 200, bodyOfSuccess[operation]) : undefined;
  };

/** Whether the refusal has this status and a body of this form. */
export function refuses(
  { accepted: twin, refused }: { readonly accepted: Exchange; readonly refused: Exchange },
  status: number,
  shape?: z.ZodType,
): Outcome {
  const why = mismatch(refused, status, shape);
  return why === undefined ? holds() : broken(why, refused, twin);
}

/** The difference between an answer and the expected status and form, in one clause; undefined if there is none. */
export function mismatch(exchange: Exchange, status: number, shape?: z.ZodType): string | undefined {
  const { answer } = exchange;
  if (answer === undefined || answer.status !== status) return `${whatCame(exchange)}, not ${status}`;
  if (shape === undefined) return undefined;
  if (answer.json.value === undefined) return `answered ${status}, but ${answer.json.problem}`;
  const misfits = misfit(shape, answer.json.value);
  return misfits === undefined ? undefined : `answered ${status}, but ${misfits}`;
}
