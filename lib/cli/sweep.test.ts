import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { test } from './user.test.double.ts';

describe.concurrent('sweep', () => {
  test.runIf(process.platform === 'linux')(
    'takes a process that nobody reaped for ended',
    async ({ user }) => {
      // `cat` replaces the shell and never reaps the shell's child, which ends only after that.
      const untilCat = 'until [ "$(cat /proc/$$/comm)" = cat ]; do :; done';
      const parent = spawn('sh', ['-c', `(${untilCat}) & echo $!; exec cat`], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      try {
        const [line] = (await once(parent.stdout, 'data')) as [Buffer];
        const pid = Number(line.toString());
        const state = (): string => readFileSync(`/proc/${pid}/stat`, 'utf8');
        while (!state().includes(') Z ')) await setImmediate();
        const target = await user.serve();
        user.write(
          `reports/ledger-20260101T000000000Z-${pid}.jsonl`,
          `${JSON.stringify({ event: 'run', target: target.url })}\n`,
        );
        const { code, stdout } = await user.run(['sweep'], target.environment);
        expect(stdout).not.toContain('still running');
        expect(code).toBe(0);
      } finally {
        parent.stdin.end();
      }
    },
  );

  test('says what it cannot remove, and keeps the ledger', async ({ user }) => {
    const target = await user.serve();
    const file = user.write(
      'reports/ledger-20260101T000000000Z-999999.jsonl',
      [
        { event: 'run', target: target.url },
        { event: 'intent', key: 0, name: 'ctabcdefghijklmn', account: 'second' },
      ]
        .map((line) => JSON.stringify(line))
        .join('\n'),
    );
    const {
      CONFORMANCE_SECOND_USERNAME: _name,
      CONFORMANCE_SECOND_PASSWORD: _word,
      ...first
    } = target.environment;
    const { code, stdout } = await user.run(['sweep'], first);
    expect(code).toBe(1);
    expect(stdout).toContain('"ctabcdefghijklmn": the second account was not given');
    expect(user.files).toContain(file);
    expect((await user.run(['sweep', file], target.environment)).code).toBe(0);
    expect(user.files).not.toContain(file);
  });

  for (const [what, head, expected, sentence] of [
    [
      'of another target',
      { event: 'run', target: 'https://elsewhere.test' },
      1,
      'its run was against https://elsewhere.test, not',
    ],
    ['that is none', { event: 'other' }, 2, 'is not a ledger of this suite'],
    [
      'without its first line',
      { event: 'intent', key: 0, name: 'ctabcdefghijkl' },
      2,
      'The first line of the ledger reports/ledger-20260101T000000000Z-999999.jsonl is missing or cut',
    ],
  ] as const) {
    test(`removes nothing by a ledger ${what}`, async ({ user }) => {
      const target = await user.serve();
      const file = user.write('reports/ledger-20260101T000000000Z-999999.jsonl', JSON.stringify(head));
      const { code, stdout, stderr } = await user.run(['sweep'], target.environment);
      expect(code).toBe(expected);
      expect(stdout + stderr).toContain(sentence);
      expect(user.files).toEqual([file]);
    });
  }
});
