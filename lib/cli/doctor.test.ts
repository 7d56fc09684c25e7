import { createServer } from 'node:http';
import { describe, expect } from 'vitest';
import type { Change } from '../../fixtures/fixture.ts';
import { test, type User } from './user.test.double.ts';

/** Changes the answers to requests of one kind. */
const answered =
  (change: (response: Response, request: Request) => Response | Promise<Response>): Change =>
  (Base) =>
    class extends Base {
      override async fetch(request: Request): Promise<Response> {
        return change(await super.fetch(request.clone()), request);
      }
    };

const withHeader = (name: string, value: () => string): Change =>
  answered(async (response) => {
    const headers = new Headers(response.headers);
    headers.set(name, value());
    return new Response(await response.text(), { status: response.status, headers });
  });

/** Refuses logins with one scope. */
const without = (scope: string): Change =>
  answered(async (response, request) => {
    const { scopes } = (request.method === 'POST' ? await request.clone().json() : {}) as {
      scopes?: string[];
    };
    return scopes?.includes(scope) === true ? new Response('{"message":"no"}', { status: 302 }) : response;
  });

/** What `doctor` says about a changed server, with wrapped lines joined. */
async function said(user: User, change: Change, more: Readonly<Record<string, string>> = {}) {
  const target = await user.serve(change);
  const { code, stdout } = await user.run(['doctor'], { ...target.environment, COLUMNS: '400', ...more });
  expect(target.left()).toEqual([]);
  return { code, stdout };
}

describe('doctor', () => {
  test('finds no obstacle to a run, and writes nothing to the target', async ({ user }) => {
    const target = await user.serve(undefined, { tls: true });
    const started = performance.now();
    const { code, stdout } = await user.run(['doctor'], target.environment);
    expect(code).toBe(0);
    expect(
      stdout.match(/^(ok|note|WRONG) +[\w ]+?(?= {2})/gm)?.map((line) => line.replace(/ +/, ' ')),
    ).toEqual([
      'ok reports',
      'ok address',
      'note TLS',
      'ok clock',
      'ok credentials',
      'ok scopes',
      'ok tags',
      'ok second account',
      'ok panel token',
      'ok rate limits',
    ]);
    expect(stdout).toMatch(/the certificate is valid for \d+ hours\.\n +-> Renew the certificate/);
    expect(stdout).toMatch(/\nNothing stands in the way of a run\.\n$/);
    expect(target.left()).toEqual([]);
    // It takes about two seconds on an idle machine.
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test.for<[string, Change, RegExp]>([
    [
      'a scope',
      without('bank_read'),
      /^note +scopes +the account gets no token for bank_read\.\n +-> Let the account/m,
    ],
    [
      'the clock',
      withHeader('date', () => new Date(Date.now() - 600_000).toUTCString()),
      /^note +clock +the clock of the target is (9|10) minutes behind the one here\.\n +-> Set both/m,
    ],
    [
      'a rate limit',
      withHeader('x-ratelimit-limit', () => '60'),
      /^note +rate limits +the target names one \(x-ratelimit-limit: 60\)[^>]*\n +-> Set CONFORMANCE_MAX_RPS/m,
    ],
  ])('tells of %s', async ([, change, expected], { user }) => {
    const { code, stdout } = await said(user, change);
    expect(code).toBe(0);
    expect(stdout).toMatch(expected);
  });

  test('waits for no pause that the target asks for', async ({ user }) => {
    const { code, stdout } = await said(
      user,
      answered(() => new Response('{}', { status: 429, headers: { 'retry-after': '60' } })),
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^WRONG +rate limits +.* 429[^>]*\n +-> Set CONFORMANCE_MAX_RPS[^]*\n\nOne thing stands/m,
    );
  });

  test('reports wrong credentials, and shows no password', async ({ user }) => {
    const { code, stdout } = await said(user, (Base) => Base, { CONFORMANCE_PASSWORD: 'not-the-password' });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^WRONG +credentials +the target refuses the credentials .*\n +-> Check CONFORMANCE_USERNAME/m,
    );
    expect(stdout).not.toContain('not-the-password');
  });

  test('reports what earlier runs left, on disk and on the target', async ({ user }) => {
    const target = await user.serve();
    target.server.of(target.accounts[0].username);
    const token = target.environment['CONFORMANCE_ACCESS_TOKEN'] ?? '';
    await target.server.fetch(
      new Request(`${target.url}/api/v2/tagging`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json',
        },
        body: '{"name":"ctabcdefghijkl"}',
      }),
    );
    user.write('reports/ledger-20260101T000000000Z-1.jsonl', '{}');
    const { code, stdout } = await user.run(['doctor'], { ...target.environment, COLUMNS: '400' });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^note +tags +1 of \d+ listed tags are named like those of a run, such as ctabcdefghijkl\.\n +-> /m,
    );
    expect(stdout).toMatch(
      /^note +reports +the folder reports holds the ledger of an earlier run: ledger-20260101T.*\n +-> .* sweep$/m,
    );
  });

  test('reports a certificate that does not verify, and sends nothing', async ({ user }) => {
    const target = await user.serve(undefined, { tls: true });
    const { CONFORMANCE_CA_FILE: _, ...environment } = target.environment;
    const { code, stdout } = await user.run(['doctor'], { ...environment, COLUMNS: '400' });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^WRONG +TLS +the certificate does not verify .*\n +-> Give the certificate of the authority/m,
    );
    expect(stdout).not.toMatch(/credentials/);
  });

  test.for([
    ['https://name.invalid', /^WRONG +DNS +the name name\.invalid has no address/m],
    ['http://name.invalid', /^WRONG +address +.*plain http.*\n +-> Give an https:/m],
  ] as const)('tells what is wrong with %s', async ([address, expected], { user }) => {
    const { code, stdout } = await user.run(['doctor'], {
      CONFORMANCE_BASE_URL: address,
      CONFORMANCE_USERNAME: 'someone',
      CONFORMANCE_PASSWORD: 'something',
      COLUMNS: '400',
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(expected);
  });

  test('reports a port where nobody listens', async ({ user }) => {
    const server = createServer();
    const port = await user.listen(server);
    await new Promise((resolve) => server.close(resolve));
    const { code, stdout } = await user.run(['doctor'], {
      CONFORMANCE_BASE_URL: `http://127.0.0.1:${port}`,
      CONFORMANCE_USERNAME: 'someone',
      CONFORMANCE_PASSWORD: 'something',
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^WRONG +connection +nothing accepts connections at the address \(ECONNREFUSED\)/m,
    );
  });

  test('reports a port that closes every connection', async ({ user }) => {
    const server = createServer().on('connection', (socket) => socket.destroy());
    const port = await user.listen(server);
    const { code, stdout } = await user.run(['doctor'], {
      CONFORMANCE_BASE_URL: `http://127.0.0.1:${port}`,
      CONFORMANCE_USERNAME: 'someone',
      CONFORMANCE_PASSWORD: 'something',
      COLUMNS: '400',
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^WRONG +HTTP +the target could not be reached[^>]*\n +-> Check the scheme/m);
    expect(stdout).toMatch(/\nOne thing stands in the way of a run\.\n$/);
  });

  test('says what a run leaves out', async ({ user }) => {
    const target = await user.serve();
    const {
      CONFORMANCE_SECOND_USERNAME: _username,
      CONFORMANCE_SECOND_PASSWORD: _password,
      CONFORMANCE_ACCESS_TOKEN: _token,
      ...environment
    } = target.environment;
    const { code, stdout } = await user.run(['doctor'], { ...environment, COLUMNS: '400' });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok +address .* a run leaves out/m);
    expect(stdout).toMatch(/^note +second account +none is given.*\n +-> Give CONFORMANCE_SECOND_USERNAME/m);
    expect(stdout).toMatch(/^note +panel token +no token .*\n +-> Give CONFORMANCE_ACCESS_TOKEN/m);
  });

  test('reports that a token from the control panel is refused, without showing it', async ({ user }) => {
    const { code, stdout } = await said(user, (Base) => Base, { CONFORMANCE_ACCESS_TOKEN: 'not-the-token' });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^note +panel token +GET [^>]* 401\.\n +-> Check that CONFORMANCE_ACCESS_TOKEN/m);
    expect(stdout).not.toContain('not-the-token');
  });

  test('does not blame the token if the list is missing', async ({ user }) => {
    const missing = answered((response, { method }) =>
      method === 'GET' ? Response.json({ message: 'Not found.' }, { status: 404 }) : response,
    );
    const { stdout } = await said(user, missing);
    expect(stdout).toMatch(/^WRONG +tags +GET [^>]* 404, .*\n +-> Compare the answer/m);
    expect(stdout).toMatch(/^note +panel token +GET [^>]* 404\.\n +-> Compare the answer/m);
  });

  test('needs a target', async ({ user }) => {
    const { code, stderr } = await user.run(['doctor']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^There is no target to look at/);
  });
});
