import { describe, expect } from 'vitest';
import { intercepting, operationOf } from '../../fixtures/fixture.ts';
import { catalogue } from '../../suites/index.ts';
import type { Report } from '../reports/report.ts';
import { test } from './user.test.double.ts';

const asked = ({ requirements }: Report): string[] =>
  requirements.filter(({ reason }) => reason !== 'left out by --only').map(({ id }) => id);

describe.concurrent('--only', () => {
  test('checks what it selects, skips the rest, and makes the run partial', async ({ user }) => {
    const operations = new Set<string>();
    const target = await user.serve(
      intercepting((request) => void operations.add(operationOf(request))),
      { tls: true },
    );
    const { code, stdout } = await user.run(['--only', 'list/answers'], target.environment);
    expect(code).toBe(0);
    const report = user.report();
    expect(report).toMatchObject({ verdict: 'conforming', partial: true });
    expect(asked(report)).toEqual(['list/answers']);
    expect(report.requirements.map(({ id }) => id).toSorted()).toEqual(
      catalogue.map(({ id }) => id).toSorted(),
    );
    expect(stdout).toMatch(/^conforming, partial: .*\n\nNot tested: \d+ required or derived requirements?\n/);
    expect(operations.has('rename')).toBe(false);
    expect(target.left()).toEqual([]);
  });

  test('takes several ids, sections and levels', async ({ user }) => {
    const target = await user.serve();
    const { code } = await user.run(
      ['--only', 'delete/answers', '4.2', '--only', 'advisory'],
      target.environment,
    );
    expect(code).toBe(0);
    expect(asked(user.report())).toEqual(
      catalogue
        .filter(
          ({ id, section, level }) => id === 'delete/answers' || section === '4.2' || level === 'advisory',
        )
        .map(({ id }) => id),
    );
  });
});

describe.concurrent('list', () => {
  test('prints a line for each requirement, by topic', async ({ user }) => {
    const { code, stdout, stderr } = await user.run(['list']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.split('\n');
    for (const { id, section, level, text } of catalogue) {
      const line = lines.find((one) => one.trim().startsWith(`${id} `));
      expect(line?.trim().split(/ +/).slice(0, 3)).toEqual([id, section, level]);
      expect(line).toContain(text);
    }
    expect(lines).toContain(`${catalogue.length} requirements`);
  });

  test('--json prints the catalogue as data', async ({ user }) => {
    const { code, stdout } = await user.run(['list', '--json']);
    expect(code).toBe(0);
    const listed = JSON.parse(stdout) as unknown[];
    expect(listed).toEqual(
      catalogue.map(({ id, section, level, text }) =>
        expect.objectContaining({ id, section, level, text } as const),
      ),
    );
  });
});
