import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { BUDGETS } from '../effort.ts';
import { answerOf, failure } from '../http/exchange.test.double.ts';
import { accepted, type Exchange, type Failure } from '../http/exchange.ts';
import { broken, holds, observed, outcomeOf, Undecided, undecided, type Outcome } from '../outcome.ts';
import { retryIfUnanswered } from './retry.ts';
import { FakeTarget, sessionWith } from './session.test.double.ts';
import { Target } from './target.ts';
import { Work } from './work.ts';

const isCreate = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
  method === 'POST' && path.endsWith('tagging');

/** A target whose first creates come to nothing, as those who asked hear; they may have made their tag all the same. */
function silentAtFirst(kind: Failure['kind'], times: number, makes: boolean): FakeTarget {
  const fake = new FakeTarget({ '7': 'Rent' });
  let creates = 0;
  fake.instead = (wire, name) => {
    if (!isCreate(wire) || ++creates > times) return undefined;
    if (makes) fake.make(name ?? '');
    return failure(kind);
  };
  return fake;
}

/** What comes of a check that makes a tag and leaves it, how often it asked, and what the target holds at its end. */
async function checked(
  fake: FakeTarget,
  conclude: (exchange: Exchange) => Outcome,
): Promise<{ kind: string; times: number; left: string[] }> {
  const work = new Work(sessionWith(fake).session, 'x/y', 1);
  const target = new Target(work);
  let times = 0;
  const { kind } = await retryIfUnanswered(work, async () => {
    times++;
    const exchange = await target.create({ name: target.name() });
    return accepted(exchange) ? holds() : conclude(exchange);
  });
  await target.removeTags();
  return { kind, times, left: [...fake.tags.values()] };
}

describe('a check in whose course a request got no answer', () => {
  test.each<[string, Failure['kind'], number, object]>([
    ['is asked again until it is answered', 'closed', 3, { kind: 'holds' }],
    ['is asked four times at most', 'closed', 9, { kind: 'undecided', times: 4 }],
    ['is asked twice where that took all the time', 'timeout', 9, { kind: 'undecided', times: 2 }],
    ['is asked once where what came was no HTTP', 'malformed', 9, { kind: 'undecided', times: 1 }],
  ])('%s', async (_what, kind, silent, expected) => {
    for (const makes of [false, true]) {
      // The finding itself need not show it.
      const outcome = await checked(silentAtFirst(kind, silent, makes), () => undecided('failure', 'why'));
      expect(outcome).toMatchObject(expected);
      expect(outcome.left).toEqual(['Rent']);
    }
  });

  test('is asked twice where it observes that such a request is never answered', async () => {
    const outcome = await checked(silentAtFirst('closed', 9, false), (exchange) =>
      observed({ answer: 'why', exchanges: [exchange] }),
    );
    expect(outcome).toMatchObject({ kind: 'observed', times: 2 });
  });

  test('is asked again, too, where it finds the target broken', async () => {
    const outcome = await checked(silentAtFirst('closed', 1, true), (exchange) => broken('why', exchange));
    expect(outcome).toEqual({ kind: 'holds', times: 2, left: ['Rent'] });
  });

  test.each([
    [502, 1, { kind: 'holds', times: 1 }],
    [502, 2, { kind: 'holds', times: 2 }],
    [504, 9, { kind: 'broken', times: 3 }],
    [500, 1, { kind: 'broken', times: 1 }],
  ])('is asked again where a gateway gave the answer: %i, %i times', async (status, failures, expected) => {
    const fake = new FakeTarget();
    let creates = 0;
    fake.instead = (wire) => (isCreate(wire) && ++creates <= failures ? answerOf(status) : undefined);
    const { kind, times } = await checked(fake, (exchange) => broken('why', exchange));
    expect({ kind, times }).toEqual(expected);
  });

  test('is not asked again where a case of a property failed, which has been asked again alone', async () => {
    const fake = new FakeTarget();
    fake.instead = (wire) => (isCreate(wire) ? answerOf(502) : undefined);
    const { kind, times } = await checked(fake, (exchange) => ({
      ...broken('why', exchange),
      example: { told: 'a case', path: '0' },
    }));
    expect({ kind, times }).toEqual({ kind: 'broken', times: 1 });
  });

  /** Checks something whose tag cannot be removed, and leaves no requests for another attempt. */
  function checkedWithoutRequests(end: (remove: Exchange) => Outcome): Promise<Outcome> {
    const fake = new FakeTarget({ '7': 'Rent' });
    fake.instead = ({ method }) => (method === 'DELETE' ? answerOf(502) : undefined);
    const { session, client } = sessionWith(fake);
    const work = new Work(session, 'x/y', 1);
    const target = new Target(work);
    return retryIfUnanswered(work, async () => {
      const { tagId } = await target.makeTag();
      const remove = await target.delete(tagId);
      client.budget.reserve(BUDGETS.standard.requests);
      return end(remove);
    });
  }

  test('is undecided where no requests are left to ask it again', async () => {
    const asked = checkedWithoutRequests((remove) => broken('the delete answered 502, not 200', remove));
    await expect(asked).rejects.toThrow(
      'the delete answered 502, not 200, which may be temporary, and it was not checked again: the budget of 1600 requests',
    );
  });

  test('that could not decide is left out for the budget where no requests are left to ask it again', async () => {
    const asked = checkedWithoutRequests((remove) => {
      throw new Undecided('failure', 'the delete answered 502', remove);
    });
    await expect(asked).rejects.toMatchObject({ outcome: { because: 'budget' } });
  });

  test.each([
    [500, 'keeps its finding', false],
    [500, 'decides nothing', true],
    [409, 'decides nothing', false],
  ])(
    'with %i to creates that overlap %s where the requests run out meanwhile (crowded before: %s)',
    async (status, what, isCrowded) => {
      const fake = new FakeTarget();
      fake.instead = (wire) => (isCreate(wire) ? answerOf(status) : undefined);
      const { session, client } = sessionWith(fake);
      if (isCrowded)
        session.signs.record('crowded', 'requests went well one by one, but not when they overlapped');
      const work = new Work(session, 'x/y', 2);
      const target = new Target(work);
      await target.list();
      let times = 0;
      const outcome = await outcomeOf(() =>
        retryIfUnanswered(work, async () => {
          if (++times > 1) client.budget.reserve(BUDGETS.standard.requests);
          const creates = await Promise.all([1, 2].map(() => target.create({ name: target.name() })));
          return broken(`the create answered ${status}, not 200`, ...creates);
        }),
      );
      expect(times).toBe(2);
      expect(outcome).toMatchObject(
        what === 'keeps its finding' ? { kind: 'broken' } : { kind: 'undecided', because: 'budget' },
      );
    },
  );

  test('is not asked again where that would be in vain', async () => {
    const work = new Work(sessionWith(silentAtFirst('closed', 9, false)).session, 'x/y', 1);
    const target = new Target(work);
    let times = 0;
    const ask = async (): Promise<Outcome> => {
      times++;
      return undecided('failure', 'why', await target.create({ name: target.name() }));
    };
    await retryIfUnanswered(work, ask, () => true);
    expect(times).toBe(1);
  });

  test('is asked again where only shared work met with that, and the work is done again', async () => {
    const work = new Work(sessionWith(silentAtFirst('closed', 1, true)).session, 'x/y', 0);
    const target = new Target(work);
    let times = 0;
    const { kind } = await retryIfUnanswered(work, async () => {
      times++;
      const done = await target.shared('work', 1, async (shared) => {
        const { failure: why } = await shared.create({ name: shared.name() });
        return why === undefined;
      });
      return done ? holds() : undecided('failure', 'the work could not be done');
    });
    expect({ kind, times }).toEqual({ kind: 'holds', times: 2 });
  });

  test('waits for what it has under way before it removes what it made', async () => {
    const fake = silentAtFirst('closed', 1, false);
    const work = new Work(sessionWith(fake).session, 'x/y', 2);
    const target = new Target(work);
    const { kind } = await retryIfUnanswered(work, async () => {
      await Promise.all([target.makeTag(), target.makeTag()]);
      return holds();
    });
    await target.removeTags();
    expect(kind).toBe('holds');
    expect([...fake.tags.values()]).toEqual(['Rent']);
  });
});

test('A check whose writes are refused because they overlap is asked again with one request at a time.', async () => {
  const fake = new FakeTarget();
  let underWay = 0;
  const send = fake.send.bind(fake);
  fake.send = async (wire) => {
    underWay++;
    fake.instead = () => (isCreate(wire) && underWay > 1 ? answerOf(500) : undefined);
    await nextTurn();
    const answer = await send(wire);
    underWay--;
    return answer;
  };
  const work = new Work(sessionWith(fake).session, 'x/y', 4);
  const target = new Target(work);
  const outcome = await retryIfUnanswered(work, async () => {
    const creates = await Promise.all([1, 2, 3, 4].map(() => target.create({ name: target.name() })));
    const refused = creates.find((create) => !accepted(create));
    return refused === undefined ? holds() : broken('a create is refused', refused);
  });
  expect(outcome).toEqual(holds());
  await target.removeTags();
});
