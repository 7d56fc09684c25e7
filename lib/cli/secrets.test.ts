import { describe, expect } from 'vitest';
import { answering, changes, type Change } from '../../fixtures/fixture.ts';
import type { Caller } from '../../fixtures/reference/reference.ts';
import { holding, wrongLogin } from './held.test.double.ts';
import { test } from './user.test.double.ts';

/** The part of each secret that looks the same in every encoding of text. */
const CORE = 'Kern4711Geheim';
const PASSWORD = `${CORE}1"\\/ö &<%+'`;
const HEADER = `${CORE}2"\\/ &<%+'`;

/** How a careless target may show what it was sent, inside the JSON of its answer. */
const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  json: (text) => JSON.stringify(text),
  url: encodeURIComponent,
  base64: (text) => Buffer.from(text).toString('base64'),
  html: (text) => text.replace(/[&<"']/g, (char) => `&#${char.charCodeAt(0)};`),
};

/** What a request held that nobody else should see. */
interface Sent {
  readonly body: string;
  readonly password: string;
  readonly authorization: string;
  readonly header: string;
}

/**
 * A server that repeats what it was sent, and answers 201 to every success, so that reports show its answers as
 * findings.
 */
const echoing = (show: (sent: Sent) => object): Change =>
  answering({}, async (answer: object, request, status) => {
    const body = await request.text();
    const sent = (body.startsWith('{') ? JSON.parse(body) : {}) as { readonly password?: unknown };
    const authorization = request.headers.get('Authorization') ?? '';
    const header = request.headers.get('X-Access') ?? '';
    const password = String(sent.password);
    return {
      status: status === 200 ? 201 : status,
      body: { ...answer, ...show({ body, password, authorization, header }) },
      headers: { 'X-Echo': authorization, 'Set-Cookie': `session=${encodeURIComponent(authorization)}` },
    };
  });

/** Every place where a secret stands in a text, with a little of what is around it. */
function leaks(text: string, secret: string): string[] {
  const parts = text.split(secret);
  return parts.slice(1).map((after, at) => `${parts[at]?.slice(-30)}${secret}${after.slice(0, 30)}`);
}

describe.concurrent('a secret', () => {
  test('is in no output, report or ledger of a run, though the target repeats it', async ({ user }) => {
    const tokens: string[] = [];
    const keepingTokens: Change = (Base) =>
      class extends Base {
        override async issueToken(caller: Caller): Promise<string> {
          const token = await super.issueToken(caller);
          tokens.push(token);
          return token;
        }
      };
    const echo = echoing(({ password, authorization, header }) => ({
      message: `Not ${password}, ${authorization}, ${header}!`,
      echo: { password, deep: [{ [authorization]: header }] },
    }));
    const held = holding(wrongLogin);
    const target = await user.serve(changes(keepingTokens, echo, held.change), { password: PASSWORD });
    const [, second] = target.accounts;
    const running = user.start(['--only', 'login', 'create', 'list'], {
      ...target.environment,
      CONFORMANCE_HEADERS: JSON.stringify({ 'X-Access': HEADER }),
    });
    await running.until(held.reached);
    expect(user.ledger.length).toBeGreaterThan(10);
    const ledger = user.allFiles;
    held.release();
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    const { requirements } = user.report();
    expect(requirements.filter(({ exchanges }) => exchanges.length > 0).length).toBeGreaterThan(10);
    expect(tokens.length).toBeGreaterThan(5);
    const parts = tokens.flatMap((token) => token.split('.').slice(1));
    const shown = `${stdout}\n${ledger}\n${user.allFiles}`;
    for (const secret of [CORE, second.password, ...tokens, ...parts])
      expect(leaks(shown, secret)).toEqual([]);
  });

  test('is masked in every form in which targets commonly repeat what they were sent', async ({
    user,
    expect,
  }) => {
    const echo = echoing(({ password, header }) =>
      Object.fromEntries(
        Object.entries(ENCODINGS).map(([name, encode]) => [name, [encode(password), encode(header)]]),
      ),
    );
    const target = await user.serve(echo, { password: PASSWORD });
    const { code } = await user.run(['--only', 'login/answers', 'list/answers', 'list/answers-filtered'], {
      ...target.environment,
      CONFORMANCE_HEADERS: JSON.stringify({ 'X-Access': HEADER }),
    });
    expect(code).toBe(1);
    const { requirements } = user.report();
    const bodies = requirements.flatMap(({ exchanges }) => exchanges.map(({ answer }) => answer?.body ?? ''));
    expect(bodies.length).toBeGreaterThan(2);
    for (const name of Object.keys(ENCODINGS)) {
      const shown = bodies.map((body) => JSON.stringify((JSON.parse(body) as Record<string, unknown>)[name]));
      const text = name === 'base64' ? shown.map((part) => Buffer.from(part, 'base64').toString()) : shown;
      expect.soft(leaks(text.join('\n'), CORE), name).toEqual([]);
    }
  });

  test('is masked as a whole, even if a text is cut in the middle of it', async ({ user }) => {
    const echo = echoing(({ password }) =>
      // Wherever a report cuts the body, it cuts inside one of these.
      Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`echo${at}`, password])),
    );
    const naming = answering({ on: 'create' }, ({ tagging }: { tagging: object }) => ({
      body: { tagging: { ...tagging, name: `${'-'.repeat(100)}${CORE}${CORE}` } },
    }));
    const target = await user.serve(changes(echo, naming), { password: `${CORE}${CORE}` });
    const { code, stdout } = await user.run(
      ['--only', 'login/answers', 'create/echoes-name'],
      target.environment,
    );
    expect(code).toBe(1);
    const all = stdout + user.allFiles;
    expect(all).toContain('-'.repeat(100));
    expect(leaks(all, CORE.slice(0, 6))).toEqual([]);
  });
});
