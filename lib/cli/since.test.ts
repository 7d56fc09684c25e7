import { createServer } from 'node:net';
import { describe, expect } from 'vitest';
import { test } from './user.test.double.ts';

describe('--since', () => {
  test('says in the summary what changed since an earlier run', async ({ user }) => {
    const target = await user.serve();
    const only = ['--only', 'delete/answers', 'list/answers'];
    expect((await user.run([...only, '--report-dir', 'main'], target.environment)).code).toBe(0);
    expect(user.read('main/summary.md')).not.toContain('Changed since');
    const other = await user.serve(
      (Base) =>
        class extends Base {
          override async fetch(request: Request): Promise<Response> {
            const answer = await super.fetch(request);
            return request.method === 'DELETE' && answer.status === 200
              ? Response.json({ message: 'gone' }, { status: 202 })
              : answer;
          }
        },
    );
    expect((await user.run([...only, '--since', 'main'], other.environment)).code).toBe(1);
    expect(user.read('reports/summary.md')).toContain(
      '### Changed since main\n\n1 verdict got worse, 0 changed otherwise, and 0 answers to open questions changed.\n\n- **worse**: now fail, was pass: `delete/answers`\n',
    );
  });

  test('with a file that is not a report ends with 2, and nothing is sent', async ({ user }) => {
    let connections = 0;
    const port = await user.listen(createServer(() => void connections++));
    user.write('notes.json', '{}');
    const environment = {
      CONFORMANCE_BASE_URL: `http://127.0.0.1:${port}`,
      CONFORMANCE_USERNAME: 'someone',
      CONFORMANCE_PASSWORD: 'secret-of-someone',
    };
    for (const [file, says] of [
      ['notes.json', 'notes.json is neither a report nor a fingerprint of this suite.\n'],
      ['nothing.json', 'nothing.json cannot be read (ENOENT: '],
    ] as const) {
      const { code, stderr } = await user.run(['--since', file], environment);
      expect({ code, connections }).toEqual({ code: 2, connections: 0 });
      expect(stderr).toContain(says);
    }
  });
});
