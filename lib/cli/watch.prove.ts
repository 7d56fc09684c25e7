import { describe, expect } from 'vitest';
import { answering, type Change } from '../../fixtures/fixture.ts';
import { Reference } from '../../fixtures/reference/reference.ts';
import { serve } from '../../fixtures/reference/serve.ts';
import { holding, nth } from './held.test.double.ts';
import { test, type Served, type User } from './user.test.double.ts';

const misnamed = answering({ on: 'create', status: 200 }, ({ tagging }: { tagging: { name: string } }) => ({
  body: { tagging: { ...tagging, name: `${tagging.name}!` } },
}));
const good: Change = (Base) => Base;

const NARROW = ['--watch', '--effort', 'quick', '--only', 'create/'];

/** Starts another server in the place of one that was closed. */
async function restarted({ url, accounts }: Served, change: Change): Promise<{ close: () => Promise<void> }> {
  const Changed = change(Reference);
  return serve(new Changed(accounts).seeded(), { port: Number(new URL(url).port), tls: false });
}

describe('--watch', () => {
  test('certifies each server that comes back, and prints what changed', async ({ user }) => {
    const first = await user.serve();
    const running = user.start(NARROW, first.environment);
    await running.printed('Watching');
    await first.close();
    await running.printed('is away.');
    const second = await restarted(first, misnamed);
    await running.printed('conforming, was conforming');
    await second.close();
    await running.printed('is away.', 2);
    const third = await restarted(first, good);
    await running.printed('\x20 create/echoes-name: pass, was fail');
    await third.close();
    running.send('SIGINT');
    const { code, stdout } = await running.ended;
    expect(code).toBe(0);
    const [whole = '', changes = ''] = stdout.split(/^Watching .*\n/m);
    expect(whole).toMatch(/^conforming, partial/m);
    expect(changes).toMatch(
      /^\S+ is away\.\n[\d:]{8} \d verdicts? or answers? changed: non-conforming, was conforming\n {2}create\/echoes-name: fail, was pass: the answer/,
    );
    expect(changes).not.toContain('create/answers');
    expect(user.report().verdict).toBe('conforming');
  });

  test('ends with the verdict of the last whole run', async ({ user }) => {
    const target = await user.serve(misnamed);
    const running = user.start(NARROW, target.environment);
    await running.printed('Watching');
    running.send('SIGTERM');
    expect((await running.ended).code).toBe(1);
  });

  test('waits for a server that is not there yet', async ({ user }) => {
    const target = await user.serve();
    await target.close();
    const running = user.start(NARROW, target.environment);
    await running.printed(`Waiting for ${target.url} to accept connections.`);
    const server = await restarted(target, good);
    await running.printed('Watching');
    await server.close();
    running.send('SIGINT');
    expect((await running.ended).code).toBe(0);
  });

  test('decides nothing by a run during which the server goes away, and sweeps after it', async ({
    user,
  }) => {
    const { change, reached, release } = holding(nth(2, 'create'));
    const target = await user.serve(change);
    const running = user.start(NARROW, target.environment);
    await running.until(reached);
    const closed = target.close();
    release();
    await closed;
    await running.printed('went away during the run, which decides nothing');
    // Its tags outlive it: the next server has them, too.
    const server = await serve(target.server, { port: Number(new URL(target.url).port), tls: false });
    await running.printed('Watching');
    await server.close();
    running.send('SIGINT');
    const { code, stdout } = await running.ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ledger-\S+: \d+ tags removed/m);
    expect(target.left()).toEqual([]);
  });

  test('is interrupted in the middle of a run as any other run is', async ({ user }) => {
    const { change, reached, release } = holding(nth(2, 'create'));
    const target = await user.serve(change);
    const running = user.start(NARROW, target.environment);
    await running.until(reached);
    running.send('SIGINT');
    release();
    expect((await running.ended).code).toBe(130);
    expect(target.left()).toEqual([]);
  });

  test.for([
    [[], 'error: --watch needs a server'],
    [['--reference'], "'--watch' cannot be used with option '--reference'"],
    [['--write-declaration', 'x.json'], "'--watch' cannot be used with option '--write-declaration"],
  ] as const)('is a mistake with %j', async ([args, message], { user }: { user: User }) => {
    const { code, stderr } = await user.run(['--watch', ...args]);
    expect(code).toBe(2);
    expect(`error: ${stderr}`).toContain(message);
  });
});
