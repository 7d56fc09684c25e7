import { createServer, request as onward } from 'node:http';
import { expect } from 'vitest';
import { test, type User } from './user.test.double.ts';

/** A proxy that connects every name to one port of this machine, and records the requested addresses. */
async function proxying(
  user: User,
  port: string,
): Promise<{ readonly origin: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming;
    asked.push(url);
    const { pathname, search } = new URL(url);
    const there = onward({ port, host: '127.0.0.1', path: pathname + search, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(there);
  });
  return { origin: `http://127.0.0.1:${await user.listen(server)}`, asked };
}

test('a run uses the proxy of the environment, unless NO_PROXY names the target', async ({ user }) => {
  const target = await user.serve();
  const { origin, asked } = await proxying(user, new URL(target.url).port);
  const environment = {
    ...target.environment,
    CONFORMANCE_BASE_URL: 'http://target.test',
    HTTP_PROXY: origin.replace('//', '//name:hush@'),
  };
  const through = await user.run(['--only', 'create/answers', '--allow-http'], environment);
  expect(through.stdout).toContain('conforming');
  expect(through.code).toBe(0);
  expect(asked.length).toBeGreaterThan(3);
  expect(new Set(asked.map((url) => new URL(url).origin))).toEqual(new Set(['http://target.test']));
  expect(through.stdout + through.stderr + user.allFiles).not.toContain('hush');

  asked.length = 0;
  const straight = await user.run(['--only', 'create/answers', '--allow-http'], {
    ...environment,
    NO_PROXY: 'target.test',
  });
  expect(straight.code).toBe(3);
  expect(asked).toEqual([]);
});

test('requests to the embedded reference do not use the proxy', async ({ user }) => {
  const { origin, asked } = await proxying(user, '1');
  const environment = { HTTPS_PROXY: origin, HTTP_PROXY: origin };
  const { code } = await user.run(['--reference', '--only', 'create/answers'], environment);
  expect(code).toBe(0);
  expect(asked).toEqual([]);
});
