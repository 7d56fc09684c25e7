import { expect, test, type TaskMeta } from 'vitest';
import { EACH, reportOf } from '../reports/report.test.double.ts';
import type { ReportedRequirement } from '../reports/schema.ts';
import { tellVitest } from './telling.ts';

const FOUND = reportOf(EACH).requirements;

/** What vitest is told of a result: the message of a failure, a skip or an annotation, and what the test carries. */
async function told(
  found: ReportedRequirement,
): Promise<{ message: string; stack?: string; meta: TaskMeta }> {
  const task = { meta: {} as TaskMeta };
  let message = '';
  const context = {
    task,
    annotate: (text: string, type: string) => {
      message = `${type}: ${text}`;
      return Promise.resolve();
    },
    skip: (note: string) => {
      message = `skip: ${note}`;
    },
  };
  try {
    await tellVitest(Promise.resolve(found), context as unknown as Parameters<typeof tellVitest>[1]);
  } catch (error) {
    const { name, message: text, stack = 'none' } = error as Error;
    return { message: `${name}: ${text}`, stack, meta: task.meta };
  }
  return { message, meta: task.meta };
}

test('each verdict becomes a result of vitest', async () => {
  const messages = await Promise.all(FOUND.map(async (found) => (await told(found)).message.split('\n')[0]));
  expect(messages).toEqual([
    '',
    'fail: answered 201, not 200',
    'warning: answered late',
    'warning: answered oddly',
    'notice: The answer is {"order":"oldest"}.',
    'skip: there is nothing to ask',
    'skip: there is no second account',
    'error: the login was refused',
  ]);
});

test('a failure shows the finding with its exchange and command, and no place in the code', async () => {
  const { message, stack } = await told(FOUND[1] as ReportedRequirement);
  expect(message.split('\n')).toEqual([
    'fail: answered 201, not 200',
    'Why: It follows.',
    '> POST https://target.test/api/v2/tagging  {"name":"a"}',
    '< 201 application/json  {"message":"made"}',
    `curl -i -X POST 'https://target.test/api/v2/tagging' --data-raw '{"name":"a"}'`,
  ]);
  expect(stack).toBe('');
});

test('a test carries its requirement, the verdict, the reason and the commands', async () => {
  const { meta } = await told(FOUND[1] as ReportedRequirement);
  expect(meta.requirement).toEqual({
    id: 'create/fails',
    section: '4.2',
    level: 'derived',
    verdict: 'fail',
    reason: 'answered 201, not 200',
    curl: [`curl -i -X POST 'https://target.test/api/v2/tagging' --data-raw '{"name":"a"}'`],
  });
});
