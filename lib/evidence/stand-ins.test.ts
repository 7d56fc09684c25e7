import { describe, expect, test } from 'vitest';
import { Masker } from '../judging/masker.ts';
import { Secret } from '../secret.ts';
import { StandIns } from './stand-ins.ts';

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decoded = (part = ''): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());

describe('a stand-in', () => {
  test('is the same for the same secret, another for another one, and another in another run', () => {
    const standIns = new StandIns();
    expect(standIns.of('token-Abc-123')).toBe(standIns.of('token-Abc-123'));
    expect(standIns.of('token-Abc-123')).not.toBe(standIns.of('token-Abc-124'));
    expect(standIns.of('token-Abc-123')).not.toBe(new StandIns().of('token-Abc-123'));
  });

  test('has characters of the same kinds as a token, in the same places', () => {
    const token = '17|AbCdef0123456789-_xyzXYZ';
    expect(new StandIns().of(token)).toMatch(/^\d\d\|[A-Z][a-z][A-Z][a-z]{3}\d{10}-_[a-z]{3}[A-Z]{3}$/);
    expect(new StandIns().of('0123456789abcdef')).toMatch(/^[\da-f]{16}$/);
  });

  test('of a JWT has the same members, and keeps how it is signed, its times and its scopes', () => {
    const claims = {
      sub: 'someone@example.com',
      scopes: ['api'],
      iat: 100,
      exp: 200,
      roles: { admin: true },
    };
    const token = [encoded({ alg: 'HS256', kid: 'key-1' }), encoded(claims), 'c2lnbmF0dXJl'].join('.');
    const [header, payload, signature] = new StandIns().of(token).split('.');
    expect(decoded(header)).toMatchObject({
      alg: 'HS256',
      kid: expect.not.stringMatching('key-1') as string,
    });
    expect(decoded(payload)).toMatchObject({ scopes: ['api'], iat: 100, exp: 200, roles: { admin: true } });
    expect(JSON.stringify(decoded(payload))).not.toContain('someone');
    expect(signature).not.toBe('c2lnbmF0dXJl');
  });

  test('of the name of somebody else has rare letters only where the name has them', () => {
    const name = 'the Jazz quartet of my neighbour, and more words';
    const rare = (text: string): string => text.replace(/[^jqxz]/gi, '.');
    const standIn = new StandIns().of(name, 'text');
    expect(standIn).not.toContain('neighbour');
    expect(rare(standIn).replace(/\w/g, 'x')).toBe(rare(name).replace(/\w/g, 'x'));
  });

  test('of a password does not reveal its length or its punctuation', () => {
    const standIns = new StandIns();
    expect(standIns.of('Pw "1"', 'password')).toHaveLength(8);
    expect(standIns.of('a password of 21 char', 'password')).toHaveLength(24);
    expect(standIns.of('Pw "1%&', 'password')).toMatch(/^[A-Z][a-z] -\d--/);
  });

  test('replaces every form of a secret, and of a part of a JWT, in a text', () => {
    const [standIns, masker] = [new StandIns(), new Masker()];
    const password = new Secret('Pass "word" 1', '$PASSWORD');
    const token = new Secret(
      [encoded({ alg: 'none' }), encoded({ sub: 'a-person' }), 'signature1'].join('.'),
      '$TOKEN',
    );
    masker.add(password);
    masker.add(token);
    const masked = (text: string): string => masker.text(text, standIns.inText);
    const standIn = standIns.of(password.reveal(), 'password');
    expect(masked(JSON.stringify({ it: password.reveal() }))).toBe(JSON.stringify({ it: standIn }));
    const odd = new Secret('made-up "token"\n', '$TOKEN');
    masker.add(odd);
    expect(masked(JSON.stringify({ it: odd.reveal() }))).toBe(
      JSON.stringify({ it: standIns.of(odd.reveal()) }),
    );
    expect(masked(encodeURIComponent(password.reveal()))).toBe(standIn);
    const [, payload = ''] = token.reveal().split('.');
    expect(masked(`it is ${payload}`)).toBe(`it is ${standIns.of(token.reveal()).split('.')[1]}`);
  });
});
