import { describe, expect } from 'vitest';
import { holding, nth } from './held.test.double.ts';
import { reportsIn, test } from './user.test.double.ts';

describe.concurrent('a run whose time is up', () => {
  test('ends with 3 and removes its tags, even after a request that is never answered', async ({ user }) => {
    const held = holding(nth(1, 'create'));
    const target = await user.serve(held.change);
    const running = user.start(['--max-time-s', '2'], target.environment);
    await running.until(held.reached);
    const { code, stdout } = await running.ended;
    expect(code).toBe(3);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/the time for the whole run \(2 s\) ran out/i);
    const { ended, residue } = user.report();
    expect({ ended, residue }).toEqual({ ended: 'cut short', residue: [] });
    expect(target.left()).toEqual([]);
  });
});

describe.concurrent('a run that is interrupted', () => {
  test('before it has logged in ends with 130 and both reports, too', async ({ user }) => {
    const held = holding(nth(1, 'login'));
    const target = await user.serve(held.change);
    const running = user.start([], target.environment);
    await running.until(held.reached);
    running.send('SIGINT');
    await running.printed('Interrupted');
    held.release();
    expect((await running.ended).code).toBe(130);
    const { ended, residue } = user.report();
    expect({ ended, residue }).toEqual({ ended: 'interrupted', residue: [] });
    expect(user.files).toEqual(reportsIn('reports'));
  });
});

describe.concurrent('the ledger', () => {
  test('is deleted when a run ends whole, and that of a killed run beside it is kept', async ({ user }) => {
    const killed = user.write('reports/ledger-20260101T000000000Z-1.jsonl', '{"event":"run"}\n');
    const target = await user.serve();
    expect((await user.run(['--only', 'create/answers'], target.environment)).code).toBe(0);
    expect(user.files).toEqual([...reportsIn('reports'), killed].toSorted());
    expect(user.read(killed)).toBe('{"event":"run"}\n');
  });
});
