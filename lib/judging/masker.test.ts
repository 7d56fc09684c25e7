import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Secret } from '../secret.ts';
import { Masker } from './masker.ts';

const LABEL = '🔒';

/** Secrets that are masked only where they stand alone. */
const isOrdinary = (secret: string): boolean =>
  /^([\p{L}_]{1,15}|\d{1,15}|\s*)$/u.test(secret) || secret.trim() === '';

function maskerOf(...secrets: readonly (string | Secret)[]): Masker {
  const masker = new Masker();
  for (const secret of secrets) masker.add(secret instanceof Secret ? secret : new Secret(secret, LABEL));
  return masker;
}

/** JSON as libraries write it that escape all characters outside ASCII, such as PHP's. */
const asciiJson = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

const forms: [string, (secret: string) => string][] = [
  ['itself', (secret) => secret],
  ['JSON', (secret) => JSON.stringify(secret).slice(1, -1)],
  ['JSON with escaped slashes', (secret) => JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
  ['JSON in ASCII', asciiJson],
  ['JSON in ASCII with escaped slashes', (secret) => asciiJson(secret).replaceAll('/', '\\/')],
  ['part of a URL', (secret) => encodeURIComponent(secret)],
  [
    'part of a URL in lower case',
    (secret) => encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  ],
  ['a form field', (secret) => new URLSearchParams({ x: secret }).toString().slice(2)],
  ['base64', (secret) => Buffer.from(secret).toString('base64')],
  ['base64 without padding', (secret) => Buffer.from(secret).toString('base64').replaceAll('=', '')],
  ['base64url', (secret) => Buffer.from(secret).toString('base64url')],
];

describe('a secret is masked', () => {
  const awkward = `p/ä "s'*w\\ö(r)d$&+😀~!`;

  test.each(forms)('as %s', (_how, form) => {
    const text = `before ${form(awkward)}, after`;
    expect(maskerOf(awkward).text(text)).toBe(`before ${LABEL}, after`);
  });

  test.each(forms)('as %s, whatever its characters and its place', (_how, form) => {
    const word = fc.string({ unit: 'grapheme', minLength: 4, maxLength: 12 });
    const around = fc.string({ unit: 'grapheme', maxLength: 8 });
    fc.assert(
      fc.property(word, around, around, (secret, before, after) => {
        fc.pre(!isOrdinary(secret));
        const shown = maskerOf(secret).text(before + form(secret) + after);
        expect(shown).not.toContain(form(secret));
        expect(shown).toContain(LABEL);
      }),
    );
  });

  test('at each occurrence', () => {
    expect(maskerOf('hu-sh').text('hu-sh, hu-sh: hu-shhu-sh')).toBe(`${LABEL}, ${LABEL}: ${LABEL}${LABEL}`);
  });

  test('by its own label', () => {
    const masker = maskerOf(new Secret('hush', '$PASSWORD'), new Secret('quiet', '$TOKEN'));
    expect(masker.text('quiet hush')).toBe('$TOKEN $PASSWORD');
  });

  test.each([
    ['the shorter is added first', ['secret', 'secret-long']],
    ['the longer is added first', ['secret-long', 'secret']],
  ])('whole where another one is the start of it and %s', (_what, secrets) => {
    expect(maskerOf(...secrets).text('a secret-long and a secret')).toBe(`a ${LABEL} and a ${LABEL}`);
  });

  test('even if it becomes known after other texts were masked', () => {
    const masker = maskerOf('hush');
    expect(masker.text('hush quiet')).toBe(`${LABEL} quiet`);
    masker.add(new Secret('quiet', LABEL));
    expect(masker.text('hush quiet')).toBe(`${LABEL} ${LABEL}`);
  });

  test.each(['.*+?', 'a|b|', '^ab$', '[a-z]', '(a){2}', '\\d\\w', '$&$1', '-]-]'])(
    'as it is written where it reads like a pattern: %s',
    (secret) => {
      const masker = maskerOf(secret);
      expect(masker.text(`x${secret}x`)).toBe(`x${LABEL}x`);
      expect(masker.text('aaab 12 abcd')).toBe('aaab 12 abcd');
    },
  );
});

describe('a secret that is echoed in a page is masked', () => {
  test.each([
    ['&amp;', '&lt;', '&gt;', '&quot;', '&#39;'],
    ['&amp;', '&lt;', '&gt;', '&#34;', '&#39;'],
    ['&amp;', '&lt;', '&gt;', '&quot;', '&#x27;'],
  ])('where its special characters are written %s %s %s %s %s', (...written) => {
    const text = `<p>h${written.join('u')}sh</p>`;
    expect(maskerOf(`h&u<u>u"u'sh`).text(text)).toBe(`<p>${LABEL}</p>`);
  });

  test('also as JSON inside of JSON', () => {
    const body = JSON.stringify({ password: 'h"u\\sh' });
    expect(maskerOf('h"u\\sh').text(JSON.stringify({ body }))).toBe(
      JSON.stringify({ body: `{"password":"${LABEL}"}` }),
    );
  });
});

describe('a secret whose end is missing', () => {
  test.each([
    ['as a stack trace of PHP cuts it', 'login(me, correct-horse-b...)', 'login(me, [part of a secret]...)'],
    ['encoded for a URL', '?p=correct-horse-battery%26stap', '?p=[part of a secret]'],
  ])('is masked %s', (_, text, masked) => {
    expect(maskerOf('correct-horse-battery&staple').text(text)).toBe(masked);
  });

  test.each(['correct-ho', 'The correct-hor.'])('stays where too little of it is there: %s', (text) => {
    expect(
      maskerOf(
        'correct-horse-battery&staple',
        'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzb21lb25lIn0.c2lnbmF0dXJl',
      ).text(text),
    ).toBe(text);
  });
});

test.each([
  ['in a path', '/p/h%3Cu/sh%C3%A9', '/p/🔒'],
  ['in UTF-8 that is read as Latin-1', 'h<u/shÃ©', '🔒'],
])('A secret is masked %s.', (_, text, masked) => {
  expect(maskerOf('h<u/shé').text(text)).toBe(masked.replace('🔒', LABEL));
});

describe('a JSON Web Token is masked', () => {
  const [head, payload, signature] = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiJzb21lb25lIn0', 'c2lnbmF0dXJlLW9m'];
  const masker = maskerOf(`${head}.${payload}.${signature}`);

  test.each([
    ['whole', `${head}.${payload}.${signature}`, LABEL],
    ['where its payload stands alone', payload, LABEL],
    ['where its signature stands behind another payload', `${head}.e30.${signature}`, `${head}.e30.${LABEL}`],
  ])('%s', (_what, text, expected) => {
    expect(masker.text(`Bearer ${text}`)).toBe(`Bearer ${expected}`);
  });

  test('except parts that are too short to identify it', () => {
    expect(maskerOf('whole.1234567.12345678').text('1234567 12345678')).toBe(`1234567 ${LABEL}`);
  });
});

describe('a secret of up to three characters is masked', () => {
  test.each([
    ['where it stands alone', 'cat', 'a cat, "cat" and cat.', `a ${LABEL}, "${LABEL}" and ${LABEL}.`],
    ['but not inside a word', 'cat', 'concatenate cats écat 1cat', 'concatenate cats écat 1cat'],
    ['and is no pattern either', '.', 'a . b', `a ${LABEL} b`],
  ])('%s', (_what, secret, text, expected) => {
    expect(maskerOf(secret).text(text)).toBe(expected);
  });
});

describe('a secret that is an ordinary word or number', () => {
  test.each([
    ['is masked as a value, not as the name of a member', 'name', '{"name":"name"}', `{"name":"${LABEL}"}`],
    [
      'stays as a member inside a JSON string',
      'name',
      String.raw`"{\"name\":\"name\"}"`,
      String.raw`"{\"name\":\"${LABEL}\"}"`,
    ],
    ['stays as a part of a word', 'tag', 'tagging tag_id tags', 'tagging tag_id tags'],
    ['stays as a parameter', 'tag', '/api/v2/tagging?tag=tag', `/api/v2/tagging?tag=${LABEL}`],
    ['is masked as a word', 'message', 'The message: message.', `The ${LABEL}: ${LABEL}.`],
    ['is masked as a number', '123456', '{"pin":123456,"id":"9123456"}', `{"pin":${LABEL},"id":"9123456"}`],
    ['stays as indentation', '    ', '{\n    "a":\n    "b"}', '{\n    "a":\n    "b"}'],
    ['is masked as a value of blanks', '    ', '{"a":"    "}', `{"a":"${LABEL}"}`],
  ])('%s', (_what, secret, text, expected) => {
    expect(maskerOf(secret).text(text)).toBe(expected);
  });

  test('stays as the name of a header or a member', () => {
    const masker = maskerOf('accept', 'hu-sh');
    expect(masker.name('accept')).toBe('accept');
    expect(masker.name('x-hu-sh')).toBe(`x-${LABEL}`);
    expect(masker.deep({ accept: 'accept' })).toEqual({ accept: LABEL });
  });
});

describe('what is not secret', () => {
  test('stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!text.includes('hush'));
        expect(maskerOf('hush').text(text)).toBe(text);
      }),
    );
  });

  test.each([
    ['there is no secret', []],
    ['the secret is empty', ['']],
  ])('stays as it is where %s', (_what, secrets) => {
    expect(maskerOf(...secrets).text('any text')).toBe('any text');
  });
});

describe('data', () => {
  test('is masked at any depth, and otherwise unchanged', () => {
    const data = { list: ['hush', 1, null, { deep: 'x hush' }], yes: true, none: undefined };
    expect(maskerOf('hush').deep(data)).toEqual({
      list: [LABEL, 1, null, { deep: `x ${LABEL}` }],
      yes: true,
      none: undefined,
    });
    expect(data.list[0]).toBe('hush');
  });

  test('does not contain the secret any more', () => {
    const word = fc.string({ unit: 'grapheme', minLength: 4 });
    fc.assert(
      fc.property(word, fc.func(fc.boolean()), fc.jsonValue(), (secret, hide, value) => {
        fc.pre(!isOrdinary(secret));
        const json = JSON.stringify(value, (_key, item: unknown) =>
          typeof item === 'string' && hide(item) ? `${item}${secret}` : item,
        );
        const masked = maskerOf(secret).deep(JSON.parse(json));
        expect(stringsIn(masked).filter((text) => text.includes(secret))).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
