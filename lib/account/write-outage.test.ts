import { describe, expect, test } from 'vitest';
import { answerOf } from '../http/exchange.test.double.ts';
import { statusOf, type Exchange } from '../http/exchange.ts';
import { isOfOutage } from '../http/retryable.ts';
import { FakeTarget, sessionWith } from '../run/session.test.double.ts';
import type { Session } from '../run/session.ts';
import type { Account } from './account.ts';

const isWrite = ({ method, path }: FakeTarget['sent'][number]): boolean =>
  method !== 'GET' && !path.endsWith('login');

type Send = (account: Account, tagId: string, session: Session) => Promise<Exchange>;

/** Sends a write about a tag of the run while the target answers the next writes with 500, and then removes all tags. */
async function metBy(
  send: Send,
  {
    errors,
    only = () => true,
    makesTags = false,
  }: { readonly errors: number; readonly only?: typeof isWrite; readonly makesTags?: boolean },
) {
  const target = new FakeTarget();
  const { session } = sessionWith(target, { patienceMs: 1_000 });
  const { first, names } = session;
  const name = names.plain();
  const { record } = await first.create({ name }, [name]);
  await first.list();
  let left = errors;
  target.instead = (wire, made) => {
    if (!isWrite(wire) || !only(wire) || left-- <= 0) return undefined;
    if (makesTags && wire.method === 'POST') {
      target.make(made ?? '');
      // Another check lists.
      void first.list();
    }
    return answerOf(500);
  };
  const exchange = await send(first, record.tagId ?? '', session);
  await Promise.all(first.tags.records.map((one) => first.remove(one)));
  return { exchange, target };
}

const update = async (account: Account, tagId: string): Promise<Exchange> =>
  (await account.rename(tagId, { name: 'Rent' }, 'Rent')).exchange;

describe('an outage of writes', () => {
  test.each<[string, Send]>([
    ['a create', async (account) => (await account.create({ name: 'Rent' }, ['Rent'])).exchange],
    ['an update', update],
    ['a delete', (account, tagId) => account.delete(tagId)],
  ])('is waited for by %s, which is then sent again', async (_what, send) => {
    const { exchange, target } = await metBy(send, { errors: 4 });
    expect(statusOf(exchange)).toBe(200);
    expect([...target.tags]).toEqual([]);
  });

  test('is waited for although creates are carried out, and their tags are removed', async () => {
    const { exchange, target } = await metBy(update, { errors: 4, makesTags: true });
    expect(statusOf(exchange)).toBe(200);
    expect([...target.tags]).toEqual([]);
  });

  test('is none if a create of a plain tag is accepted at once', async () => {
    const { exchange, target } = await metBy(update, { errors: 9, only: ({ method }) => method === 'PUT' });
    expect([statusOf(exchange), isOfOutage(exchange)]).toEqual([500, false]);
    expect([...target.tags]).toEqual([]);
  });

  test('is not looked for while no tag may be made', async () => {
    const { target } = await metBy(
      (account, tagId, { slots: { creating } }) => creating.use(creating.total, () => update(account, tagId)),
      { errors: 1 },
    );
    expect(target.lines.filter((line) => line.startsWith('POST'))).toHaveLength(1);
  });
});
