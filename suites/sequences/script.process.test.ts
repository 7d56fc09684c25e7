import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Reference } from '../../fixtures/reference/reference.ts';
import { freshAccounts } from '../../fixtures/reference/accounts.ts';
import { serve } from '../../fixtures/reference/serve.ts';
import { cases } from './cases.ts';
import { script } from './script.ts';
import { NEVER_MADE, type Step } from './steps.ts';

/** Runs a script against the reference. Returns its output, the requests with their statuses, and the tags it left. */
async function run(text: string): Promise<{ printed: string; sent: string[]; left: string[] }> {
  const [account, other] = freshAccounts();
  const sent: string[] = [];
  const reference = new (class extends Reference {
    override async fetch(request: Request): Promise<Response> {
      const response = await super.fetch(request);
      sent.push(`${request.method} ${response.status}`);
      return response;
    }
  })([account, other]).seeded();
  const before = reference.of(account.username).map(({ name }) => name);
  const token = await reference.issueToken({ username: account.username, scopes: ['api'] });
  const serving = await serve(reference, { tls: false });
  const folder = mkdtempSync(join(tmpdir(), 'script-'));
  try {
    const path = join(folder, 'case.sh');
    writeFileSync(path, text);
    const environment = { PATH: process.env['PATH'], BASE: serving.url, TOKEN: token };
    const { stdout } = await promisify(execFile)('sh', [path], { env: environment });
    expect(stdout).not.toContain(token);
    const left = reference.of(account.username).map(({ name }) => name);
    return { printed: stdout, sent, left: left.filter((name) => !before.includes(name)) };
  } finally {
    rmSync(folder, { recursive: true });
    await serving.close();
  }
}

const ONE_OF_EACH: readonly Step[] = [
  { do: 'create', name: 0 },
  { do: 'create', name: 1 },
  { do: 'rename', tag: 0, name: 2 },
  { do: 'filter', name: 2 },
  { do: 'delete', tag: 0 },
  { do: 'delete', tag: 0 },
  { do: 'rename', tag: NEVER_MADE, name: 0 },
  { do: 'delete', tag: NEVER_MADE },
  { do: 'list' },
];

describe('the script of a case', () => {
  test('sends each step, lists the tags, and deletes those that it made', async () => {
    const { printed, sent, left } = await run(script(ONE_OF_EACH));
    expect(sent.slice(0, 9)).toEqual([
      'POST 200',
      'POST 200',
      'PUT 200',
      'GET 200',
      'DELETE 200',
      'DELETE 404',
      'PUT 404',
      'DELETE 404',
      'GET 200',
    ]);
    expect(left).toEqual([]);
    const [, name] = /C is ([a-z]{12,16})\n/.exec(printed) ?? [];
    const [, found] = /4\. filter by C\n {3}(.+) \(200\)\n/.exec(printed) ?? [];
    expect(JSON.parse(found ?? '')).toMatchObject({ tagging: [{ name }] });
    expect(printed).toContain('5. delete tag 1\n');
  });

  test('sends the steps of generated cases in their order', async () => {
    const METHODS = { create: 'POST', rename: 'PUT', delete: 'DELETE', list: 'GET', filter: 'GET' };
    for (const steps of fc.sample(cases(15), { seed: 5, numRuns: 3 })) {
      const { sent, left } = await run(script(steps));
      expect(sent.slice(0, steps.length).map((line) => line.split(' ')[0])).toEqual(
        steps.map((step) => METHODS[step.do]),
      );
      expect(sent.filter((line) => / (400|401|422|5\d\d)$/.test(line))).toEqual([]);
      expect(left).toEqual([]);
    }
  });

  test('never addresses a tag that it did not make', async () => {
    const { sent } = await run(script([{ do: 'create', name: 0 }]).replace('\\"name\\"', '\\"nothing\\"'));
    expect(sent).toContain('POST 422');
    expect(sent.at(-1)).toBe('DELETE 404');
  });

  test('stops if its variables are not set, and contains no secret', async () => {
    const text = script(ONE_OF_EACH);
    await expect(
      promisify(execFile)('sh', ['-c', text], { env: { PATH: process.env['PATH'] } }),
    ).rejects.toThrow('BASE');
    expect(text.match(/Bearer .*/g)).toEqual(['Bearer $TOKEN" ${1+--data-raw "$1"})']);
  });
});
