import { describe, expect, test } from 'vitest';
import { answerOf, failure } from '../http/exchange.test.double.ts';
import type { Answer, Failure } from '../http/exchange.ts';
import type { Wire } from '../http/transport.ts';
import { preflight } from './preflight.ts';
import { FakeTarget, sessionWith } from './session.test.double.ts';
import type { Obstacle, Session } from './session.ts';

const operationOf = ({ method, path }: Wire): string =>
  path.endsWith('login') ? 'login' : ({ GET: 'list', POST: 'create', DELETE: 'delete' }[method] ?? 'rename');

const hasType = ({ headers }: Wire): boolean => headers.some(([name]) => name === 'Content-Type');

async function flightTo(
  target: FakeTarget,
): Promise<{ obstacle: Obstacle | undefined; session: Session; target: FakeTarget }> {
  const { session } = sessionWith(target);
  return { obstacle: await preflight(session), session, target };
}

/** The preflight to a target that answers one operation like this. */
async function flightWhere(
  operation: string,
  answer: Answer | Failure | ((wire: Wire) => Answer | undefined),
): ReturnType<typeof flightTo> {
  const target = new FakeTarget({ '7': 'Rent' });
  target.instead = (wire) => {
    if (operationOf(wire) !== operation) return undefined;
    return typeof answer === 'function' ? answer(wire) : answer;
  };
  return flightTo(target);
}

describe('the preflight', () => {
  test('finds nothing in the way of a good target, and leaves it as it was', async () => {
    const { obstacle, session, target } = await flightTo(new FakeTarget({ '7': 'Rent' }));
    expect(obstacle).toBeUndefined();
    expect(target.tags).toEqual(new Map([['7', 'Rent']]));
    expect(session.first.tags.records.map(({ state }) => state)).toEqual(['removed']);
    expect(session.first.ownership.strangers.has('7')).toBe(true);
    expect(session.pageSize).toBeUndefined();
  });

  test.each(['create', 'delete'])('is flown again where a gateway answers a %s once', async (operation) => {
    let answered = 0;
    const { obstacle, target } = await flightWhere(operation, () =>
      ++answered === 1 ? answerOf(502) : undefined,
    );
    expect(obstacle).toBeUndefined();
    expect(target.tags).toEqual(new Map([['7', 'Rent']]));
  });

  test('is flown again if a create was carried out, its answer got lost, and lists show the tag late', async () => {
    const target = new FakeTarget({ '7': 'Rent' });
    let creates = 0;
    target.instead = (wire, name = '') => {
      if (operationOf(wire) === 'list' && creates === 1) return target.listing([['7', 'Rent']]);
      if (operationOf(wire) !== 'create') return undefined;
      if (++creates > 1)
        return [...target.tags.values()].includes(name)
          ? answerOf(422, { message: 'Taken.', errors: { name: ['Taken.'] } })
          : undefined;
      target.make(name);
      return failure('closed');
    };
    const { obstacle } = await flightTo(target);
    expect(obstacle).toBeUndefined();
    expect(creates).toBe(3);
    expect(target.tags).toEqual(new Map([['7', 'Rent']]));
  });

  test('knows strangers where only a filtered list shows them, under the name that was asked for', async () => {
    const target = new FakeTarget({ '7': 'Rent' });
    target.instead = (wire) => {
      if (operationOf(wire) !== 'list') return undefined;
      const name = new URL(wire.path, 'https://target.test').searchParams.get('tag');
      return target.listing(name === null ? [] : [...target.tags.keys()].map((id) => [id, name] as const));
    };
    const { session } = await flightTo(target);
    expect(session.first.ownership.strangers.has('7')).toBe(true);
    expect(target.tags).toEqual(new Map([['7', 'Rent']]));
  });

  test.each<[Obstacle['step'], string, Answer | Failure, string]>([
    ['log in', 'login', answerOf(302, { message: 'no' }), 'POST /api/v2/auth/login answered 302'],
    [
      'log in',
      'login',
      answerOf(200, { access_token: 'with a blank' }),
      'there is no token to ask with: POST /api/v2/auth/login with the given credentials answered 200 without a usable access_token',
    ],
    ['list', 'list', answerOf(500), 'GET /api/v2/tagging answered 500'],
    [
      'list',
      'list',
      answerOf(200, '<html>'),
      'GET /api/v2/tagging answered 200 without a list that can be read',
    ],
    ['create', 'create', answerOf(422), 'POST /api/v2/tagging answered 422'],
    [
      'find what was created',
      'create',
      answerOf(200, { tagging: { tag_id: '9', name: 'x' } }),
      'POST /api/v2/tagging answered 200, but no list shows the tag, filtered by its name or not',
    ],
    ['delete', 'delete', answerOf(405), 'DELETE /api/v2/tagging/101 answered 405'],
  ])(
    'says that it could not %s where %s goes wrong, and shows the exchange',
    async (step, operation, came, why) => {
      const { obstacle, session } = await flightWhere(operation, came);
      const isLost = step === 'find what was created';
      expect(session.signs.of('create-lost').map(({ why }) => why)).toEqual(
        isLost
          ? ['the first create, beside which nothing was sent, was acknowledged, and no list shows the tag']
          : [],
      );
      expect(obstacle).toMatchObject({ step, why });
      expect(obstacle?.exchanges[0]?.ask.operation).toBe(operation);
    },
  );

  test.each<[string, Answer, RegExp]>([
    [
      'refuses the credentials',
      answerOf(302, { message: 'no' }),
      /^The target refuses the credentials \(302, saying "no"\)\. Check CONFORMANCE_USERNAME/,
    ],
    [
      'refuses them with 401',
      answerOf(401, { error: 'no' }),
      /^The target refuses the credentials \(401\)\. Check CONFORMANCE_USERNAME/,
    ],
    [
      'answers with a page',
      answerOf(200, '<html>'),
      /^The address does not look like this API: the login was answered 200 without JSON\. Check CONFORMANCE_BASE_URL/,
    ],
    [
      'is a server of files, which knows no POST',
      answerOf(501, '<html>'),
      /^The address does not look like this API: the login was answered 501 without JSON\. Check CONFORMANCE_BASE_URL/,
    ],
    [
      'knows no such path',
      answerOf(404, { message: 'Not found' }),
      /^The address does not look like this API: the login was answered 404 with JSON of another form\./,
    ],
  ])(
    'takes it for a slip of the tester where the target %s, after two logins at most',
    async (_what, came, slip) => {
      const { obstacle, target } = await flightWhere('login', came);
      expect(obstacle?.slip).toMatch(slip);
      // A target that demands an Authorization header of a login is at fault itself: a second login tells.
      expect(target.sent).toHaveLength(came.status === 401 ? 2 : 1);
    },
  );

  test('takes it for a slip of the tester where the target speaks another protocol', async () => {
    const bytes = Buffer.from('SSH-2.0-OpenSSH_9.6\r\n');
    const { obstacle, target } = await flightWhere('login', { ...failure('malformed'), bytes });
    expect(obstacle?.slip).toMatch(
      /^The address does not speak HTTP: the login was answered "SSH-2\.0-OpenSSH_9\.6"\. Check CONFORMANCE_BASE_URL/,
    );
    expect(target.sent).toHaveLength(1);
  });

  test.each(['closed', 'timeout'] as const)(
    'takes it for a slip where the first login gets no answer (%s), and the next one that of something else',
    async (kind) => {
      const target = new FakeTarget();
      target.instead = () => (target.sent.length === 1 ? failure(kind) : answerOf(404, '<html>'));
      const { obstacle } = await flightTo(target);
      expect(obstacle?.slip).toMatch(/^The address does not look like this API: the login was answered 404/);
      const logins = target.sent.filter(({ path }) => path.endsWith('/login'));
      expect(logins).toHaveLength(2);
    },
  );

  test.each([
    ['a server error', answerOf(500)],
    ['a success without a token', answerOf(200, { token: 'x' })],
    ['no answer', failure('closed')],
    ['a malformed answer', { ...failure('malformed'), bytes: Buffer.from('HTTP/1.1 2000 OK\r\n') }],
  ])('takes %s to a login for no slip', async (_what, came) => {
    const { obstacle } = await flightWhere('login', came);
    expect(obstacle?.step).toBe('log in');
    expect(obstacle?.slip).toBeUndefined();
  });

  test('says that it could not reach a target that answers nothing', async () => {
    const target = new FakeTarget();
    target.instead = () => failure('unreachable', 'nobody listens');
    const { obstacle } = await flightTo(target);
    expect(obstacle).toMatchObject({
      step: 'reach the target',
      why: 'the target could not be reached: nobody listens',
      exchanges: [{ failure: { kind: 'unreachable' } }],
    });
  });

  test.each(['login', 'create', 'delete'])(
    'is made again where the connection broke at the %s',
    async (operation) => {
      for (const isCarriedOut of [false, true]) {
        const target = new FakeTarget({ '7': 'Rent' });
        let times = 0;
        target.instead = (wire, name) => {
          if (operationOf(wire) !== operation || ++times > 1) return undefined;
          if (isCarriedOut && operation === 'create') target.make(name ?? '');
          if (isCarriedOut && operation === 'delete') target.tags.delete(wire.path.split('/').at(-1) ?? '');
          return failure('closed');
        };
        const { obstacle } = await flightTo(target);
        expect(obstacle).toBeUndefined();
        expect([...target.tags.values()]).toEqual(['Rent']);
      }
    },
  );

  test.each(['..', '.'])(
    'comes to an obstacle and is no fault where the target gives out the id %j',
    async (id) => {
      const target = new FakeTarget();
      target.newId = () => id;
      const { obstacle } = await flightTo(target);
      expect(obstacle?.step).toBe('delete');
    },
  );

  test('finds a tag also where its filter finds nothing', async () => {
    const { obstacle } = await flightWhere('list', ({ path }) =>
      path.includes('?') ? answerOf(200, { error: false, tagging: [] }) : undefined,
    );
    expect(obstacle).toBeUndefined();
  });

  test('notices that the list is paged, where it leaves out a tag that the filtered one shows', async () => {
    const strangers = { '7': 'Rent', '8': 'Tax' };
    const target = new FakeTarget(strangers);
    const page = Object.entries(strangers);
    target.instead = (wire) =>
      wire.method === 'GET' && !wire.path.includes('?') ? target.listing(page) : undefined;
    const { obstacle, session } = await flightTo(target);
    expect(obstacle).toBeUndefined();
    expect(session.pageSize).toBe(2);
    expect([...target.tags.keys()]).toEqual(['7', '8']);
  });

  test('takes no list for a page that shows the tag in the end', async () => {
    const target = new FakeTarget({ '7': 'Rent', '8': 'Tax' });
    const before = [...target.tags];
    let lists = 0;
    target.instead = (wire) =>
      wire.method === 'GET' && !wire.path.includes('?') && ++lists < 4 ? target.listing(before) : undefined;
    const { session } = await flightTo(target);
    expect(lists).toBeGreaterThanOrEqual(4);
    expect(session.pageSize).toBeUndefined();
  });
});

describe('Content-Type on a request without a body', () => {
  test('is sent, as the specification demands', async () => {
    const { session, target } = await flightTo(new FakeTarget());
    expect(session.contentType).toEqual({ list: true, delete: true });
    expect(target.sent.filter((wire) => !hasType(wire))).toEqual([]);
  });

  test.each(['list', 'delete'] as const)(
    'is left out of a %s where the target refuses it',
    async (operation) => {
      const { obstacle, session } = await flightWhere(operation, (wire) =>
        hasType(wire) ? answerOf(400) : undefined,
      );
      expect(obstacle).toBeUndefined();
      expect(session.contentType).toEqual({ list: true, delete: true, [operation]: false });
    },
  );

  test.each(['list', 'delete'] as const)(
    'is kept on a %s that is refused without it too',
    async (operation) => {
      const { obstacle, session } = await flightWhere(operation, answerOf(403));
      expect(obstacle?.step).toBe(operation);
      expect(session.contentType).toEqual({ list: true, delete: true });
    },
  );
});
