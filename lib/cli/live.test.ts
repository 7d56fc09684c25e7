import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Verdict } from '../judging/judge.ts';
import { liveProgress, onSignals, screenOf } from './live.ts';

type Shown = readonly (readonly [id: string, verdict: Verdict, reason?: string])[];

/** What is printed for these results. */
function printed(
  results: Shown,
  how: { isVerbose?: boolean; redraws?: boolean; columns?: number; note?: string; elapsedMs?: number } = {},
): string {
  let text = '';
  const { isVerbose = false, redraws = false, columns = 60, elapsedMs = 11_000 } = how;
  const screen = { isVerbose, redraws, columns, write: (part: string) => void (text += part) };
  const course = { total: results.length, sent: () => 7, elapsedMs: () => elapsedMs, leftMs: () => 65_000 };
  const { show, note, end } = liveProgress(screen, course);
  if (how.note !== undefined) note(how.note);
  for (const [id, verdict, reason = ''] of results) show({ id, verdict, reason });
  end();
  // eslint-disable-next-line no-control-regex
  return text.replace(/\u001B\[\d+m/g, '');
}

const RESULTS: Shown = [
  ['a/1', 'pass'],
  ['a/2', 'fail', 'answered 201, not 200, which is said in more words than a line has'],
  ['a/3', 'warn', 'answered late'],
];

test('only failures have lines, within the width', () => {
  expect(printed(RESULTS)).toBe(
    'FAIL a/2: answered 201, not 200, which is said in more words\n     than a line has\n\n',
  );
  expect(printed(RESULTS.slice(0, 1))).toBe('');
});

test('a short run shows no failure before its end, and a long one the first five', () => {
  expect(printed(RESULTS, { elapsedMs: 9_000 })).toBe('');
  const failures = (count: number): Shown =>
    Array.from({ length: count }, (_, at) => [`a/${at}`, 'fail', 'is wrong'] as const);
  const lines = ['FAIL a/0: is wrong', 'FAIL a/1: is wrong', 'FAIL a/2: is wrong', 'FAIL a/3: is wrong'];
  const five = [...lines, 'FAIL a/4: is wrong'];
  expect(printed(failures(5))).toBe(`${five.join('\n')}\n\n`);
  expect(printed(failures(8))).toBe(`${five.join('\n')}\nThe end shows all failures with their causes.\n\n`);
});

test('a note has lines of its own, within the width', () => {
  expect(
    printed(RESULTS.slice(0, 1), { note: 'The target lets ten requests a minute through.', columns: 30 }),
  ).toBe('The target lets ten requests a\n  minute through.\n');
});

test('on a terminal one line counts in place, below the failures', () => {
  const text = printed(RESULTS, { redraws: true });
  const lines = text.split('\r\u001B[2K');
  expect(lines[1]).toBe('1 of 3 done, 0 failed, 7 requests, at most 1:05 left');
  expect(lines[2]).toMatch(/^FAIL a\/2: .*\n.*\n$/);
  expect(lines.at(-2)).toBe('3 of 3 done, 1 failed, 7 requests, at most 1:05 left');
  expect(lines.at(-1)).toBe('\n');
  expect(printed(RESULTS, { redraws: true, columns: 20 })).toContain('1 of 3 done, 0 fail\r');
});

test('a verbose run has a line for each result, and of those that wait for the same thing only for the first', () => {
  const waiting = 'preflight could not log in';
  expect(
    printed(
      [
        ['a/1', 'pass'],
        ['a/2', 'error', waiting],
        ['a/3', 'error', waiting],
        ['a/4', 'error', 'the list cannot be read'],
        ['a/5', 'error', waiting],
        ['a/6', 'skipped', 'no second account was given'],
      ],
      { isVerbose: true },
    ),
  ).toBe('pass  a/1\nERROR a/2\nERROR a/4\nskip  a/6\nERROR 2 more for the same reason\n\n');
});

test('a verbose run has nothing to add where each reason is given', () => {
  expect(printed([['a/1', 'pass']], { isVerbose: true })).toBe('pass  a/1\n\n');
});

const wasTerminal = process.stdout.isTTY;

beforeEach(() => {
  for (const name of ['CI', 'TERM', 'COLUMNS']) vi.stubEnv(name, undefined);
});

afterEach(() => {
  process.stdout.isTTY = wasTerminal;
  vi.unstubAllEnvs();
});

test.each([
  [true, {}, true],
  [true, { TERM: 'xterm' }, true],
  [true, { TERM: 'dumb' }, false],
  [true, { CI: 'true' }, false],
  [false, {}, false],
])('a line is written over: terminal %s, environment %o: %s', (isTerminal, environment, redraws) => {
  process.stdout.isTTY = isTerminal;
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  expect(screenOf(false).redraws).toBe(redraws);
});

test('the width is that of the terminal, within limits', () => {
  process.stdout.isTTY = false;
  expect(screenOf(false).columns).toBe(100);
  vi.stubEnv('COLUMNS', '60');
  expect(screenOf(false).columns).toBe(60);
  vi.stubEnv('COLUMNS', '400');
  expect(screenOf(false).columns).toBe(120);
});

describe('a second signal after a second', () => {
  test.each([
    ['is the same keystroke if npm passes signals on', 'start', false],
    ['ends the run at once otherwise', undefined, true],
  ])('%s', (_what, event, ends) => {
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
    const listen = vi.spyOn(process, 'on').mockReturnThis();
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
    vi.stubEnv('npm_lifecycle_event', event);
    onSignals(() => undefined, true);
    const handle = listen.mock.calls.find(([signal]) => signal === 'SIGINT')?.[1];
    handle?.();
    clock.mockReturnValue(2_000);
    handle?.();
    const ended = exit.mock.calls.length > 0;
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    expect(ended).toBe(ends);
  });
});
