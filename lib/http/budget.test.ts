import { expect, test } from 'vitest';
import { BUDGETS } from '../effort.ts';
import type { Operation } from '../spec/operations.ts';
import { Budget } from './budget.ts';

/** Sends this many requests of one kind, and asks for one more. */
function shortageAfter(
  budget: Budget,
  count: number,
  operation: Operation,
  failed = false,
): string | undefined {
  for (let sent = 0; sent < count; sent++) {
    budget.spend(operation);
    if (operation === 'login') budget.endLogin(failed);
  }
  return budget.shortage(operation);
}

test('a login for which no budget is left is refused, with the limit that is used up', () => {
  const { logins, failedLogins } = BUDGETS.quick;
  expect(shortageAfter(new Budget(BUDGETS.quick), logins, 'login')).toContain('logins in a run is used up');
  expect(shortageAfter(new Budget(BUDGETS.quick), failedLogins, 'login', true)).toContain(
    'failed logins in a run is used up',
  );
});

test('requests are kept for each tag that exists', () => {
  const { requests } = BUDGETS.quick;
  const budget = new Budget(BUDGETS.quick);
  budget.tidying = () => 60;
  expect(shortageAfter(budget, requests - 61, 'list')).toBeUndefined();
  expect(shortageAfter(budget, 1, 'list')).toContain('is used up');
  budget.tidying = () => 56;
  expect(budget.shortage('list')).toBeUndefined();
  budget.tidy();
  expect(shortageAfter(budget, 60, 'list')).toBeUndefined();
  expect(budget.traffic.requests).toBe(requests);
});

test('tags are removed beyond the limit, with up to a tenth of all requests', () => {
  const { requests } = BUDGETS.quick;
  const budget = new Budget(BUDGETS.quick);
  budget.tidy();
  expect(shortageAfter(budget, requests + requests / 10 - 1, 'list')).toBeUndefined();
  expect(shortageAfter(budget, 1, 'list')).toContain('is used up');
  expect(budget.traffic.requests).toBe(requests);
});

test('requests that were forgiven before take nothing from removing the tags', () => {
  const { requests } = BUDGETS.quick;
  const budget = new Budget(BUDGETS.quick);
  for (let sent = 0; sent < requests; sent++) {
    budget.spend('list');
    budget.forgive('list');
  }
  budget.tidy();
  expect(
    shortageAfter(budget, requests - budget.traffic.requests + requests / 10 - 1, 'list'),
  ).toBeUndefined();
});

test('what is left of the requests is what may be sent, and nothing after that', () => {
  const budget = new Budget(BUDGETS.quick);
  budget.reserve(50);
  const { requestsLeft } = budget;
  expect(requestsLeft).toBeLessThan(BUDGETS.quick.requests - 50);
  expect(shortageAfter(budget, requestsLeft - 1, 'list')).toBeUndefined();
  expect(budget.requestsLeft).toBe(1);
  expect(shortageAfter(budget, 1, 'list')).toContain('is used up');
  expect(budget.requestsLeft).toBe(0);
});

test('where tokens end, one login more is kept until the closing login is sent', () => {
  const budget = new Budget(BUDGETS.standard);
  const { loginsLeft } = budget;
  budget.noteTokensEnd();
  expect(budget.loginsLeft).toBe(loginsLeft - 1);
  expect(shortageAfter(budget, loginsLeft - 1, 'login')).toContain('is used up');
  budget.allowClosingLogin();
  expect(shortageAfter(budget, 1, 'login')).toBeUndefined();
  budget.noteTokensEnd();
  expect(budget.shortage('login')).toBeUndefined();
  expect(shortageAfter(budget, 1, 'login')).toContain('is used up');
  budget.tidy();
  expect(budget.shortage('login')).toBeUndefined();
});

test('tidying up takes up to a tenth of all logins beyond the limit, because tokens of two accounts may end meanwhile', () => {
  const { logins } = BUDGETS.standard;
  const budget = new Budget(BUDGETS.standard);
  budget.tidy();
  expect(shortageAfter(budget, logins + logins / 10 - 1, 'login')).toBeUndefined();
  expect(budget.traffic.logins).toBe(logins);
  expect(shortageAfter(budget, 1, 'login')).toContain('is used up');
});

test('a request that is sent again for a reason that is gone costs nothing, up to a tenth of all requests', () => {
  const budget = new Budget(BUDGETS.quick);
  const most = BUDGETS.quick.requests / 10;
  for (let sent = 0; sent < most + 1; sent++) {
    budget.spend('list');
    budget.forgive('list');
  }
  expect(budget.traffic.requests).toBe(1);
});

test('a repetition costs nothing, up to a tenth of all requests', () => {
  const budget = new Budget(BUDGETS.quick);
  const most = BUDGETS.quick.requests / 10;
  for (let sent = 0; sent < most + 2; sent++) budget.retry();
  expect(budget.traffic).toMatchObject({ requests: 2, retries: most + 2 });
});

test('what was sent counts also what was forgiven, deferred, and sent beyond the limit to remove tags', () => {
  const { requests } = BUDGETS.quick;
  const budget = new Budget(BUDGETS.quick);
  budget.spend('create');
  budget.forgive('create');
  budget.spend('login');
  budget.endLogin(true);
  budget.refund('login');
  budget.retry();
  budget.tidy();
  for (let at = 0; at < requests + 5; at++) budget.spend('list');
  expect(budget.sent).toEqual({
    requests: requests + 8,
    writes: 1,
    logins: 1,
    failedLogins: 1,
  });
  expect(budget.traffic.requests).toBe(requests);
});

test('a login that replaces an ended token costs nothing, up to a tenth of all logins', () => {
  const { logins } = BUDGETS.standard;
  const budget = new Budget(BUDGETS.standard);
  for (let sent = 0; sent < logins / 10 + 1; sent++) {
    budget.spend('login');
    budget.endLogin(false);
    budget.forgiveLogin();
  }
  expect(budget.traffic.logins).toBe(1);
});

test('Where many logins replaced ended tokens, the sentence about their budget says what to do.', () => {
  const budget = new Budget(BUDGETS.quick);
  const spend = (): void => {
    budget.spend('login');
    budget.endLogin(false);
  };
  for (let time = 0; time < 2; time++) {
    spend();
    budget.forgiveLogin();
  }
  while (budget.loginsLeft > 0) spend();
  expect(budget.shortage('login')).not.toContain('tokens ended');
  budget.forgiveLogin();
  expect(budget.shortage('login')).toContain('use an account that nobody else logs in to');
});
