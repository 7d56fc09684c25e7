import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Ask } from '../http/exchange.ts';
import { answerOf, exchangeOf, failure } from '../http/exchange.test.double.ts';
import { Secret } from '../secret.ts';
import { evidence, evidenceSchema, type Evidence } from './evidence.ts';
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
  test('holds the request and the answer', () => {
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
  });

  test.each(['list', 'create'] as const)(
    'shows the start of a large body of a %s without a secret that is cut in half where it ends',
    (operation) => {
      // Masking shortens the text so much that the end of the kept part would be shown.
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
    ['body', 4_000, (text: string) => answerOf(500, text)],
    ['header', 2_000 - 'x-echo: '.length, (text: string) => answerOf(500, '', [['x-echo', text]])],
  ])('never shows a secret in part where a %s is cut', (_what, most, answering) => {
    const whole = PASSWORD.reveal().length;
    for (let part = 1; part < whole; part++) {
      const padding = '-'.repeat(most - part);
      const { answer } = shown(answering(padding + PASSWORD.reveal() + '-'.repeat(100)), CREATE);
      expect(JSON.stringify(answer)).not.toMatch(/-p/);
    }
  });
});

test('a long URL is cut, and whole in the command', () => {
  const { request, curl } = shown(answerOf(200), { path: `/api/v2/tagging?tag=${'x'.repeat(5_000)}` });
  expect(request.url).toMatch(/^https.*x… \(\d+ characters\)$/);
  expect(request.url.length).toBeLessThan(2_050);
  expect(curl).toContain(`${'x'.repeat(5_000)}'`);
});

describe('a long body of an answer', () => {
  test.each([4_001, 30_000])('of %i characters is cut, with its length and digest stated', (length) => {
    const text = 'é'.repeat(length);
    expect(shown(answerOf(500, text)).answer).not.toHaveProperty('sha256');
    expect(shown(answerOf(500, text), CREATE).answer).toMatchObject({
      body: `${'é'.repeat(4_000)}… (${length} characters)`,
      bytes: 2 * length,
      sha256: createHash('sha256').update(text).digest('hex'),
    });
  });

  test('of 4000 characters is shown whole', () => {
    const { answer } = shown(answerOf(500, 'x'.repeat(4_000)), CREATE);
    expect(answer?.body).toBe('x'.repeat(4_000));
    expect(answer).not.toHaveProperty('sha256');
  });

  test('has no digest if it holds a secret, because the digest would confirm a guess', () => {
    const { answer } = shown(answerOf(500, TOKEN.reveal() + 'x'.repeat(5_000)), CREATE);
    expect(answer?.body).toMatch(/^\$TOKENx+… /);
    expect(answer).not.toHaveProperty('sha256');
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
    ['of names in apostrophes', answerOf(200, "{'tagging': [{'name': 'Rent'}, {'name': 'own tag'}]}")],
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

  test('come after those of the run in a long list, which is cut and gives the number of the rest', () => {
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
