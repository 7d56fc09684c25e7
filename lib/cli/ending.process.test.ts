import { describe } from 'vitest';
import { expectAsBefore } from './ending.test.double.ts';
import { test } from './user.test.double.ts';

// `fixtures/interruption.prove.ts` ends runs at random moments.
describe.concurrent('a run leaves the accounts as they were', () => {
  for (const [at, signal, isCarriedOut] of [
    [180, 'SIGKILL', true],
    [150, 'SIGTERM', true],
  ] as const) {
    const what = isCarriedOut ? 'was carried out' : 'never is';
    test(`when ${signal} ends it at request ${at}, which ${what}`, ({ user }) =>
      expectAsBefore(user, { at, signal, isCarriedOut }));
  }
});
