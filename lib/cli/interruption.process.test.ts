import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { catalogue } from '../../suites/index.ts';
import { holding, nth } from './held.test.double.ts';
import type { RunningProcess } from './running.test.double.ts';
import { reportsIn, ROOT, test, type Served } from './user.test.double.ts';

/** Expects the ledger to have announced every tag that is on the target. */
function expectIntents(ledger: readonly Readonly<Record<string, unknown>>[], target: Served): void {
  const left = target.left();
  expect(left.length).toBeGreaterThan(0);
  expect(ledger[0]).toMatchObject({ event: 'run', target: target.url });
  const named = ledger.filter(({ event }) => event === 'intent' || event === 'renaming');
  expect(named.map(({ name }) => name)).toEqual(expect.arrayContaining(left.map(({ name }) => name)));
  // If the answer arrived, the id is known too.
  const ids = new Set(left.map((tag) => tag.tag_id));
  expect(ledger.some(({ event, tag_id }) => event === 'made' && ids.has(String(tag_id)))).toBe(true);
}

/** Presses Ctrl-C until the process ends: a press shortly after the first one counts as the same. */
async function insist(running: RunningProcess): Promise<void> {
  running.send('SIGINT');
  const again = setInterval(() => running.send('SIGINT'), 250);
  await running.ended;
  clearInterval(again);
}

describe.concurrent('a run that is interrupted', () => {
  test('by SIGTERM tidies up, writes both reports whole, and ends with 130', async ({ user }) => {
    const held = holding(nth(5, 'create'));
    const target = await user.serve(held.change);
    const running = user.spawn([], target.environment);
    await running.until(held.reached);
    expect(target.left().length).toBeGreaterThan(0);
    running.send('SIGTERM');
    await running.printed('Interrupted: removing the tags of the run.');
    held.release();
    const { code, stdout, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(stderr).toBe(
      'Interrupted: removing the tags of the run. Press Ctrl-C once more to end at once.\n',
    );
    expect(stdout).toMatch(/^inconclusive.* \(interrupted\): http/m);
    expect(target.left()).toEqual([]);
    expect(user.files).toEqual(reportsIn('reports'));
    const { ended, exitCode, residue, requirements } = user.report();
    expect({ ended, exitCode, residue }).toEqual({ ended: 'interrupted', exitCode: 130, residue: [] });
    expect(requirements).toHaveLength(catalogue.length);
    const junit = user.read('reports/junit.xml');
    expect(junit.match(/<testcase /g)).toHaveLength(catalogue.length);
    expect(junit).toMatch(/<\/testsuites>\n$/);
  });

  test('twice ends at once, and what it made is in the ledger', async ({ user }) => {
    const held = holding(nth(14, 'create'));
    const target = await user.serve(held.change);
    const running = user.spawn([], target.environment);
    await running.until(held.reached);
    running.send('SIGINT');
    await running.printed('Interrupted');
    await insist(running);
    const { code, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(stderr).toContain('Ended at once. The ledger in the report folder lists the tags');
    expect(stderr).toContain('; account-mutation-conformance sweep removes them');
    expect(user.files).toEqual([expect.stringMatching(/^reports\/ledger-/)]);
    expectIntents(user.ledger, target);
  });

  test('by Ctrl-C under npm start removes its tags, though npm passes the signal on a second time', async ({
    user,
  }) => {
    // Many shells replace themselves by the last command of a script, so that npm signals the command itself.
    const shell = join(user.folder, user.write('shell', '#!/bin/sh\neval "exec $2"\n'));
    chmodSync(shell, 0o755);
    const held = holding(nth(5, 'create'));
    const target = await user.serve(held.change);
    const npm = user.spawnAny(
      'npm',
      ['start', '--script-shell', shell],
      {
        ...target.environment,
        CONFORMANCE_REPORT_DIR: join(user.folder, 'reports'),
        npm_config_update_notifier: 'false',
      },
      ROOT,
    );
    await npm.until(held.reached);
    npm.pressCtrlC();
    await npm.printed('Interrupted');
    const { stderr } = await npm.ended;
    expect(stderr).not.toContain('Ended at once');
    const { ended, exitCode, residue } = user.report();
    expect({ ended, exitCode, residue }).toEqual({ ended: 'interrupted', exitCode: 130, residue: [] });
    expect(target.left()).toEqual([]);
  });
});

describe.concurrent('the ledger', () => {
  test('of a killed run announces every tag that exists', async ({ user }) => {
    const held = holding(nth(12, 'create'));
    const target = await user.serve(held.change);
    const running = user.spawn([], target.environment);
    await running.until(held.reached);
    running.send('SIGKILL');
    expect((await running.ended).code).toBeNull();
    expect(user.files).toEqual([expect.stringMatching(/^reports\/ledger-/)]);
    expectIntents(user.ledger, target);
  });
});
