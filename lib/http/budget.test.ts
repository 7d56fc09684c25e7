import { expect, test } from 'vitest';
import { BUDGETS } from '../effort.ts';
import type { Operation } from '../spec/operations.ts';
import { Budget, type Shortage } from './budget.ts';

/** Sends this many requests of one kind, and asks for one more. */
function shortageAfter(
  budget: Budget,
  count: number,
  operation: Operation,
  failed = false,
): Shortage | undefined {
  for (let sent = 0; sent < count; sent++) {
    budget.spend(operation);
    if (operation === 'login') budget.endLogin(failed);
  }
  return budget.shortage(operation);
}

test('a login for which no budget is left is lacking for the budget, not for the tester', () => {
  const { logins, failedLogins } = BUDGETS.quick;
  expect(shortageAfter(new Budget(BUDGETS.quick), logins, 'login')).toMatchObject({
    because: 'budget',
    why: expect.stringContaining('logins in a run is used up') as string,
  });
  expect(shortageAfter(new Budget(BUDGETS.quick), failedLogins, 'login', true)).toMatchObject({
    because: 'budget',
    why: expect.stringContaining('failed logins in a run is used up') as string,
  });
});

test('a request is lacking for the budget while others are reserved, and else fails the step', () => {
  const { requests } = BUDGETS.quick;
  const reserving = new Budget(BUDGETS.quick);
  reserving.reserve(10);
  expect(shortageAfter(reserving, requests, 'list')).toMatchObject({ because: 'budget' });
  expect(shortageAfter(new Budget(BUDGETS.quick), requests, 'list')).toMatchObject({ because: 'failure' });
});
