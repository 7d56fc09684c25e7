import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create } from 'xmlbuilder2';
import { describe, expect } from 'vitest';
import { z } from 'zod';
import { answering } from '../../fixtures/fixture.ts';
import { reportSchema } from '../reports/report.ts';
import { ROOT, test } from './user.test.double.ts';

const ESCAPE = '\u001B[';

/** The published schema of report.json, or the one that would be. */
function jsonSchema(): z.core.JSONSchema.JSONSchema {
  const file = join(ROOT, 'report.schema.json');
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as z.core.JSONSchema.JSONSchema)
    : z.toJSONSchema(reportSchema);
}

const withoutErrors = answering({ status: 422 }, ({ message }: { message: string }) => ({
  body: { message },
}));

describe.concurrent('the reports', () => {
  test('show the same run in each format', async ({ user }) => {
    const target = await user.serve(withoutErrors);
    const { code, stdout } = await user.run(
      ['--verbose', '--only', 'create', 'error', 'transport'],
      target.environment,
    );
    expect(code).toBe(1);
    const report = user.report();
    expect(z.fromJSONSchema(jsonSchema()).safeParse(report).error).toBeUndefined();

    const of = (...verdicts: string[]): string[] =>
      report.requirements.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);
    const xml = user.read('reports/junit.xml');
    expect(() => create(xml)).not.toThrow();
    const tests = [
      ...xml.matchAll(/<testcase .*? name="([^":]+): [^"]*" time="[\d.]+"(?:\/>|>\s*<([\w-]+))/g),
    ];
    const cases = (...children: string[]): string[] =>
      tests.filter(([, , child]) => children.includes(child ?? 'none')).map(([, id]) => id ?? '');
    expect(tests.map(([, id]) => id)).toEqual(report.requirements.map(({ id }) => id));
    expect(of('fail')).not.toEqual([]);
    expect(cases('failure')).toEqual(of('fail'));
    expect(cases('error')).toEqual(of('error'));
    expect(cases('skipped')).toEqual(of('skipped', 'inapplicable'));
    expect([...stdout.matchAll(/^FAIL ([\w/-]+) \(section/gm)].map(([, id]) => id)).toEqual(of('fail'));
    for (const { verdict, id } of report.requirements) {
      if (verdict === 'pass') expect(stdout).toMatch(new RegExp(`^pass +${id}$`, 'm'));
    }
  });

  test('show what the target sent without its control characters', async ({ user }) => {
    const hostile = `${ESCAPE}2J${ESCAPE}31m\u202E]]>\u0000`;
    const target = await user.serve(
      answering({ on: 'create', status: 200 }, ({ tagging }: { tagging: object }) => ({
        body: { tagging: { ...tagging, name: hostile } },
        headers: { 'X-Hostile': '\u009B31m' },
      })),
    );
    const { code, stdout } = await user.run(['--only', 'create/echoes-name'], target.environment);
    expect(code).toBe(1);
    expect(stdout).not.toMatch(/[^\P{C}\n]/u);
    expect(user.read('reports/junit.xml')).not.toMatch(/[^\P{Cc}\n]/u);
    expect(user.report().exitCode).toBe(1);
  });
});
