import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Secret } from '../secret.ts';
import { Masker } from './masker.ts';
import { sentBody, type SentBody } from './sent-body.ts';

const TOKEN = new Secret('token-hush', '$TOKEN');
const masker = new Masker();
masker.add(TOKEN);

const shown = (body: string | Uint8Array | Secret): SentBody => sentBody(body, 7, masker);
const digest = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

describe('the body of a request', () => {
  test.each([
    ['text', '{"name":"a"}', '{"name":"a"}'],
    ['the name of a file', '@package.json', '@package.json'],
    ['bytes that are text', Buffer.from('{"name":"é"}'), '{"name":"é"}'],
    ['half a character, which goes out as a replacement', '"\ud800"', '"\ufffd"'],
    ['as long as may be', 'x'.repeat(4_000), 'x'.repeat(4_000)],
  ])('stands in the command and is shown whole: %s', (_what, body, text) => {
    expect(shown(body)).toEqual({ shown: text, args: ['--data-raw', `'${text}'`] });
  });

  test('stands in the command with shell variables for secrets, however long', () => {
    const body = (token: string): string => JSON.stringify({ token, more: 'x'.repeat(5_000) });
    const { args, file } = shown(new Secret(body(TOKEN.reveal()), body('$TOKEN')));
    expect(args[1]).toMatch(/^"\{\\"token\\":\\"\$TOKEN\\",.*x{5000}/);
    expect(file).toBeUndefined();
  });

  test.each([
    ['one character too long', 'x'.repeat(4_001)],
    ['a megabyte of blanks', `{"name":"it's \\"%s"${' '.repeat(1_000_000)}}`],
    ['of many characters beyond the BMP', `a${'😀'.repeat(3_000)}`],
    ['with a NUL', '{"name":"%d\0\'\\n"}'],
    ['no text', Uint8Array.of(0xff, 0x25, 0x27, 0x5c, 0, 0x31)],
  ])('is a file, with a recipe that makes it: %s', (_what, body) => {
    const { args, file } = shown(body);
    expect(args).toEqual(['--data-binary', '@body-7.bin']);
    expect(file).toEqual({
      name: 'body-7.bin',
      bytes: Buffer.from(body).length,
      sha256: digest(body),
      recipe: expect.stringMatching(/^.{1,300} > body-7\.bin$/s) as string,
    });
    const folder = mkdtempSync(join(tmpdir(), 'recipe-'));
    execFileSync('sh', ['-c', file?.recipe ?? ''], { cwd: folder });
    expect(digest(readFileSync(join(folder, 'body-7.bin')))).toBe(digest(body));
  });

  test.each([
    ['text', Array.from({ length: 2_000 }, (_, at) => `${at} `).join('')],
    ['no text', Uint8Array.from({ length: 2_000 }, (_, at) => at % 256)],
  ])('has no recipe where that would be long: %s', (_what, body) => {
    expect(Object.keys(shown(body).file ?? {})).toEqual(['name', 'bytes', 'sha256']);
  });

  test('has a recipe, but no digest, if it holds a secret: the digest would confirm a guess', () => {
    const { file, shown: text } = shown(`${TOKEN.reveal()}${'x'.repeat(5_000)}`);
    expect(text).toMatch(/^\$TOKENx+… \(5006 characters\)$/);
    expect(file).toEqual({
      name: 'body-7.bin',
      bytes: 5_010,
      recipe: `{ printf %s "$TOKEN"; yes 'x' | head -n 5000 | tr -d '\\n'; printf %s ''; } > body-7.bin`,
    });
  });

  test('is masked before it is cut, so that no part of a secret is shown', () => {
    for (let part = 1; part < TOKEN.reveal().length; part++) {
      const text = JSON.stringify(shown('-'.repeat(4_000 - part) + TOKEN.reveal() + '-'.repeat(100)));
      expect(text).not.toMatch(/-tok|hush/);
    }
  });
});
