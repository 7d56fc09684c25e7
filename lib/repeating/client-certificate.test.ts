import { spawn } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PRELUDE } from './prelude.ts';

const PASSPHRASE = 'open "sesame" \\ now';
const folder = mkdtempSync(join(tmpdir(), 'curl-certificate-'));
const files = { ca: join(folder, 'ca.pem'), cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
let server: Server;

beforeAll(async () => {
  const altNames = [{ type: 7, ip: '127.0.0.1' } as const];
  const own = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames }],
  });
  const client = await generate([{ name: 'commonName', value: 'client.test' }], { keyType: 'ec' });
  const encrypted = createPrivateKey(client.private).export({
    format: 'pem',
    type: 'pkcs8',
    cipher: 'aes-256-cbc',
    passphrase: PASSPHRASE,
  });
  writeFileSync(files.ca, own.cert);
  writeFileSync(files.cert, client.cert);
  writeFileSync(files.key, encrypted);
  const options = { key: own.private, cert: own.cert, ca: client.cert, requestCert: true };
  server = createServer(options, (_, response) => response.end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** Sends one request as the scripts do. Resolves with what it prints. */
function ask(passphrase: string | undefined): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const shell = spawn('sh', ['-s'], {
    env: {
      PATH: process.env['PATH'],
      BASE: `https://127.0.0.1:${port}`,
      CONFORMANCE_PASSWORD: 'a-password',
      CONFORMANCE_CA_FILE: files.ca,
      CONFORMANCE_CLIENT_CERT_FILE: files.cert,
      CONFORMANCE_CLIENT_KEY_FILE: files.key,
      ...(passphrase === undefined ? {} : { CONFORMANCE_CLIENT_KEY_PASSPHRASE: passphrase }),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let output = '';
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  shell.stdin.end(`${PRELUDE}\nask GET /\necho "$status"\nrm -r "$work"\n`);
  return new Promise((resolve) => shell.once('close', () => resolve(output)));
}

test('Scripts show a client certificate whose key has a passphrase', async () => {
  expect(await ask(PASSPHRASE)).toBe('200\n');
  expect(await ask('another')).toBe('000\n');
});
