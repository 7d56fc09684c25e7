import { afterEach, expect, test, vi } from 'vitest';
import type { Verdict } from '../judging/judge.ts';
import { holds, undecided, type Outcome } from '../outcome.ts';
import { liveProgress } from './live.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** What is printed for these results where the output is no terminal. */
function printed(results: readonly (readonly [id: string, Verdict, Outcome])[]): string {
  let text = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((part) => {
    text += String(part);
    return true;
  });
  const wasTerminal = process.stdout.isTTY;
  process.stdout.isTTY = false;
  const { show, end } = liveProgress(results.length);
  for (const [id, verdict, outcome] of results) show({ requirement: { id }, outcome, verdict });
  end();
  process.stdout.isTTY = wasTerminal;
  vi.restoreAllMocks();
  // eslint-disable-next-line no-control-regex
  return text.replace(/\u001B\[\d+m/g, '');
}

test('each result has a line, and of those that wait for the same thing only the first', () => {
  const waiting = undecided('failure', 'preflight could not log in');
  expect(
    printed([
      ['a/1', 'pass', holds()],
      ['a/2', 'error', waiting],
      ['a/3', 'error', waiting],
      ['a/4', 'error', undecided('failure', 'the list cannot be read')],
      ['a/5', 'error', waiting],
      ['a/6', 'skipped', undecided('tester', 'no second account was given')],
    ]),
  ).toBe('pass  a/1\nERROR a/2\nERROR a/4\nskip  a/6\nERROR 2 more for the same reason\n\n');
});

test('results for reasons of their own have nothing added', () => {
  expect(printed([['a/1', 'pass', holds()]])).toBe('pass  a/1\n\n');
});
