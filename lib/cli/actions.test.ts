import { describe, expect } from 'vitest';
import { answering } from '../../fixtures/fixture.ts';
import { broken, holds, undecided } from '../outcome.ts';
import { reportOf, resultOf, wrong } from '../reports/report.test.double.ts';
import { annotationsOf } from './actions.ts';
import { commandsIn, outputsIn } from './runner.test.double.ts';
import { test, type User } from './user.test.double.ts';

/** The environment of a step, with empty files for what it tells the runner. */
const stepOf = (user: User): Record<string, string> => ({
  GITHUB_ACTIONS: 'true',
  GITHUB_OUTPUT: user.write('output', ''),
  GITHUB_STEP_SUMMARY: user.write('summary', ''),
});

describe.concurrent('in GitHub Actions', () => {
  test('a conforming run writes its verdict, and no annotation', async ({ user }) => {
    const target = await user.serve();
    const environment = { ...target.environment, ...stepOf(user) };
    const { code, stdout } = await user.run(['--only', 'list/answers'], environment);
    expect(code).toBe(0);
    expect(commandsIn(stdout)).toEqual([]);
    expect(outputsIn(user.read('output'))).toEqual({
      verdict: 'conforming',
      report: 'reports/report.json',
      'exit-code': '0',
    });
  });

  test('a cause is one annotation, and nothing that a target sends is a command', async ({ user }) => {
    const words = '::error::injected ##[error]injected %0A::set-output name=verdict::conforming ';
    const hostile = `${words.repeat(20)}\n${words}`;
    const target = await user.serve(
      answering({ on: 'create', status: 200 }, ({ tagging }: { tagging: object }) => ({
        body: { tagging: { ...tagging, name: hostile } },
      })),
    );
    const environment = { ...target.environment, ...stepOf(user) };
    const { code, stdout } = await user.run(['--verbose', '--only', 'create'], environment);
    expect(code).toBe(1);
    const { causes } = user.report();
    const annotations = commandsIn(stdout);
    expect(annotations.map(({ name, properties }) => [name, properties])).toEqual(
      causes.map(({ id }) => ['error', { title: id }]),
    );
    expect(annotations.every(({ text }) => !text.includes('\n'))).toBe(true);
    expect(outputsIn(user.read('output'))).toMatchObject({ verdict: 'non-conforming' });
  });

  test('a run that conforms, but is not whole as required, says why it fails the job', () => {
    const skipped = resultOf('token/x', 'required', undecided('tester', 'no token was given'));
    const results = [resultOf('create/x', 'required', holds()), skipped];
    expect(commandsIn(annotationsOf(reportOf(results, { requireWhole: true })))).toMatchObject([
      { name: 'error', text: expect.stringMatching(/^The run exits with 3, because/) as unknown },
    ]);
    expect(annotationsOf(reportOf(results))).toBe('');
  });

  test('a run that could check nothing says why', async ({ user }) => {
    const environment = {
      CONFORMANCE_BASE_URL: 'http://127.0.0.1:1',
      CONFORMANCE_USERNAME: 'me',
      CONFORMANCE_PASSWORD: 'a-password',
      ...stepOf(user),
    };
    const { code, stdout } = await user.run([], environment);
    expect(code).toBe(3);
    expect(commandsIn(stdout)).toMatchObject([
      { name: 'error', text: expect.stringContaining('127.0.0.1') as unknown },
    ]);
  });

  test('the summary of the run is the summary of the step', async ({ user }) => {
    const target = await user.serve();
    const environment = { ...target.environment, ...stepOf(user) };
    await user.run(['--only', 'list/answers'], environment);
    const summary = user.files.includes('reports/summary.md') ? user.read('reports/summary.md') : '';
    expect(user.read('summary')).toBe(summary);
  });

  test('files of the runner that cannot be written change no verdict', async ({ user }) => {
    const target = await user.serve();
    const environment = { ...target.environment, ...stepOf(user), GITHUB_OUTPUT: 'missing/output' };
    const { code, stderr } = await user.run(['--only', 'list/answers'], environment);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^A file of GitHub Actions cannot be written \(ENOENT: /);
  });

  test('elsewhere a run prints no command and touches no file', async ({ user }) => {
    const target = await user.serve();
    const { GITHUB_ACTIONS: _, ...environment } = { ...target.environment, ...stepOf(user) };
    const { stdout } = await user.run(['--only', 'list/answers'], environment);
    expect(stdout).not.toContain('::');
    expect(user.read('output')).toBe('');
  });
});

test('more causes than GitHub shows are counted in the last annotation', () => {
  const results = Array.from({ length: 14 }, (_, at) =>
    resultOf(`create/claim-${at}`, 'required', broken(`100% wrong: claim ${'x'.repeat(at)}`, wrong)),
  );
  const report = reportOf(results);
  // Findings of one operation and one exchange would be one cause.
  const causes = results.map(({ requirement: { id } }) => ({ id, explains: [], waiting: [] }));
  const annotations = commandsIn(annotationsOf({ ...report, causes }));
  expect(annotations).toHaveLength(10);
  expect(annotations[0]?.text).toBe('100% wrong: claim ');
  expect(annotations[9]?.text).toBe('5 more are in the reports.');
});

test('a failure that a list accepts is a notice', () => {
  const report = reportOf([resultOf('create/claim', 'required', broken('answered 201', wrong))]);
  const requirements = report.requirements.map((one) => ({ ...one, known: {} }));
  expect(commandsIn(annotationsOf({ ...report, requirements }))).toMatchObject([
    { name: 'notice', properties: { title: 'create/claim' } },
  ]);
});
