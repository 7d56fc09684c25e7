import { describe, expect } from 'vitest';
import { INSTALLED, test } from './user.test.double.ts';

describe.concurrent('a fault of the suite', () => {
  test('ends with 70 wherever it occurs, and one line says so', async ({ user }) => {
    // A promise that nobody awaits rejects as soon as the command line is loaded.
    const failing = `data:text/javascript,${encodeURIComponent(`
      const timer = setInterval(() => {
        if (process.listenerCount('uncaughtException') === 0) return;
        clearInterval(timer);
        Promise.reject(new Error('nobody expected this'));
      }, 1);
    `)}`;
    const { code, stderr } = await user.spawnAny(
      process.execPath,
      ['--import', failing, INSTALLED, 'serve'],
      {},
    ).ended;
    expect(code).toBe(70);
    expect(stderr).toMatch(
      /^A fault of the suite, not of the target; please report it: Error: nobody expected this\. [^\n]+sweep[^\n]+\n$/,
    );
  });
});
