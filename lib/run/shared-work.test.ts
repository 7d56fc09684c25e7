import { expect, test } from 'vitest';
import { Undecided } from '../outcome.ts';
import { SharedWork, type Doing } from './shared-work.ts';

/** Work whose creates may have met a quota. */
const doing = (metQuota: boolean): Doing => ({
  allowance: 0,
  used: [],
  unanswered: [],
  metQuota,
  isClean: true,
  claim: undefined,
  askers: 0,
  removeTags: () => Promise.resolve(),
});

/** Does work, and returns how it ended. */
async function done(shared: SharedWork, metQuota: boolean, work: () => Promise<unknown>): Promise<unknown> {
  return shared
    .start('work', doing(metQuota), work, {})
    .result.catch((error: unknown) => (error as Undecided).message);
}

const short = (): Promise<never> => Promise.reject(new Undecided('budget', 'the budget is used up'));
const failing = (): Promise<never> => Promise.reject(new Undecided('failure', 'no tag could be made'));

test.each([
  ['lacked requests', short, true],
  ['failed for another reason', failing, false],
  ['has a result', () => Promise.resolve(1), false],
] as const)('Work that %s is done again in the next phase: %#.', async (_what, work, isForgotten) => {
  const shared = new SharedWork(new Set());
  await done(shared, false, work);
  shared.forgetFailed('budget');
  expect(shared.known('work') === undefined).toBe(isForgotten);
});

test('Work that met a quota is done again once, or until it has a result.', async () => {
  const shared = new SharedWork(new Set());
  const isForgotten = async (work: () => Promise<unknown>): Promise<boolean> => {
    await done(shared, true, work);
    shared.forgetOverQuota();
    return shared.known('work') === undefined;
  };
  expect(await isForgotten(() => Promise.resolve(1))).toBe(true);
  expect(await isForgotten(failing)).toBe(true);
  expect(await isForgotten(() => Promise.resolve(1))).toBe(false);
});
