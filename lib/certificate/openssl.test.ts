import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { draft, HOLDING, sealed, verified } from './certificate.test.double.ts';
import { preAuthEncoding } from './envelope.ts';
import { readSigningKey, readVerificationKeys } from './keys.ts';

const folder = mkdtempSync(join(tmpdir(), 'openssl-'));
const at = (name: string): string => join(folder, name);
const openssl = (...args: readonly string[]): void => void execFileSync('openssl', args, { cwd: folder });

/** The commands that the document gives. */
const COMMANDS = (() => {
  const text = readFileSync(new URL('../../docs/certificates.md', import.meta.url), 'utf8');
  return /```sh openssl\n(.*?)```/s.exec(text)?.[1] ?? '';
})();

const run = (): { readonly code: number | null; readonly output: string } => {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', COMMANDS], { cwd: folder, encoding: 'utf8' });
  return { code: status, output: `${stdout}${stderr}` };
};

beforeAll(() => {
  openssl('genpkey', '-algorithm', 'ed25519', '-out', 'key.pem');
  openssl('pkey', '-in', 'key.pem', '-pubout', '-out', 'key.pub.pem');
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the pre-authentication encoding is that of the DSSE specification', () => {
  const encoded = preAuthEncoding('http://example.com/HelloWorld', Buffer.from('hello world'));
  expect(encoded.toString()).toBe('DSSEv1 29 http://example.com/HelloWorld 11 hello world');
  expect(preAuthEncoding('é', Buffer.from('ü')).toString()).toBe('DSSEv1 2 é 2 ü');
});

describe('openssl, by the commands of the document,', () => {
  test('verifies a certificate that was signed with a key of its own making', async () => {
    const made = draft();
    made.report.product.name = 'Zoë’s "Tag" Server';
    made.key = await readSigningKey(at('key.pem'));
    const signed = sealed(made);
    writeFileSync(at('certificate.json'), signed.certificate);
    expect(run()).toMatchObject({
      code: 0,
      output: expect.stringContaining('Verified Successfully') as string,
    });
    const keys = await readVerificationKeys({ key: at('key.pub.pem') });
    expect((await verified(signed, { ...HOLDING, keys })).refusals).toEqual([]);
    expect(JSON.parse(readFileSync(at('payload.json'), 'utf8'))).toMatchObject({
      predicate: { product: { name: 'Zoë’s "Tag" Server' } },
    });
  });

  test('does not verify one that was changed', async () => {
    const signed = sealed({ ...draft(), key: await readSigningKey(at('key.pem')) });
    const { payload } = JSON.parse(signed.certificate) as { payload: string };
    const other = Buffer.from(payload, 'base64').toString().replace('conforming', 'confirming');
    writeFileSync(
      at('certificate.json'),
      signed.certificate.replace(payload, Buffer.from(other).toString('base64')),
    );
    expect(run().code).toBe(1);
  });
});
