import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { matching } from '../../fixtures/variants/lists.ts';
import { answering } from '../../fixtures/fixture.ts';
import { test } from './user.test.double.ts';

const exact = matching((name, filter) => name === filter);

const SOME = ['--only', 'open/filter-match', 'open/missing-token', 'open/rate-limit'];

describe('a declaration', () => {
  test('written from observed answers passes on the same server, and fails on another', async ({ user }) => {
    const target = await user.serve();
    const written = await user.run([...SOME, '--write-declaration', 'd/declared.json'], target.environment);
    expect(written.code).toBe(0);
    expect(written.stdout).toContain('d/declared.json');
    const file = join(user.folder, 'd', 'declared.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      filter: { match: 'substring' },
      missingToken: 401,
    });
    expect(readFileSync(file, 'utf8')).not.toContain('rateLimit');

    const same = await user.run([...SOME, '--declare', file], target.environment);
    expect(same.code).toBe(0);
    expect(same.stdout).toMatch(/^conforming/m);

    const changed = await user.serve(exact);
    const other = await user.run([...SOME, '--declare', file], changed.environment);
    expect(other.code).toBe(1);
    expect(other.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'filter.match is declared as substring, but exact was seen',
    );
  });

  test('is not written over one that is there', async ({ user }) => {
    const file = join(user.folder, 'mine.json');
    writeFileSync(file, '{}');
    const { code, stderr } = await user.run(['--reference', '--write-declaration', file]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^--write-declaration does not overwrite .*mine\.json, which exists; .+\.\n$/);
    expect(readFileSync(file, 'utf8')).toBe('{}');
  });

  test('with a mistake ends the command before anything is sent', async ({ user }) => {
    writeFileSync(join(user.folder, 'wrong.json'), '{"fliter":{}}');
    const { code, stderr, stdout } = await user.run(['--reference', '--declare', 'wrong.json']);
    expect(code).toBe(2);
    expect(stderr).toBe(
      'wrong.json: "fliter" is not an open question, so it cannot be declared. Did you mean filter?\n',
    );
    expect(stdout).toBe('');
    expect(existsSync(join(user.folder, 'reports'))).toBe(false);
  });
});

describe('compare', () => {
  test('shows different answers of two conforming servers, and ends with 0', async ({ user }) => {
    const [one, other] = [await user.serve(), await user.serve(exact)];
    await user.run(
      ['--only', 'open/filter-match', 'open/filter-empty', '--report-dir', 'one'],
      one.environment,
    );
    await user.run(
      ['--only', 'open/filter-match', 'open/filter-empty', '--report-dir', 'other'],
      other.environment,
    );
    const { code, stdout } = await user.run(['compare', 'one/fingerprint.json', 'other/report.json']);
    expect(code).toBe(0);
    expect(stdout).toContain('\n  filter.match: exact, was substring\n');
    expect(stdout).toContain('filter.empty: nothing, was everything');
    const same = await user.run(['compare', 'one', 'one']);
    expect(same.stdout).toMatch(/All \d+ verdicts and answers are the same\./);
  });

  test('ends with 1 if a verdict got worse, and says which', async ({ user }) => {
    const wrong = answering({ on: 'delete', status: 404 }, () => ({ status: 410 }));
    const [one, other] = [await user.serve(), await user.serve(wrong)];
    const only = ['--only', 'delete/again-404', 'delete/answers'];
    await user.run([...only, '--report-dir', 'one'], one.environment);
    await user.run([...only, '--report-dir', 'other'], other.environment);
    const { code, stdout } = await user.run(['compare', 'one', 'other', 'one']);
    expect(code).toBe(1);
    expect(stdout).toContain('other, compared with one\n  delete/again-404: fail, was pass\n');
    expect(stdout).toContain('one, compared with one\n  All ');
    expect((await user.run(['compare', 'other', 'one'])).code).toBe(0);
  });

  for (const [files, sentence] of [
    [['one.json'], /^compare is expected to be given two files or more/],
    [['none.json', 'none.json'], /^none\.json cannot be read \(ENOENT.*\); give report\.json/],
    [['.', '.'], /^\. cannot be read \(ENOENT/],
    [['odd.json', 'odd.json'], /^odd\.json is neither a report nor a fingerprint/],
  ] as const) {
    test(`of ${files.join(' and ')} is refused in a sentence`, async ({ user }) => {
      writeFileSync(join(user.folder, 'odd.json'), '{"a":1}');
      writeFileSync(join(user.folder, 'one.json'), '{"answers":{},"unanswered":{}}');
      const { code, stderr, stdout } = await user.run(['compare', ...files]);
      expect(code).toBe(2);
      expect(stderr).toMatch(sentence);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stdout).toBe('');
    });
  }
});
