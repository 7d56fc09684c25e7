import { describe, expect, test } from 'vitest';
import { proxyFor } from './proxy.ts';
import { SettingsError } from './settings-error.ts';

const TARGET = 'https://api.staging.example.com';
const among = (given: Readonly<Record<string, string>>, target = TARGET) =>
  proxyFor(new URL(target), (name) => given[name]);

test('there is no proxy if the environment names none', () => {
  expect(among({})).toBeUndefined();
  expect(among({ HTTPS_PROXY: '' })).toBeUndefined();
});

test.each([
  ['https://x.test', 'HTTPS_PROXY'],
  ['https://x.test', 'https_proxy'],
  ['http://x.test', 'HTTP_PROXY'],
  ['http://x.test', 'http_proxy'],
])('a proxy of %s stands in %s', (target, variable) => {
  expect(among({ [variable]: 'http://proxy.test:3128' }, target)).toEqual({
    origin: 'http://proxy.test:3128',
    variable,
  });
});

test('a proxy for one scheme carries no other', () => {
  expect(among({ HTTP_PROXY: 'http://proxy.test:3128' })).toBeUndefined();
});

test('the name in lower case counts first', () => {
  expect(among({ https_proxy: 'http://one.test', HTTPS_PROXY: 'http://two.test' })?.origin).toBe(
    'http://one.test',
  );
});

test('a proxy may be given without a scheme', () => {
  expect(among({ HTTPS_PROXY: 'proxy.test:3128' })?.origin).toBe('http://proxy.test:3128');
});

test('its credentials are a secret, and its origin does not show them', () => {
  const proxy = among({ HTTPS_PROXY: 'http://name:p%40ss@proxy.test:3128' });
  expect(proxy?.origin).toBe('http://proxy.test:3128');
  expect(proxy?.authorization?.reveal()).toBe(`Basic ${Buffer.from('name:p@ss').toString('base64')}`);
  expect(JSON.stringify(proxy)).not.toMatch(/bmFtZ|p@ss|p%40ss/);
});

test.each(['socks5://name:hidden@proxy.test', 'http://', 'http://name:hidden@:x'])(
  '%s is no proxy, and the message does not show it',
  (value) => {
    expect(() => among({ HTTPS_PROXY: value })).toThrow(SettingsError);
    expect(() => among({ HTTPS_PROXY: value })).toThrow(/^HTTPS_PROXY is expected to be/);
    expect(() => among({ HTTPS_PROXY: value })).not.toThrow(/hidden/);
  },
);

test.each(['https://localhost:8443', 'https://127.0.0.1', 'https://127.8.0.1', 'https://[::1]:8443'])(
  '%s is asked straight',
  (target) => {
    expect(among({ HTTPS_PROXY: 'http://proxy.test' }, target)).toBeUndefined();
  },
);

describe('NO_PROXY', () => {
  const isExempt = (exemptions: string, target = TARGET): boolean =>
    among({ HTTPS_PROXY: 'http://proxy.test', NO_PROXY: exemptions }, target) === undefined;

  test.each([
    '*',
    'api.staging.example.com',
    'API.Staging.Example.com',
    'example.com',
    '.example.com',
    '*.example.com',
    'other.test, example.com',
    'other.test example.com',
    'example.com:443',
  ])('%s exempts the target', (exemptions) => {
    expect(isExempt(exemptions)).toBe(true);
  });

  test.each(['', ',', 'ample.com', 'example.com:8443', 'example.com.test', 'staging', '.'])(
    '%j does not',
    (exemptions) => {
      expect(isExempt(exemptions)).toBe(false);
    },
  );

  test.each([
    ['10.0.0.0/8', 'https://10.1.2.3', true],
    ['10.0.0.0/8', 'https://11.1.2.3', false],
    ['10.1.2.3', 'https://10.1.2.3', true],
    ['10.1.2.3:8443', 'https://10.1.2.3:8443', true],
    ['fd00::/8', 'https://[fd12::1]', true],
    ['fd00::/8', 'https://[fe80::1]', false],
    ['[fd12::1]:443', 'https://[fd12::1]', true],
    ['10.0.0.0/99', 'https://10.1.2.3', false],
    ['10.0.0.0/8', 'https://ten.test', false],
  ])('%s and %s: exempt is %s', (exemptions, target, expected) => {
    expect(isExempt(exemptions, target)).toBe(expected);
  });

  test('its name in lower case counts first', () => {
    const given = { HTTPS_PROXY: 'http://proxy.test', no_proxy: 'other.test', NO_PROXY: '*' };
    expect(among(given)).toBeDefined();
  });
});
