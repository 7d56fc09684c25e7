import { describe, expect } from 'vitest';
import { holding, nth } from './held.test.double.ts';
import { test } from './user.test.double.ts';

const ESCAPE = '\u001B[';

describe.concurrent('colours', () => {
  test('are used if they are wanted', async ({ user }) => {
    const { stdout } = await user.spawn(['list'], { FORCE_COLOR: '1' }).ended;
    expect(stdout).toContain(ESCAPE);
  });

  test.for([
    ['list', ['list']],
    ['certify', ['--reference', '--only', 'list/answers']],
  ] as const)(
    'are off where NO_COLOR is set, whatever else is, in %s',
    async ([_command, args], { user }) => {
      const { stdout, stderr } = await user.spawn(args, { NO_COLOR: '1', FORCE_COLOR: '1', CI: 'true' })
        .ended;
      expect(stdout + stderr).not.toContain(ESCAPE);
    },
  );
});

describe.concurrent('a reader that goes away, as after | head,', () => {
  test('does not end the run, which removes its tags and writes its reports', async ({ user }) => {
    const held = holding(nth(5, 'create'));
    const target = await user.serve(held.change);
    const running = user.spawn(['--only', 'create'], target.environment);
    running.stopReading();
    await running.until(held.reached);
    held.release();
    const { code, stderr } = await running.ended;
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(target.left()).toEqual([]);
    expect(user.report().verdict).toBe('conforming');
  });

  test('ends a list without a message', async ({ user }) => {
    const running = user.spawn(['list']);
    running.stopReading();
    expect((await running.ended).stderr).toBe('');
  });
});
