import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { describe, expect } from 'vitest';
import { catalogue } from '../../suites/index.ts';
import { SPECIFICATION_DIGEST } from '../../suites/sentences.ts';
import { catalogueDigest } from '../catalogue-digest.ts';
import { test } from './user.test.double.ts';

describe.concurrent('evidence', () => {
  test('prints the exchanges that a requirement rests on, without secrets', async ({ user }) => {
    const target = await user.serve();
    await user.run(['--only', 'list/answers', 'create/answers'], target.environment);
    const { code, stdout, stderr } = await user.run(['evidence', 'create/answers']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^> POST http:\/\/127\.0\.0\.1:\d+\/api\/v2\/tagging$/m);
    expect(stdout).toMatch(/^< 200 OK$/m);
    expect(stdout).toMatch(/^create\/answers rests on \d+ of the \d+ exchanges of the run\./m);
    for (const { password } of target.accounts) expect(stdout).not.toContain(password);
  });

  test('--json prints them as data', async ({ user }) => {
    const target = await user.serve();
    await user.run(['--only', 'create/answers'], target.environment);
    const { stdout } = await user.run(['evidence', 'create/answers', 'reports', '--json']);
    const entries = JSON.parse(stdout) as { _requirements: string[] }[];
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.every(({ _requirements }) => _requirements.includes('create/answers'))).toBe(true);
  });

  test('reads the report folder of the settings', async ({ user }) => {
    const target = await user.serve();
    user.write('.env', 'CONFORMANCE_REPORT_DIR=elsewhere\n');
    await user.run(['--only', 'create/answers'], target.environment);
    const { code, stdout } = await user.run(['evidence', 'create/answers']);
    expect(code).toBe(0);
    expect(stdout).toContain('create/answers rests on ');
    const repeated = await user.run(['repeat']);
    expect(repeated.stderr).not.toContain('cannot be read');
  });

  test('says what is wrong with its arguments', async ({ user }) => {
    const target = await user.serve();
    const none = await user.run(['evidence', 'create/answers']);
    expect(none).toMatchObject({ code: 2, stdout: '' });
    expect(none.stderr).toMatch(
      /^reports cannot be read \(ENOENT.*\); give evidence\.har or a folder with it/,
    );
    await user.run(['--only', 'create/answers'], target.environment);
    const misspelt = await user.run(['evidence', 'create/answer']);
    expect(misspelt.code).toBe(2);
    expect(misspelt.stderr).toContain('Did you mean create/answers?');
    user.write('broken.har', '{"log":{}}');
    const broken = await user.run(['evidence', 'create/answers', 'broken.har']);
    expect(broken.code).toBe(2);
    expect(broken.stderr).toBe(
      'broken.har is no evidence of this version of the suite: log._run is missing or wrong; give evidence.har of one of its runs.\n',
    );
    user.write('broken.har', 'text');
    const text = await user.run(['evidence', 'create/answers', 'broken.har']);
    expect(text.stderr).toMatch(
      /^broken\.har is no evidence of this version of the suite; give evidence\.har/,
    );
  });
});

describe.concurrent('a report', () => {
  test('says what was tested, with what, over which connection and by whom', async ({ user }) => {
    const target = await user.serve((Base) => Base, { tls: true });
    const said = ['--product', 'Tagger', '--product-version', '4.2', '--operator', 'the lab'];
    user.write('.env', 'CONFORMANCE_SEED=of-the-file\n');
    await user.run(['--only', 'list/answers', '--timeout-ms', '9000', ...said], target.environment);
    const report = user.report();
    const certificate = new X509Certificate(readFileSync(join(user.folder, 'ca.pem')));
    expect(report).toMatchObject({
      specification: { sha256: SPECIFICATION_DIGEST },
      catalogue: { requirements: catalogue.length, sha256: catalogueDigest(catalogue) },
      runtime: { node: process.version },
      product: { name: 'Tagger', version: '4.2' },
      operator: 'the lab',
      connection: {
        family: 'IPv4',
        tls: {
          version: 'TLSv1.3',
          certificate: createHash('sha256').update(certificate.raw).digest('hex'),
          issuer: certificate.issuer.replaceAll('\n', ', '),
        },
      },
    });
    const origins = Object.fromEntries(report.settings.map(({ name, from }) => [name, from]));
    expect(origins).toMatchObject({
      CONFORMANCE_TIMEOUT_MS: 'option',
      CONFORMANCE_BASE_URL: 'environment',
      CONFORMANCE_SEED: '.env file',
      CONFORMANCE_EFFORT: 'default',
      '--only': 'option',
    });
    expect(Math.abs(report.clock?.aheadMs ?? Infinity)).toBeLessThan(2_000);
    expect(report.notAsked.length).toBeGreaterThan(0);
    expect(Date.parse(report.endedAt)).toBeGreaterThanOrEqual(Date.parse(report.startedAt));
    const secrets = target.accounts.map(({ password }) => password);
    for (const secret of secrets) expect(JSON.stringify(report)).not.toContain(secret);
  });
});
