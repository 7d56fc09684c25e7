import { describe, expect, vi } from 'vitest';
import type { Entry } from '../catalogue/entries.ts';
import { readRecord, recordFor } from '../catalogue/record.ts';
import { SUITE } from '../suite.ts';
import { changes } from './changes.ts';
import { test } from './user.test.double.ts';

const entry = (id: string, level: Entry['level'], text = `${id} holds.`): Entry => ({ id, level, text });

const RECORD = (() => {
  const first = recordFor(
    { versions: [] },
    [entry('a/one', 'advisory'), entry('b/two', 'required'), entry('c/three', 'open')],
    '1.0.0',
  );
  const second = recordFor(
    first,
    [entry('a/one', 'required'), entry('c/three', 'open', 'It reads otherwise.'), entry('d/four', 'derived')],
    '1.1.0',
  );
  const { versions } = recordFor(second, [entry('a/one', 'required'), entry('c/three', 'open')], '2.0.0');
  return {
    versions: versions.map((one) =>
      one.version === '2.0.0' ? { ...one, checks: { 'a/one': 'It also asks twice.' } } : one,
    ),
  };
})();

function printed(from: string, to: string): string {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    expect(changes({ from, to }, RECORD)).toBe(0);
    return write.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    write.mockRestore();
  }
}

describe('changes', () => {
  test('name what is new, changed and removed, and say how much of it can fail a target', () => {
    expect(printed('1.0.0', '1.1.0')).toBe(
      [
        `${SUITE.name} 1.1.0, compared with 1.0.0`,
        '',
        'New: 1',
        '  d/four (derived): d/four holds.',
        '',
        'Changed: 2',
        '  a/one (required, was advisory): a/one holds.',
        '  c/three (open): It reads otherwise.',
        '    was: c/three holds.',
        '',
        'Removed: 1',
        '  b/two (required): b/two holds.',
        '',
        '2 of them can fail a target that conformed before.',
        '',
      ].join('\n'),
    );
  });

  test('over several versions are those that remain, with what checks ask otherwise', () => {
    const text = printed('1.0.0', '2.0.0');
    expect(text).toContain('Removed: 1\n');
    expect(text).not.toContain('d/four');
    expect(text).toContain('Changed checks of unchanged requirements\n  a/one: It also asks twice.\n');
  });

  test('of every recorded version to this one can be asked for', async ({ user }) => {
    for (const { version } of readRecord().versions) {
      const { code, stdout } = await user.run(['changes', '--from', version, '--json']);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ from: version, to: SUITE.version });
    }
    const { stdout } = await user.run(['changes', '--from', SUITE.version]);
    expect(stdout).toContain('No requirement is new or changed.');
  });

  for (const [what, args, sentence] of [
    ['no version', [], /^changes is expected to be given --from with a version that the record has: \d/],
    [
      'an unknown version',
      ['--from', '9.9.9'],
      /^The record of this suite has no version "9\.9\.9"; it has \d/,
    ],
    ['an unknown end', ['--from', '0.1.0', '--to', 'x'], /^The record of this suite has no version "x"; it /],
  ] as const) {
    test(`of ${what} are refused in one sentence`, async ({ user }) => {
      const { code, stderr } = await user.run(['changes', ...args]);
      expect(code).toBe(2);
      expect(stderr).toMatch(sentence);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    });
  }
});
