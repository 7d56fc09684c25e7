import { createServer } from 'node:net';
import { describe, expect } from 'vitest';
import { test } from './user.test.double.ts';

const found = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';

describe.concurrent('serve', () => {
  test('answers over plain http to the account that it prints, until SIGTERM, and ends with 0', async ({
    user,
  }) => {
    const running = user.spawn(['serve', '--http']);
    const printed = await running.printed('second@example.com');
    const url = found(printed, /listens on (http:\/\/\S+)/);
    const username = found(printed, /Account (\S+)/);
    const password = found(printed, /with the password (\S+)/);
    const login = await fetch(`${url}/api/v2/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username, password, scopes: ['api'] }),
    });
    expect(login.status).toBe(200);
    expect(await login.json()).toEqual({ access_token: expect.any(String) as string });
    // The connection of that request is still open.
    running.send('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  test('can be certified over https with the certificate that it writes, until Ctrl-C', async ({ user }) => {
    const running = user.spawn(['serve']);
    const printed = await running.printed('second@example.com');
    const { code } = await user.run(['--only', 'transport'], {
      CONFORMANCE_BASE_URL: found(printed, /listens on (https:\/\/\S+)/),
      CONFORMANCE_CA_FILE: found(printed, /CONFORMANCE_CA_FILE=(\S+)/),
      CONFORMANCE_USERNAME: found(printed, /Account (\S+)/),
      CONFORMANCE_PASSWORD: found(printed, /with the password (\S+)/),
    });
    expect(code).toBe(0);
    expect(user.report()).toMatchObject({ verdict: 'conforming', residue: [] });
    running.pressCtrlC();
    expect((await running.ended).code).toBe(0);
  });

  test('ends with 2 if the port is taken', async ({ user }) => {
    const port = await user.listen(createServer());
    const { code, stderr } = await user.run(['serve', '--http', '--port', String(port)]);
    expect(code).toBe(2);
    expect(stderr).toBe(
      `The server cannot listen on --port ${port} (EADDRINUSE); give another port, or none for a free one.\n`,
    );
  });
});
