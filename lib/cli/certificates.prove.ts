import { createHash, generateKeyPairSync } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reference } from '../../fixtures/certifying.ts';
import { changes } from '../../fixtures/fixture.ts';
import { variants } from '../../fixtures/variants/index.ts';
import { readSigningKey, type SigningKey } from '../certificate/keys.ts';
import type { Har, HarEntry } from '../evidence/har.ts';
import type { Report } from '../reports/report.ts';
import { writeReports } from '../reports/write.ts';
import { certified, recorded } from './certified.test.double.ts';
import { issued } from './issuing.ts';
import { User } from './user.test.double.ts';

/** Conforming servers that differ from one another. */
const SERVERS = [
  { name: 'Reference', change: reference.change },
  {
    name: 'Another',
    change: changes(
      ...variants.filter(({ name }) => ['unique names', 'ULIDs'].includes(name)).map(({ change }) => change),
    ),
  },
] as const;

const user = new User();
const reports: Report[] = [];
let key: SigningKey;

const folderOf = (name: string): string => join(user.folder, 'certificates', name);

beforeAll(async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  user.write('key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  user.write('key.pub.pem', publicKey.export({ type: 'spki', format: 'pem' }).toString());
  user.write('keys.json', JSON.stringify({ keys: [publicKey.export({ format: 'jwk' })] }));
  key = await readSigningKey(join(user.folder, 'key.pem'));
  for (const { name, change } of SERVERS) {
    const report = await recorded(change, name, folderOf(name));
    writeReports(report, folderOf(name));
    const { code, text } = await issued(report, folderOf(name), { key, days: 90, declared: undefined });
    expect(code, text).toBe(0);
    reports.push(report);
  }
}, 280_000);
afterAll(() => user.leave());

describe('certificates of unlike servers', () => {
  test('are verified, and their runs judged again from the evidence', async () => {
    for (const args of [
      ['certificates/Reference', '--keys', 'keys.json'],
      ['certificates/Another/certificate.json', '--key', 'key.pub.pem'],
    ]) {
      const { code, stdout } = await user.run(['verify', ...args]);
      expect(code, stdout).toBe(0);
      expect(stdout).toMatch(
        /^verified: .*certificate\.json\n {2}\w+ 1\.0 is conforming to Account Mutation API/,
      );
      expect(stdout).toMatch(/The certificate is valid until 20\d\d-.*Z\.\n/);
      const [, agreed] = /Judged again from the evidence, (\d+) verdicts are the same/.exec(stdout) ?? [];
      expect(Number(agreed)).toBeGreaterThan(200);
    }
  });

  test('are collected in one table, with the answers in which they differ, and others apart', async () => {
    cpSync(folderOf('Another'), folderOf('Changed'), { recursive: true });
    user.write('certificates/Changed/report.json', `${user.read('certificates/Changed/report.json')} `);
    const args = ['collect', 'certificates', '--keys', 'keys.json', '--html', 'index.html'];
    const { code, stdout } = await user.run(args);
    expect(code, stdout).toBe(0);
    expect(stdout).toContain(`Valid certificates: ${SERVERS.length}\n`);
    expect(stdout).toContain(
      'Not in the table: 1\n  Changed/certificate.json (Another 1.0)\n    report.json is not the file that was certified',
    );
    const [table = '', others = ''] = user.read('index.html').split('Not in the table');
    for (const { name } of SERVERS) expect(table).toContain(`${name} 1.0`);
    for (const question of ['names.unique', 'tagId.form']) expect(table).toContain(question);
    expect(others).toContain('Changed/certificate.json');
  });
});

test('attesting writes the certificate, a page and a badge beside the reports', () => {
  const names = user.files.filter((file) => file.startsWith('certificates/Another/'));
  expect(names.map((file) => file.split('/').at(-1))).toEqual([
    'certificate.html',
    'certificate.json',
    'certificate.svg',
    'declaration.json',
    'evidence.har',
    'fingerprint.json',
    'index.html',
    'junit.xml',
    'report.json',
    'summary.md',
  ]);
  expect(user.read('certificates/Another/certificate.html')).toContain(
    'Another 1.0 conforms to Account Mutation API',
  );
  expect(user.read('certificates/Another/certificate.svg')).toMatch(
    /^<svg .*Another 1\.0: conforms until 20/,
  );
});

test('attesting writes none that verifying would refuse, and leaves none of an earlier run', async () => {
  const folder = join(user.folder, 'other');
  cpSync(folderOf('Reference'), folder, { recursive: true });
  const [report] = reports as [Report];
  const requirements = report.requirements.map((one) => ({ ...one, restsOn: '1' }));
  const changed = { ...report, requirements };
  writeReports(changed, folder);
  const { code, text } = await issued(changed, folder, { key, days: 90, declared: undefined });
  expect(code).toBe(3);
  expect(text).toContain('No certificate is written:\n');
  expect(user.files.filter((file) => file.startsWith('other/certificate'))).toEqual([]);
});

describe('a certificate whose maker changed the evidence is refused, where', () => {
  /** Changes the evidence of the reference, and signs it as if it were true. */
  async function refusalOf(
    change: (entry: HarEntry) => void,
    isMeant: (entry: HarEntry) => boolean,
  ): Promise<string> {
    const folder = join(user.folder, 'tampered');
    cpSync(folderOf('Reference'), folder, { recursive: true });
    const file = join(folder, 'evidence.har');
    const har = JSON.parse(readFileSync(file, 'utf8')) as Har;
    har.log.entries.filter(isMeant).forEach(change);
    const text = JSON.stringify(har);
    writeFileSync(file, text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    const evidence = { file: 'evidence.har', entries: har.log.entries.length, bytes: text.length, sha256 };
    certified({ ...(reports[0] as Report), evidence }, key, folder);
    const { code, stdout } = await user.run(['verify', 'tampered', '--keys', 'keys.json']);
    expect(code).toBe(1);
    return stdout;
  }

  test('a status was changed', async () => {
    const refusal = await refusalOf(
      ({ response }) => (response.status = 201),
      ({ _requirements: ids }) => ids.includes('create/answers'),
    );
    expect(refusal).toContain(
      'The report gives create/answers the verdict pass, but the evidence leads to the verdict fail:',
    );
  });

  test('the bodies were taken away', async () => {
    const refusal = await refusalOf(
      ({ response: { content } }) => {
        delete content.text;
        content._length = content.size;
      },
      () => true,
    );
    expect(refusal).toMatch(/The evidence decides only \d+ of \d+ verdicts, and at least 90 % are expected/);
  });
});
