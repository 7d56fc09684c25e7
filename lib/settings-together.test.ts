import { describe, expect, test } from 'vitest';
import { mistake, read, TARGET, type Given } from './settings.test.double.ts';

describe('settings that belong together', () => {
  const { CONFORMANCE_BASE_URL, CONFORMANCE_USERNAME, CONFORMANCE_PASSWORD } = TARGET;
  const noTarget =
    'An account is given without a target; give CONFORMANCE_BASE_URL too, such as https://staging.example.com.';
  test.each<[string, Given, string]>([
    [
      'a username without a password',
      { CONFORMANCE_BASE_URL, CONFORMANCE_USERNAME },
      'CONFORMANCE_USERNAME is given without CONFORMANCE_PASSWORD; give both or neither.',
    ],
    [
      'a password without a username',
      { CONFORMANCE_BASE_URL, CONFORMANCE_PASSWORD },
      'CONFORMANCE_PASSWORD is given without CONFORMANCE_USERNAME; give both or neither.',
    ],
    [
      'a second username without a password',
      { ...TARGET, CONFORMANCE_SECOND_USERNAME: 'another' },
      'CONFORMANCE_SECOND_USERNAME is given without CONFORMANCE_SECOND_PASSWORD; give both or neither.',
    ],
    [
      'a second password without a username',
      { ...TARGET, CONFORMANCE_SECOND_PASSWORD: 'hush' },
      'CONFORMANCE_SECOND_PASSWORD is given without CONFORMANCE_SECOND_USERNAME; give both or neither.',
    ],
    [
      'a target without an account',
      { CONFORMANCE_BASE_URL },
      'CONFORMANCE_BASE_URL is given without an account; give CONFORMANCE_USERNAME and CONFORMANCE_PASSWORD, or CONFORMANCE_ACCESS_TOKEN, too.',
    ],
    ['an account without a target', { CONFORMANCE_USERNAME, CONFORMANCE_PASSWORD }, noTarget],
    ['a token without a target', { CONFORMANCE_ACCESS_TOKEN: 'panel-token' }, noTarget],
    [
      'a second account without a target',
      { CONFORMANCE_SECOND_USERNAME: 'another', CONFORMANCE_SECOND_PASSWORD: 'hush' },
      noTarget,
    ],
  ])('%s is a mistake', (_what, given, expected) => {
    expect(mistake(given)).toBe(expected);
  });

  test.each<[string, Given]>([
    ['a target with an account', TARGET],
    ['a target with a token', { CONFORMANCE_BASE_URL, CONFORMANCE_ACCESS_TOKEN: 'panel-token' }],
    ['a target with both', { ...TARGET, CONFORMANCE_ACCESS_TOKEN: 'panel-token' }],
  ])('%s is no mistake', (_what, given) => {
    expect(read(given).base).toBeInstanceOf(URL);
  });
});
