import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { curl, shellQuote } from './curl.ts';

const VALUES = { TOKEN: `to$(ken)'"`, PASSWORD: 'pass`word`\\', HEADER_1: '!!', SECOND_PASSWORD: '$0' };

/** The arguments that a shell makes of a command. */
function words(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const { stdout, stderr } = spawnSync('sh', ['-c', script], {
    env: { ...process.env, ...VALUES },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.split('\0').slice(0, -1);
}

describe('text quoted for a shell', () => {
  const special = fc.string({ unit: fc.constantFrom(...`'"$\`\\!\n\t (){};&|<>*?[]~#=%aT😀é`) });

  test('is one word, and the same text', () => {
    const texts = [...fc.sample(special, 300), ...fc.sample(fc.string({ unit: 'grapheme' }), 100)];
    const got = words(`curl ${texts.map(shellQuote).join(' ')}`);
    expect(got).toHaveLength(texts.length);
    expect(got.find((text, at) => text !== texts[at])).toBeUndefined();
  });

  test.each(Object.entries(VALUES))('has the value of $%s filled in, and nothing else', (name, value) => {
    const pairs = fc.sample(fc.tuple(special, special), 100);
    const quoted = pairs.map(([before, after]) => shellQuote(`${before}$${name}.${after}`));
    const got = words(`curl ${quoted.join(' ')}`);
    expect(got).toHaveLength(pairs.length);
    const expected = pairs.map(([before, after]) => `${before}${value}.${after}`);
    expect(got.find((text, at) => text !== expected[at])).toBeUndefined();
  });
});

test('a curl command repeats the request', () => {
  const hostile = `it's "$(touch x)" \`y\` \\ $HOME !!\n;`;
  const url = `https://target.test/${encodeURIComponent(hostile)}`;
  const headers = ['Authorization: Bearer $TOKEN', 'X-Access: $HEADER_1'];
  expect(words(curl('PUT', url, headers, ['--data-raw', shellQuote(hostile)]))).toEqual([
    '-i',
    '-X',
    'PUT',
    url,
    '-H',
    `Authorization: Bearer ${VALUES.TOKEN}`,
    '-H',
    `X-Access: ${VALUES.HEADER_1}`,
    '--data-raw',
    hostile,
  ]);
});
