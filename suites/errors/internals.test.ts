import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../lib/check.ts';
import { internalsIn } from './internals.ts';

/** An answer with this body to a request for this path, with this body. */
const answered = (text: string, path = '/api/v2/tagging', body?: string): Exchange => ({
  number: 1,
  ask: {
    operation: 'create',
    method: 'POST',
    path,
    headers: [],
    regular: true,
    ...(body === undefined ? {} : { body }),
  },
  answer: { status: 422, headers: [], bytes: new TextEncoder().encode(text), json: {} },
  startedAt: 0,
  durationMs: 1,
});

describe('an answer discloses', () => {
  test.each([
    ['a file path', '{"raised_at":"/srv/api/app/middleware/authenticate.rb"}'],
    ['a file path', '{"file":"\\/var\\/www\\/html\\/index.php"}'],
    ['a file path', '<pre>File /usr/src/app/views.py, line 31</pre>'],
    ['a file path', 'open C:\\inetpub\\api\\web.cfg'],
    ['a stack trace', '{"stack":"Error: x\\n    at parse (file.js:1:2)"}'],
    ['a stack trace', 'Error\n    at Object.parse (/x/y.js:10:5)\n'],
    ['a stack trace', '{"trace":[{"file":"a.php","line":3}]}'],
    ['a stack trace', '#0 Factory.php(512): validate()'],
    ['a query', 'SELECT tag_id, name FROM taggings WHERE tag_id = $1 LIMIT 1'],
    ['a query', "insert into `tags` (`name`) values ('x')"],
  ])('%s in %s', (what, text) => expect(internalsIn(answered(text))).toBe(what));
});

describe('an answer discloses nothing', () => {
  test.each([
    [
      'a link in a page',
      '<!doctype html><link rel="stylesheet" href="/app/css/main.css"><a href=/var/x.php>x</a>',
    ],
    ['a script of a page', '<html><script>load("/app/js/main.js")</script><h1>404</h1></html>'],
    ['a link with a host', '{"type":"https://example.com/app/errors/validation.json"}'],
    ['a link to a page', '{"type":"/app/errors/validation.html"}'],
    ['the id of a trace', '{"message":"No.","trace":"0af7651916cd43dd8448eb211c80319c"}'],
    ['a time', 'Locked.\nTry again\nat 2026-01-01 10:15:30\n'],
    ['a sentence', 'Please select a tag from the list where you see it.'],
  ])('by %s', (_, text) => expect(internalsIn(answered(text))).toBeUndefined());

  test('by repeating what the request said', () => {
    const name = 'ctabc; rm /usr/share/x.sh';
    const text = JSON.stringify({ errors: { name: [`The name ${name} is invalid.`] } });
    expect(internalsIn(answered(text, undefined, JSON.stringify({ name })))).toBeUndefined();
    expect(internalsIn(answered(text, `/api/v2/tagging?tag=${encodeURIComponent(name)}`))).toBeUndefined();
  });
});
