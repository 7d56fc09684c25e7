import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from './secret.ts';
import { mistake, read, TARGET } from './settings.test.double.ts';
import { readSettings, VARIABLES, type Sources, type Variable } from './settings.ts';
import { SettingsError } from './settings-error.ts';

let folder: string;
let pem: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'settings-'));
  pem = (await generate([{ name: 'commonName', value: 'target.test' }], { keyType: 'ec' })).cert;
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('without any setting', () => {
  test('there is no target, and everything else has a default', () => {
    const { given, ...settings } = read({});
    expect(new Set(given.map(({ from }) => from))).toEqual(new Set(['default']));
    expect(settings).toEqual({
      base: undefined,
      username: undefined,
      password: undefined,
      panelToken: undefined,
      second: undefined,
      extraHeaders: [],
      reportDir: 'reports',
      effort: 'standard',
      seed: '0.1',
      ca: undefined,
      timeoutMs: 10_000,
      maxTimeMs: 600_000,
      concurrency: 8,
      mostConcurrency: 32,
      maxRps: undefined,
      settleMs: 1_000,
      maxLiveTags: 20,
      unknown: [],
    });
  });
});

describe('every setting', () => {
  test('says where its value came from, and shows no secret', () => {
    const envFile = file(
      '.env.origins',
      'CONFORMANCE_PASSWORD="its password"\nCONFORMANCE_SEED=of-the-file\n',
    );
    const { CONFORMANCE_PASSWORD: _, ...environment } = { ...TARGET, CONFORMANCE_EFFORT: 'quick' };
    const { given } = readSettings({ flags: { CONFORMANCE_EFFORT: 'thorough' }, environment, envFile });
    const of = (name: string): unknown => given.find((one) => one.name === name);
    expect(of('CONFORMANCE_EFFORT')).toMatchObject({ value: 'thorough', from: 'option' });
    expect(of('CONFORMANCE_USERNAME')).toMatchObject({ value: 'someone', from: 'environment' });
    expect(of('CONFORMANCE_SEED')).toMatchObject({ value: 'of-the-file', from: '.env file' });
    expect(of('CONFORMANCE_SETTLE_MS')).toMatchObject({ value: '1000', from: 'default' });
    expect(of('CONFORMANCE_PASSWORD')).toEqual({
      name: 'CONFORMANCE_PASSWORD',
      value: undefined,
      from: '.env file',
    });
    expect(JSON.stringify(given)).not.toContain('its password');
  });

  test('is read as a value of its type', () => {
    const certificate = file('ca.pem', pem);
    const settings = read({
      ...TARGET,
      CONFORMANCE_ACCESS_TOKEN: 'panel-token',
      CONFORMANCE_SECOND_USERNAME: 'another',
      CONFORMANCE_SECOND_PASSWORD: 'another password',
      CONFORMANCE_HEADERS: '{"X-Access": "open sesame", "X-0": ""}',
      CONFORMANCE_REPORT_DIR: 'elsewhere',
      CONFORMANCE_SEED: 'seed',
      CONFORMANCE_CA_FILE: certificate,
      CONFORMANCE_TIMEOUT_MS: '1',
      CONFORMANCE_MAX_TIME_S: '2',
      CONFORMANCE_CONCURRENCY: '3',
      CONFORMANCE_MAX_RPS: '0.5',
      CONFORMANCE_SETTLE_MS: '0',
      CONFORMANCE_MAX_LIVE_TAGS: '10',
    });
    expect(settings).toMatchObject({
      username: 'someone',
      second: { username: 'another' },
      reportDir: 'elsewhere',
      seed: 'seed',
      ca: pem,
      timeoutMs: 1,
      maxTimeMs: 2_000,
      concurrency: 3,
      maxRps: 0.5,
      settleMs: 0,
      maxLiveTags: 10,
    });
    expect(settings.base?.href).toBe('https://staging.example.com/');
    expect(settings.extraHeaders.map(([name, value]) => [name, String(value)])).toEqual([
      ['X-Access', '$HEADER_1'],
      ['X-0', '$HEADER_2'],
    ]);
    const secrets = [settings.password, settings.panelToken, settings.second?.password];
    const all = [...secrets, ...settings.extraHeaders.map(([, value]) => value)];
    expect(all.map((secret) => (secret instanceof Secret ? secret.reveal() : secret))).toEqual([
      'its password',
      'panel-token',
      'another password',
      'open sesame',
      '',
    ]);
  });

  test('may be a single character if it is text', () => {
    const texts = ['USERNAME', 'PASSWORD', 'ACCESS_TOKEN', 'SECOND_USERNAME', 'SECOND_PASSWORD', 'SEED'];
    const given = Object.fromEntries([...texts, 'REPORT_DIR'].map((name) => [`CONFORMANCE_${name}`, '1']));
    expect(read({ ...TARGET, ...given })).toMatchObject({ username: '1', seed: '1', reportDir: '1' });
  });

  test.each(VARIABLES)('%s that is set but empty is a mistake', (name) => {
    expect(mistake({ [name]: '' })).toMatch(new RegExp(`^${name} is [^\n]+\\.$`));
  });
});

describe('where a setting comes from', () => {
  const envFile = (): string =>
    file('.env', 'CONFORMANCE_SEED=file\nCONFORMANCE_REPORT_DIR=file\nCONFORMANCE_CONCURRENCY=4\n');

  test('a flag is stronger than the environment, which is stronger than the .env file', () => {
    const settings = readSettings({
      flags: { CONFORMANCE_SEED: 'flag' },
      environment: { CONFORMANCE_SEED: 'environment', CONFORMANCE_REPORT_DIR: 'environment' },
      envFile: envFile(),
    });
    expect(settings).toMatchObject({ seed: 'flag', reportDir: 'environment', concurrency: 4 });
  });

  test('the .env file need not exist, and may be a folder', () => {
    for (const envFile of [join(folder, 'none'), folder])
      expect(readSettings({ flags: {}, environment: {}, envFile }).seed).toBe('0.1');
  });

  test('a mistake names what the user wrote', () => {
    const wrong = { CONFORMANCE_TIMEOUT_MS: 'soon' };
    const file = join(folder, 'wrong');
    writeFileSync(file, 'CONFORMANCE_TIMEOUT_MS=soon\n');
    const messageOf = (sources: Partial<Sources>): string => {
      try {
        readSettings({ flags: {}, environment: {}, envFile: join(folder, 'none'), ...sources });
        return 'none';
      } catch (error) {
        return String(error);
      }
    };
    expect(messageOf({ flags: wrong })).toContain(': --timeout-ms is expected');
    expect(messageOf({ environment: wrong })).toContain(': CONFORMANCE_TIMEOUT_MS is expected');
    expect(messageOf({ envFile: file })).toContain(': CONFORMANCE_TIMEOUT_MS in .env is expected');
  });

  test('an empty value in the environment is not replaced by the one of the .env file', () => {
    expect(() =>
      readSettings({ flags: {}, environment: { CONFORMANCE_SEED: '' }, envFile: envFile() }),
    ).toThrow('CONFORMANCE_SEED is set but empty');
  });

  test('a variable that only looks like a setting is named once', () => {
    const path = file('slips', 'CONFORMANCE_SED=1\nCONFORMANCE_USER=2\nOTHER=3\n');
    const settings = readSettings({ flags: {}, environment: { CONFORMANCE_SED: '1' }, envFile: path });
    expect([...settings.unknown].toSorted()).toEqual(['CONFORMANCE_SED', 'CONFORMANCE_USER']);
  });
});

describe('the base URL', () => {
  test.each([
    ['https://staging.example.com', 'https://staging.example.com/'],
    ['https://staging.example.com/', 'https://staging.example.com/'],
    ['https://staging.example.com/api/v2', 'https://staging.example.com/'],
    ['https://staging.example.com/api/v2/', 'https://staging.example.com/'],
    ['https://staging.example.com:8443/tenant/api/v2//', 'https://staging.example.com:8443/tenant/'],
    ['https://staging.example.com/tenant', 'https://staging.example.com/tenant/'],
    [' http://127.0.0.1:3000 ', 'http://127.0.0.1:3000/'],
    ['https://[::1]/api/v2/apis', 'https://[::1]/api/v2/apis/'],
  ])('%s is read as %s', (given, expected) => {
    expect(read({ ...TARGET, CONFORMANCE_BASE_URL: given }).base?.href).toBe(expected);
  });
});

describe('a mistake is one sentence that names the setting, what was given, and what is expected', () => {
  const timeouts = 'is expected to be a whole number from 1 to 600000';
  const address = 'is expected to be an address such as https://staging.example.com';
  test.each<[Variable, string, string]>([
    ['CONFORMANCE_BASE_URL', 'staging.example.com', address],
    ['CONFORMANCE_BASE_URL', 'https://', address],
    [
      'CONFORMANCE_BASE_URL',
      'ftp://staging.example.com',
      'is expected to start with https://, or with http:// for a target on this machine',
    ],
    [
      'CONFORMANCE_BASE_URL',
      'localhost:3000',
      'is expected to start with https://, or with http:// for a target on this machine',
    ],
    ['CONFORMANCE_CA_FILE', 'no-such-file.pem', 'is expected to name a file that can be read'],
    ['CONFORMANCE_CA_FILE', 'lib', 'is expected to name a file that can be read'],
    ['CONFORMANCE_CA_FILE', 'package.json', 'is expected to name a file that holds a PEM certificate'],
    ['CONFORMANCE_TIMEOUT_MS', '0', timeouts],
    ['CONFORMANCE_TIMEOUT_MS', '600001', timeouts],
    ['CONFORMANCE_TIMEOUT_MS', '1.5', timeouts],
    ['CONFORMANCE_TIMEOUT_MS', 'soon', timeouts],
    ['CONFORMANCE_TIMEOUT_MS', '1e3', timeouts],
    ['CONFORMANCE_TIMEOUT_MS', ' ', timeouts],
    ['CONFORMANCE_MAX_TIME_S', '86401', 'is expected to be a whole number from 1 to 86400'],
    ['CONFORMANCE_CONCURRENCY', '65', 'is expected to be a whole number from 1 to 64'],
    ['CONFORMANCE_MAX_RPS', '0', 'is expected to be a number above 0'],
    ['CONFORMANCE_MAX_RPS', 'fast', 'is expected to be a number above 0'],
    ['CONFORMANCE_MAX_RPS', '100001', 'is expected to be at most 100000'],
    ['CONFORMANCE_SETTLE_MS', '-1', 'is expected to be a whole number from 0 to 60000'],
    ['CONFORMANCE_EFFORT', 'extreme', 'is expected to be one of quick, standard, thorough'],
    ['CONFORMANCE_MAX_LIVE_TAGS', '9', 'is expected to be a whole number from 10 to 1000'],
  ])('%s does not take %j', (name, value, expected) => {
    expect(mistake({ [name]: value })).toBe(`${name} ${expected}; given was ${JSON.stringify(value)}.`);
  });

  test.each(['', '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'])(
    'CONFORMANCE_CA_FILE does not take a file that holds %j',
    (content) => {
      const message = mistake({ CONFORMANCE_CA_FILE: file('broken.pem', content) });
      expect(message).toContain('is expected to name a file that holds a PEM certificate');
    },
  );

  test('CONFORMANCE_SEED takes 100 characters and no more', () => {
    expect(read({ CONFORMANCE_SEED: 'x'.repeat(100) }).seed).toHaveLength(100);
    expect(mistake({ CONFORMANCE_SEED: 'x'.repeat(101) })).toContain('at most 100 characters; given was "xx');
  });

  const headers =
    'CONFORMANCE_HEADERS is expected to be a JSON object of header names and values, such as {"X-Access": "..."}.';
  test.each<[Variable, string, string]>([
    [
      'CONFORMANCE_ACCESS_TOKEN',
      'hush hush',
      'CONFORMANCE_ACCESS_TOKEN is expected to be visible ASCII without blanks.',
    ],
    ['CONFORMANCE_HEADERS', 'X-Access: hush', headers],
    ['CONFORMANCE_HEADERS', '["hush"]', headers],
    ['CONFORMANCE_HEADERS', '{"X-Access": ["hush"]}', headers],
    ['CONFORMANCE_HEADERS', '{"X Access": "hush"}', headers],
    ['CONFORMANCE_HEADERS', '{"X-Access": "hush\\r\\nX-More: 1"}', headers],
    ['CONFORMANCE_HEADERS', '{"X-Access": "hüsh"}', headers],
    [
      'CONFORMANCE_HEADERS',
      '{"authorization": "hush"}',
      'CONFORMANCE_HEADERS is expected to leave out authorization, which every run sets itself.',
    ],
  ])('%s does not take %j, and does not repeat it', (name, value, expected) => {
    expect(mistake({ [name]: value })).toBe(expected);
  });

  test.each(['?', '#', '?token=hush', '#hush'])(
    'CONFORMANCE_BASE_URL does not take %j at its end, and does not repeat it',
    (end) => {
      expect(mistake({ CONFORMANCE_BASE_URL: `https://staging.example.com/${end}` })).toBe(
        'CONFORMANCE_BASE_URL is expected to have no query and no fragment; leave out what begins with ? or #.',
      );
    },
  );

  test.each(['someone:hush', ':hush', 'hush'])(
    'credentials in the base URL are not repeated: %s',
    (given) => {
      const message = mistake({ CONFORMANCE_BASE_URL: `https://${given}@staging.example.com` });
      expect(message).toMatch(/^CONFORMANCE_BASE_URL holds credentials; .*CONFORMANCE_PASSWORD/);
      expect(message).not.toContain('hush');
    },
  );
});

test('a .env file that cannot be read is a mistake of the user', () => {
  const envFile = join(folder, 'loop');
  symlinkSync('loop', envFile);
  expect(() => readSettings({ flags: {}, environment: {}, envFile })).toThrow(
    new SettingsError(`The file ${envFile} cannot be read (ELOOP); make it readable, or remove it.`),
  );
});
