import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test as base, vi } from 'vitest';
import { catalogue } from '../../suites/index.ts';
import { VARIABLES } from '../settings.ts';
import { certify, reportSchema, requirements, SettingsError, type CertifyOptions } from './index.ts';
import { serveReference, type ServedReference } from './reference.ts';
import { optionOf } from './settings.ts';

const test = base
  .extend('reference', async ({}, { onCleanup }): Promise<ServedReference> => {
    const reference = await serveReference();
    onCleanup(() => reference.close());
    return reference;
  })
  .extend('folder', ({}, { onCleanup }): string => {
    const folder = mkdtempSync(join(tmpdir(), 'library-'));
    onCleanup(() => rmSync(folder, { recursive: true }));
    return folder;
  });

const FEW = { only: ['create/answers', 'list/answers'], settleMs: 20 };

describe('certify', () => {
  test('resolves to the report, and prints nothing', async ({ reference }) => {
    const prints = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write'));
    const told: string[] = [];
    const report = await certify({
      ...reference.options,
      ...FEW,
      onResult: ({ id, verdict }) => told.push(`${id} ${verdict}`),
    });
    const printed = prints.flatMap((print) => print.mock.calls);
    vi.restoreAllMocks();
    expect(printed).toEqual([]);
    expect(reportSchema.strict().safeParse(report).error).toBeUndefined();
    expect(report).toMatchObject({ verdict: 'conforming', partial: true, exitCode: 0, residue: [] });
    expect(told.toSorted()).toEqual(['create/answers pass', 'list/answers pass']);
  });

  test('writes reports if a folder is given, and keeps a ledger only for tags that are left', async ({
    reference,
    folder,
  }) => {
    const report = await certify({ ...reference.options, ...FEW, reportDir: folder });
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['junit.xml', 'report.json']));
    expect(readdirSync(folder).filter((file) => file.startsWith('ledger'))).toEqual([]);
    expect(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))).toEqual(report);
  });

  test('reads no setting from the environment', async ({ reference }) => {
    vi.stubEnv('CONFORMANCE_USERNAME', 'somebody-else');
    vi.stubEnv('CONFORMANCE_EFFORT', 'thorough');
    const report = await certify({ ...reference.options, ...FEW });
    vi.unstubAllEnvs();
    expect(report).toMatchObject({ verdict: 'conforming', effort: 'standard' });
  });

  test('runs several times at once', async ({ folder }) => {
    const references = await Promise.all([serveReference(), serveReference({ tls: false })]);
    const reports = await Promise.all(
      references.map(({ options }) => certify({ ...options, ...FEW, reportDir: folder })),
    );
    await Promise.all(references.map((one) => one.close()));
    expect(reports.map(({ verdict, target }) => [verdict, target])).toEqual(
      references.map(({ url }) => ['conforming', url]),
    );
    expect(readdirSync(folder).filter((file) => file.startsWith('ledger'))).toEqual([]);
  });

  test('ends early by a signal, and removes its tags', async ({ reference }) => {
    const controller = new AbortController();
    const report = await certify({
      ...reference.options,
      settleMs: 20,
      signal: controller.signal,
      onResult: () => controller.abort(),
    });
    expect(report).toMatchObject({ ended: 'interrupted', verdict: 'inconclusive', residue: [] });
  });

  test('says at once, and in the reasons, that the time is too short', async ({ reference }) => {
    const notices: string[] = [];
    const report = await certify({
      ...reference.options,
      settleMs: 20,
      maxRps: 100,
      maxTimeS: 2,
      onNotice: (sentence) => notices.push(sentence),
    });
    expect(notices).toEqual([
      expect.stringMatching(/^CONFORMANCE_MAX_RPS lets about 6000 requests a minute through: /),
    ]);
    expect(report).toMatchObject({ ended: 'cut short', verdict: 'inconclusive', residue: [] });
    const undecided = report.requirements.find(({ verdict }) => verdict === 'error');
    expect(undecided?.reason).toBe(
      `the time for the whole run (2 s) ran out before this was decided. ${notices[0] ?? ''}`,
    );
  });

  test('sends nothing if the signal came before', async ({ reference }) => {
    const report = await certify({ ...reference.options, ...FEW, signal: AbortSignal.abort() });
    expect(report).toMatchObject({ ended: 'interrupted', traffic: { requests: 0 } });
  });

  test('rejects with what onResult throws, after it has removed its tags', async ({ reference, folder }) => {
    const error = new Error('a mistake of the caller');
    const running = certify({
      ...reference.options,
      settleMs: 20,
      reportDir: folder,
      onResult: () => {
        throw error;
      },
    });
    await expect(running).rejects.toBe(error);
    expect(readdirSync(folder)).toEqual(['evidence.har']);
  });

  test('holds the target to a declaration', async ({ reference }) => {
    const only = ['open/token-in-query'];
    const { fingerprint } = await certify({ ...reference.options, only });
    const declaration = {
      tokenInQuery: fingerprint.answers['tokenInQuery'] === 'accepted' ? 'refused' : 'accepted',
    };
    const report = await certify({ ...reference.options, only, declaration });
    expect(report.requirements.find(({ id }) => id === only[0])).toMatchObject({ verdict: 'fail' });
    const wrong = certify({ ...reference.options, only, declaration: { tokenInQuery: 'perhaps' } });
    await expect(wrong).rejects.toThrow(/^declaration: tokenInQuery is expected to be/);
  });

  test('says what was certified and who ran it, and keeps the evidence beside the reports', async ({
    reference,
    folder,
  }) => {
    const said = { product: 'Tag Server', productVersion: '3.1', operator: 'The tester' };
    const report = await certify({ ...reference.options, ...FEW, ...said, reportDir: folder });
    expect(report).toMatchObject({
      product: { name: 'Tag Server', version: '3.1' },
      operator: 'The tester',
      specification: { title: expect.any(String) as string },
      evidence: { file: 'evidence.har' },
    });
    expect(readdirSync(folder)).toContain('evidence.har');
    const without = await certify({ ...reference.options, ...FEW, reportDir: folder, evidence: false });
    expect(without.evidence).toBeUndefined();
  });

  test('accepts known failures, and fails by an entry that does not fail any more', async ({ reference }) => {
    const only = ['open/token-in-query'];
    const { fingerprint } = await certify({ ...reference.options, only });
    const { tokenInQuery } = fingerprint.answers;
    const declaration = { tokenInQuery: tokenInQuery === 'accepted' ? 'refused' : 'accepted' };
    const knownFailures = { failures: [{ id: 'open/token-in-query', reason: 'It is being repaired.' }] };
    const known = await certify({ ...reference.options, only, declaration, knownFailures });
    expect(known).toMatchObject({ exitCode: 0, knownFailures: { known: only, problems: [] } });
    const repaired = await certify({ ...reference.options, only, knownFailures });
    expect(repaired).toMatchObject({ exitCode: 1, knownFailures: { known: [] } });
    expect(repaired.knownFailures?.problems).toMatchObject([{ id: only[0], kind: 'passes now' }]);
  });

  test.for<[string, Partial<CertifyOptions> & Record<string, unknown>, string]>([
    [
      'without a target',
      { baseUrl: undefined as unknown as string },
      'An account is given without a target; give baseUrl too',
    ],
    ['that lacks a password', { password: undefined }, 'username is given without password; '],
    ['with a wrong number', { maxTimeS: 0 }, 'maxTimeS is expected to be a whole number from 1 '],
    [
      'with a wrong list of known failures',
      { knownFailures: { failures: [{ id: '' }] } },
      'knownFailures is expected to be {"failures": ',
    ],
    ['with evidence but no folder', { evidence: true }, 'evidence is a file in reportDir; give reportDir'],
    ['with a wrong name', { baseURL: 'https://example.com' }, '"baseURL" is not an option; '],
    ['with no certificate', { ca: 'reference-ca.pem' }, 'ca is expected to be the text of a PEM'],
    ['of plain http', { baseUrl: 'http://staging.example.com' }, 'baseUrl is plain http '],
    [
      'with an unknown selector',
      { only: ['create/anwsers'] },
      'only "create/anwsers" matches no requirement; ',
    ],
    ['with a text in place of a list', { only: 'list/' as never }, 'only is expected to be a list of texts'],
    ['with no function', { onResult: 'print' as never }, 'onResult is expected to be a function.'],
    ['with no signal', { signal: 'SIGINT' as never }, 'signal is expected to be an AbortSignal.'],
    [
      'with a text in place of a choice',
      { requireWhole: 'no' as never },
      'requireWhole is expected to be true or false.',
    ],
    [
      'with a folder that cannot be made',
      { reportDir: '/dev/null/reports' },
      'reportDir is expected to be a folder',
    ],
  ])('refuses options %s', async ([, wrong, message], { reference }) => {
    const running = certify({ ...reference.options, ...wrong });
    await expect(running).rejects.toThrow(SettingsError);
    await expect(running).rejects.toThrow(message);
    await expect(running).rejects.not.toThrow(/CONFORMANCE_|--/);
  });

  test.for([undefined, null, 'https://staging.example.com'])(
    'refuses %s in place of options',
    async (given) => {
      await expect(certify(given as never)).rejects.toThrow(
        new SettingsError('The options are expected to be an object.'),
      );
    },
  );
});

test('every setting is an option', ({ reference }) => {
  // The certificate of the reference stands for the file with one.
  const documented = readFileSync(new URL('options.ts', import.meta.url), 'utf8');
  const missing = VARIABLES.map(optionOf).filter((name) => !documented.includes(`readonly ${name}?:`));
  expect(missing).toEqual([]);
  expect(reference.options.ca).toContain('BEGIN CERTIFICATE');
});

test('the requirements are those of the catalogue, as plain data', () => {
  expect(requirements.map(({ id }) => id)).toEqual(catalogue.map(({ id }) => id));
  expect(JSON.parse(JSON.stringify(requirements))).toEqual(requirements);
});

test('a reference serves the accounts that it was given, until it is closed', async () => {
  const account = { username: 'me@example.com', password: 'mine', tags: ['rent'] };
  const { url, accessToken, close } = await serveReference({ tls: false, accounts: [account] });
  const answer = await fetch(`${url}/api/v2/tagging`, {
    headers: { Authorization: `Bearer ${accessToken}` },
  });
  expect(await answer.json()).toMatchObject({ tagging: [{ name: 'rent' }] });
  await close();
  await expect(fetch(url)).rejects.toThrow();
  expect(existsSync('reports/reference-ca.pem')).toBe(false);
});
