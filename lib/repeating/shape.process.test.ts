import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { PRELUDE } from './prelude.ts';
import { preparations } from './secrets.ts';
import { shapeOf } from './shape.ts';

/** The output of these lines after the prelude that all scripts share. */
function printed(lines: string): string {
  const { stdout, stderr } = spawnSync('sh', ['-s'], {
    input: `${PRELUDE}\n${lines}\nrm -r "$work"\n`,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      BASE: 'https://target.test',
      CONFORMANCE_PASSWORD: 'Horse-1',
      CONFORMANCE_SECOND_PASSWORD: 'Staple-2',
    },
  });
  expect(stderr).toBe('');
  return stdout.trimEnd();
}

/** A line that no shape holds. */
const BETWEEN = '--';

/** The shape of each body, as a script tells it. */
const shapesInScript = (bodies: readonly string[]): string[] =>
  printed(
    bodies
      .map((body) => `cat >"$work/answer" <<'BODY'\n${body}\nBODY\nshape`)
      .join(`\nprintf '\\n%s\\n' ${BETWEEN}\n`),
  )
    .split(`\n${BETWEEN}\n`)
    .map((shape) => shape.trimEnd());

const LIST = {
  error: false,
  tagging: [
    { name: 'a, b', tag_id: '1' },
    { name: '', tag_id: '{2}' },
  ],
};

test.each([
  ['a list', LIST],
  ['an empty list', { error: false, tagging: [] }],
  ['a list of names', { error: false, tagging: ['a', 'b', 'c'] }],
  ['a bare list', LIST.tagging],
  ['a refusal', { message: 'No.', errors: { name: ['It is missing.', 'It is short.'] } }],
])('%s has one shape, with blanks between its parts or without, in a script as in the report', (_, body) => {
  const shape = shapeOf(JSON.stringify(body));
  const spaced = JSON.stringify(body, null, 1);
  const texts = [JSON.stringify(body), spaced, spaced.replaceAll(/\n */g, ' ')];
  expect(texts.map(shapeOf)).toEqual(texts.map(() => shape));
  expect(shapesInScript(texts)).toEqual(texts.map(() => shape.trimEnd()));
});

test('the number of names in a list does not change its shape, but a missing member does', () => {
  expect(shapeOf('{"tagging":["a"]}')).toBe(shapeOf('{"tagging":["a","b"]}'));
  expect(shapeOf('{"tagging":[{"tag_id":"1"}]}')).not.toBe(
    shapeOf('{"tagging":[{"title":"a","tag_id":"1"}]}'),
  );
});

test('a wrong password is made from the password of its account', () => {
  const made = (label: string): string =>
    printed(
      (preparations([label]) ?? []).flatMap((one) => ('line' in one ? one.line : [])).join('\n') +
        `\nprintf %s "$${label}"`,
    );
  expect(made('PASSWORD_CUT')).toBe('Horse-');
  expect(made('SECOND_PASSWORD_CUT')).toBe('Staple-');
});

test('a header is found in an answer however the target writes its name', () => {
  const head = 'HTTP/1.1 200 OK\r\nETag:  "a:1"\r\nLAST-MODIFIED: never\r\nX-ETag: "b"\r\n';
  const made = printed(
    `cat >"$work/head" <<'HEAD'\n${head}\nHEAD\nprintf '%s %s' "$(given_in etag)" "$(given_in last-modified)"`,
  );
  expect(made).toBe('"a:1" never');
});
