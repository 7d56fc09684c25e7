import { describe, expect } from 'vitest';
import { holding, nth } from './held.test.double.ts';
import { test } from './user.test.double.ts';

describe.concurrent('sweep', () => {
  test('removes the tags that a killed run left, and nothing else', async ({ user }) => {
    const held = holding(nth(25, 'create'));
    const target = await user.serve(held.change);
    const running = user.spawn([], target.environment);
    await running.until(held.reached);
    running.send('SIGKILL');
    await running.ended;
    expect(target.left().length).toBeGreaterThan(0);
    // Somebody has renamed one of them since: it is theirs now.
    const [taken] = target.left();
    target.server.change(target.accounts[0].username, taken?.tag_id ?? '', 'mine now');
    held.release();
    const { code, stdout, stderr } = await user.run(['sweep'], target.environment);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^ledger-\w+-\d+\.jsonl: \d+ tags removed, \d+ no longer listed\.\n$/);
    expect(target.left()).toEqual([{ tag_id: taken?.tag_id, name: 'mine now' }]);
    expect(user.files).toEqual([]);
    const again = await user.run(['sweep'], target.environment);
    expect(again).toMatchObject({
      code: 0,
      stdout: 'There is nothing to sweep: no run that has ended left a ledger in reports.\n',
    });
  });

  test('keeps the ledger of a run that is still under way, and another run does not disturb it', async ({
    user,
  }) => {
    const held = holding(nth(5, 'create'));
    const target = await user.serve(held.change);
    const running = user.spawn(['--only', 'create', '--report-dir', 'reports'], target.environment);
    await running.until(held.reached);
    const { code, stdout } = await user.run(['sweep'], target.environment);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /belongs to process \d+, which is still running\. Where that is no run of this suite: sweep reports\/ledger-/,
    );
    held.release();
    expect((await running.ended).code).toBe(0);
    expect(target.left()).toEqual([]);
  });
});
