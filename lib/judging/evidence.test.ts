import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Ask } from '../http/exchange.ts';
import { answerOf, exchangeOf, failure } from '../http/exchange.test.double.ts';
import { Secret } from '../secret.ts';
import { evidence, evidenceSchema, inBrief, shellQuote, type Evidence } from './evidence.ts';
import { Masker } from './masker.ts';

const base = new URL('https://target.test/tenant/');
const isOwn = (name: string): boolean => name.startsWith('own');
const TOKEN = new Secret('token-hush', '$TOKEN');
const PASSWORD = new Secret(`pass-'"$(hush)`, '$PASSWORD');
const masker = new Masker();
masker.add(TOKEN);
masker.add(PASSWORD);

const shown = (...parts: Parameters<typeof exchangeOf>): Evidence =>
  evidence(exchangeOf(...parts), base, masker, isOwn);

const LOGIN: Partial<Ask> = {
  operation: 'login',
  method: 'POST',
  path: '/api/v2/auth/login',
  body: new Secret(
    JSON.stringify({ username: 'someone', password: PASSWORD.reveal() }),
    JSON.stringify({ username: 'someone', password: PASSWORD.label }),
  ),
};

const CREATE: Partial<Ask> = {
  operation: 'create',
  method: 'POST',
  headers: [['Authorization', new Secret(`Bearer ${TOKEN.reveal()}`, 'Bearer $TOKEN')]],
  body: '{"name":"own tag"}',
};

describe('evidence', () => {
  test('is the exchange: what was sent and what came', () => {
    const answer = answerOf(200, { done: true }, [['content-type', 'application/json']]);
    expect(shown(answer, CREATE, 7)).toEqual({
      number: 7,
      request: {
        method: 'POST',
        url: 'https://target.test/tenant/api/v2/tagging',
        headers: ['Authorization: Bearer $TOKEN'],
        body: '{"name":"own tag"}',
      },
      answer: {
        status: 200,
        headers: ['content-type: application/json'],
        body: '{"done":true}',
        bytes: 13,
      },
      durationMs: 1,
      curl: `curl -i -X POST 'https://target.test/tenant/api/v2/tagging' -H "Authorization: Bearer $TOKEN" --data-raw '{"name":"own tag"}'`,
    });
  });

  test('says why there is no answer', () => {
    const seen = shown(failure('timeout', 'nothing came'));
    expect(seen).toMatchObject({ failure: 'nothing came' });
    expect(seen).not.toHaveProperty('answer');
  });

  test.each([
    ['escaped', CREATE, 'HTTP/1.1 2x0 \u009b OK\r\n\r\n{}', 'HTTP/1.1 2x0 \\u009b OK\\r\\n\\r\\n{}'],
    ['without secrets', CREATE, `HTTP/1.1 2x0 ${TOKEN.reveal()}\r\n`, 'HTTP/1.1 2x0 $TOKEN\\r\\n'],
    ['without a token that a body may hold', LOGIN, 'HTTP/1.1 2x0\r\n\r\n{"t":"unknown"}', 'HTTP/1.1 2x0…'],
    ["without other people's tags", {}, '[{"name":"rent"}]', '…'],
    ['in short', CREATE, 'x'.repeat(300), `${'x'.repeat(200)}… (300 characters)`],
    [
      'without a secret that is cut in half',
      CREATE,
      `${`${TOKEN.reveal()} `.repeat(500).slice(0, 4_091)}token`,
      /^[^k]*$/,
    ],
  ])('shows what came in place of an answer %s', (_how, ask, text, expected) => {
    const came = { ...failure('malformed', 'no HTTP'), bytes: Buffer.from(text) };
    const seen = shown(came, ask);
    expect(seen.came).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
    expect(inBrief(seen)[1]).toBe(`no HTTP  ${seen.came}`);
  });

  test.each(['list', 'create'] as const)(
    'shows the start of a large body of a %s without a secret that is cut in half where it ends',
    (operation) => {
      // So little is left of it once secrets are masked that the end of what is kept would be shown.
      const long = new Secret(`${'s'.repeat(1_000)}-long-hush`, '$LONG');
      const known = new Masker();
      known.add(long);
      const large = answerOf(500, long.reveal().repeat(200));
      const seen = evidence(exchangeOf(large, { ...CREATE, operation }), base, known, isOwn);
      expect(seen.answer?.body).toMatch(/^(?:\$LONG)+$/);
      expect(seen.answer?.bytes).toBe(large.bytes.length);
    },
  );

  test('is data of the form that reports promise', () => {
    expect(evidenceSchema.safeParse(shown(answerOf(200), CREATE)).success).toBe(true);
    expect(evidenceSchema.safeParse(shown(failure())).success).toBe(true);
  });

  test.each([
    ['in a request', answerOf(200), LOGIN],
    ['in a header', answerOf(200), CREATE],
    ['in a path', answerOf(200), { path: `/api/v2/tagging?token=${TOKEN.reveal()}` }],
    ['in a body given as text', answerOf(200), { ...CREATE, body: JSON.stringify({ x: PASSWORD.reveal() }) }],
    ['in an answer that repeats it', answerOf(422, { message: `not ${PASSWORD.reveal()}` }), CREATE],
    ['in a header of an answer', answerOf(200, {}, [['x-echo', `not ${TOKEN.reveal()}`]]), CREATE],
    ['in a failure', failure('malformed', `no header ${TOKEN.reveal()}`), CREATE],
  ])('never shows a secret %s', (_where, came, ask) => {
    const text = JSON.stringify(shown(came, ask));
    expect(text).not.toContain('hush');
    expect(text).toMatch(/\$(TOKEN|PASSWORD)/);
  });

  test.each([
    ['body', (text: string) => answerOf(500, text)],
    ['header', (text: string) => answerOf(500, '', [['x-echo', text]])],
  ])('never shows a secret in part where a %s is cut', (_what, answering) => {
    const whole = PASSWORD.reveal().length;
    for (let part = 1; part < whole; part++) {
      const padding = '-'.repeat(2_000 - 'x-echo: '.length - part);
      const { answer } = shown(answering(padding + PASSWORD.reveal() + '-'.repeat(100)), CREATE);
      expect(JSON.stringify(answer).slice(-100)).not.toMatch(/-p/);
    }
  });
});

describe('a long text', () => {
  test.each([2_001, 5_000, 30_000])('of %i characters is cut, with its length stated', (length) => {
    const seen = shown(answerOf(500, 'é'.repeat(length)), { ...CREATE, body: 'ü'.repeat(length) });
    expect(seen.answer?.body).toBe(`${'é'.repeat(2_000)}… (${length} characters)`);
    expect(seen.answer?.bytes).toBe(2 * length);
    expect(seen.request.body).toBe(`${'ü'.repeat(2_000)}… (${length} characters)`);
  });

  test('of 2000 characters is shown whole', () => {
    expect(shown(answerOf(500, 'x'.repeat(2_000)), CREATE).answer?.body).toBe('x'.repeat(2_000));
  });
});

describe('the names of strangers', () => {
  const tags = [
    { name: 'Rent', tag_id: '1' },
    { name: 'own tag', tag_id: '2' },
  ];
  const list = JSON.stringify({ error: false, tagging: tags });
  const another = `{"name":"[another's]","tag_id":"1"}`;

  test('are left out of a list, and those of the run are not', () => {
    expect(shown(answerOf(200, list)).answer?.body).toBe(
      `{"error":false,"tagging":[${another},{"name":"own tag","tag_id":"2"}]}`,
    );
  });

  test.each([
    ['that was refused', answerOf(500, list)],
    ['that breaks off', answerOf(200, list.slice(0, -2))],
    ['that breaks off inside a name', answerOf(200, '{"tagging":[{"name":"own tag"},{"name":"Re')],
    ['that stands in another member', answerOf(200, { data: tags })],
    ['of tags without an id', answerOf(200, { tagging: [{ name: 'Rent' }, { name: 'own tag' }] })],
    ['of escaped names', answerOf(200, '{"tagging":[{"name":"\\u0052ent"},{"name":"own tag"},')],
    ['with blanks around the colon', answerOf(200, '[{"name" :\n"Rent"},{"name" : "own tag"},')],
  ])('are left out of a list %s', (_what, answer) => {
    const body = shown(answer).answer?.body ?? '';
    expect(body).not.toMatch(/Re|ent|\\u0052/);
    expect(body).toContain('own tag');
  });

  test.each([
    ['of bare names', { tagging: ['Rent', 'own tag'] }],
    ['with names that are no text', { tagging: [{ name: ['Rent'], tag_id: '1' }] }],
    ['with the names in other members too', { tagging: [{ name: 'Rent', title: 'Rent', tag_id: '1' }] }],
    ['with further tags beside it', { tagging: tags, data: tags }],
  ])('are left out of a list %s', (_what, body) => {
    expect(shown(answerOf(200, body)).answer?.body).not.toContain('Rent');
  });

  test.each([25, 26])('are no more than 25 in a list of %i', (length) => {
    const tagging = Array.from({ length }, (_, at) => ({ name: 'Rent', tag_id: `${at}` }));
    const body = shown(answerOf(200, { tagging })).answer?.body ?? '';
    expect(body.match(/another's/g)).toHaveLength(25);
    expect(body.endsWith(length === 25 ? ']}' : ' and 1 more tags')).toBe(true);
  });

  test('are put behind those of the run in a long list, which is cut with the number of the rest', () => {
    const many = Array.from({ length: 40 }, (_, at) => ({ name: `stranger ${at}`, tag_id: `${at}` }));
    const seen = shown(
      answerOf(200, { error: false, tagging: [...many, { name: 'own tag', tag_id: 'own' }] }),
    );
    const [json, rest] = seen.answer?.body.split(/(?<=\}) and /) ?? [];
    const { tagging } = JSON.parse(json ?? '') as { tagging: unknown[] };
    expect(tagging).toHaveLength(25);
    expect(tagging.slice(0, 2)).toEqual([
      { name: 'own tag', tag_id: 'own' },
      { name: "[another's]", tag_id: '0' },
    ]);
    expect(rest).toBe('16 more tags');
  });
});

describe('text quoted for a shell', () => {
  const VALUES = { TOKEN: `to$(ken)'"`, PASSWORD: 'pass`word`\\', HEADER_1: '!!', SECOND_PASSWORD: '$0' };

  /** What a shell makes of words: its arguments. */
  function words(command: string): string[] {
    const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
    const { stdout, stderr } = spawnSync('sh', ['-c', script], {
      env: { ...process.env, ...VALUES },
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return stdout.split('\0').slice(0, -1);
  }

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

  test('makes a curl command that repeats the request', () => {
    const hostile = `it's "$(touch x)" \`y\` \\ $HOME !!\n;`;
    const { curl } = shown(answerOf(200), {
      ...CREATE,
      method: 'PUT',
      path: `/api/v2/tagging/${encodeURIComponent(hostile)}`,
      headers: [...(CREATE.headers ?? []), ['X-Access', new Secret('sesame', '$HEADER_1')]],
      body: hostile,
    });
    expect(words(curl)).toEqual([
      '-i',
      '-X',
      'PUT',
      `https://target.test/tenant/api/v2/tagging/${encodeURIComponent(hostile)}`,
      '-H',
      `Authorization: Bearer ${VALUES.TOKEN}`,
      '-H',
      `X-Access: ${VALUES.HEADER_1}`,
      '--data-raw',
      hostile,
    ]);
  });

  test('makes a curl command that takes no body for the name of a file', () => {
    const { curl } = shown(answerOf(400), { ...CREATE, body: '@package.json' });
    expect(words(curl).slice(-2)).toEqual(['--data-raw', '@package.json']);
  });
});

describe('an exchange in brief', () => {
  test('is what was sent and what came', () => {
    const answer = answerOf(200, { done: true }, [['content-type', 'application/json']]);
    expect(inBrief(shown(answer, CREATE))).toEqual([
      'POST https://target.test/tenant/api/v2/tagging  {"name":"own tag"}',
      '200 application/json  {"done":true}',
    ]);
    expect(inBrief(shown(failure('timeout', 'nothing came')))).toEqual([
      'GET https://target.test/tenant/api/v2/tagging',
      'nothing came',
    ]);
  });

  test('is cut, with the length stated', () => {
    const [, came] = inBrief(shown(answerOf(500, 'x'.repeat(400))));
    expect(came).toMatch(/^500 {2}x{290,300}… \(\d+ characters\)$/);
  });

  test('is harmless for a terminal', () => {
    const hostile = '\u001B[2J\u009B1m\u202E\u0007';
    const answer = answerOf(200, hostile, [['content-type', `text/html${hostile}`]]);
    const text = inBrief(shown(answer, { ...CREATE, body: hostile })).join('\n');
    expect(text).not.toMatch(/[^\P{C}\n]/u);
    expect(inBrief(shown(failure('malformed', hostile))).join('\n')).not.toMatch(/[^\P{C}\n]/u);
  });
});
