import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Secret } from '../secret.ts';
import { ask, filterQuery, pathOf, RawBody, segment, type RequestOverrides } from './requests.ts';

const anything = fc.oneof(
  fc.string({ unit: fc.nat({ max: 0x10_ffff }).map((code) => String.fromCodePoint(code)) }),
  fc.string({
    unit: fc.constantFrom('.', '/', '%', '2', 'e', '?', '#', '\\', ';', ' ', '\n', '\u0000', '\uD800'),
  }),
);

describe('an id in a path', () => {
  test('is one segment that decodes to the id, whatever it holds', () => {
    fc.assert(
      fc.property(anything, (tagId) => {
        fc.pre(!['', '.', '..'].includes(tagId));
        expect(decodeURIComponent(segment(tagId))).toBe(tagId.toWellFormed());
        for (const path of [pathOf.rename(tagId), pathOf.delete(tagId)]) {
          const { pathname, search, hash } = new URL(path, 'https://target.test');
          expect({ pathname, search, hash }).toEqual({ pathname: path, search: '', hash: '' });
          expect(path.split('/')).toEqual(['', 'api', 'v2', 'tagging', segment(tagId)]);
        }
      }),
    );
  });

  test.each(['', '.', '..'])('is never %j, which would address something else', (tagId) => {
    expect(() => segment(tagId)).toThrow(`a tag_id of ${JSON.stringify(tagId)} cannot stand in a path`);
    expect(() => pathOf.delete(tagId)).toThrow('cannot stand in a path');
  });

  test.each([
    ['a/b', 'a%2Fb'],
    ['../..', '..%2F..'],
    ['%2e%2e', '%252e%252e'],
    ['a?b#c;d', 'a%3Fb%23c%3Bd'],
    ['é 漢', '%C3%A9%20%E6%BC%A2'],
    ['0190b2c4-7d1e', '0190b2c4-7d1e'],
    ['acct:12', 'acct:12'],
    ['a@b,c$d==', 'a@b,c$d=='],
  ])('%s is written %s', (tagId, written) => {
    expect(segment(tagId)).toBe(written);
  });
});

describe('a filter', () => {
  test('holds nothing but unreserved characters, and decodes to the name', () => {
    fc.assert(
      fc.property(anything, (name) => {
        const query = filterQuery(name);
        expect(query).toMatch(/^tag=([A-Za-z0-9._~-]|%[0-9A-F]{2})*$/);
        expect(new URLSearchParams(query).get('tag')).toBe(name.toWellFormed());
      }),
    );
  });

  test('stands in the query of a list, which may go without', () => {
    expect(pathOf.list(filterQuery("it's (so)"))).toBe('/api/v2/tagging?tag=it%27s%20%28so%29');
    expect(pathOf.list()).toBe('/api/v2/tagging');
  });
});

const TOKEN = new Secret('hush', '$TOKEN');
const ACCEPT = ['Accept', 'application/json'];
const CONTENT_TYPE = ['Content-Type', 'application/json'];

/** The headers of a create with this overrides, as they would be shown. */
const headersWith = (overrides?: RequestOverrides): (readonly [string, string])[] =>
  ask('create', pathOf.create(), {
    token: TOKEN,
    contentType: true,
    extra: [['X-Access', new Secret('sesame', '$HEADER_1')]],
    ...(overrides === undefined ? {} : { overrides }),
  }).headers.map(([name, value]) => [name, String(value)] as const);

describe('a request', () => {
  test('has the headers that the specification demands, and those of the tester', () => {
    expect(headersWith()).toEqual([
      ACCEPT,
      CONTENT_TYPE,
      ['Authorization', 'Bearer $TOKEN'],
      ['X-Access', '$HEADER_1'],
    ]);
  });

  test('carries its token, which is shown nowhere', () => {
    const request = ask('list', pathOf.list(), { token: TOKEN, contentType: false, extra: [] });
    const value = request.headers[1]?.[1];
    expect(value instanceof Secret && value.reveal()).toBe('Bearer hush');
    expect(JSON.stringify(request)).not.toContain('hush');
  });

  test.each([
    ['login', 'POST'],
    ['create', 'POST'],
    ['rename', 'PUT'],
    ['list', 'GET'],
    ['delete', 'DELETE'],
  ] as const)('to %s is a %s, regular unless it departs', (operation, method) => {
    const parts = { contentType: false, extra: [] };
    expect(ask(operation, '/x', parts)).toEqual({
      operation,
      method,
      path: '/x',
      headers: [ACCEPT],
      regular: true,
    });
    expect(ask(operation, '/x', { ...parts, overrides: { standIn: TOKEN } }).regular).toBe(true);
    expect(ask(operation, '/x', { ...parts, overrides: { headers: {} } }).regular).toBe(false);
  });

  const raw = Uint8Array.of(0xff);
  test.each<[string, unknown, unknown]>([
    ['a value, as JSON', { name: 'é' }, '{"name":"é"}'],
    ['null, as JSON', null, 'null'],
    ['text, as JSON', 'x', '"x"'],
    ['text as it is', new RawBody('{"name":'), '{"name":'],
    ['bytes as they are', new RawBody(raw), raw],
    ['a secret as it is', TOKEN, TOKEN],
    ['nothing', undefined, undefined],
  ])('has a body of %s', (_what, body, expected) => {
    expect(ask('create', '/x', { body, contentType: true, extra: [] }).body).toBe(expected);
  });
});

describe('a overrides', () => {
  test.each<[string, RequestOverrides, (readonly string[])[]]>([
    [
      'leaves a header out',
      { headers: { accept: null, 'content-TYPE': null } },
      [
        ['Authorization', 'Bearer $TOKEN'],
        ['X-Access', '$HEADER_1'],
      ],
    ],
    [
      'sets one otherwise, under the name that it gives',
      { headers: { aCCept: '*/*', 'x-access': 'other' } },
      [CONTENT_TYPE, ['Authorization', 'Bearer $TOKEN'], ['aCCept', '*/*'], ['x-access', 'other']],
    ],
    [
      'replaces the credential',
      { headers: { Authorization: new Secret('Basic hush', 'Basic $PASSWORD') } },
      [ACCEPT, CONTENT_TYPE, ['X-Access', '$HEADER_1'], ['Authorization', 'Basic $PASSWORD']],
    ],
    [
      'adds one',
      { headers: { 'X-More': '' } },
      [ACCEPT, CONTENT_TYPE, ['Authorization', 'Bearer $TOKEN'], ['X-Access', '$HEADER_1'], ['X-More', '']],
    ],
  ])('%s', (_what, overrides, expected) => {
    expect(headersWith(overrides)).toEqual(expected);
  });
});
