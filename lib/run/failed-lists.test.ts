import { expect, test } from 'vitest';
import { answerOf } from '../http/exchange.test.double.ts';
import { filterQuery } from '../spec/requests.ts';
import { FailedLists, noteFailedLists } from './failed-lists.ts';
import { preflight } from './preflight.ts';
import { FakeTarget, sessionWith } from './session.test.double.ts';

/** The findings about a target that answers this status to the first lists with one filter, or also to those without one. */
async function findingsWhere(
  status: number,
  { failures = Infinity, isAny = false }: { readonly failures?: number; readonly isAny?: boolean } = {},
): Promise<readonly string[]> {
  const fake = new FakeTarget();
  const { session, client } = sessionWith(fake);
  const failed = new FailedLists();
  client.listeners.push(failed);
  await preflight(session);
  const name = session.names.plain();
  let lists = 0;
  fake.instead = ({ path }) => {
    const isMeant = path.endsWith(filterQuery(name)) || (isAny && path.endsWith('/tagging'));
    return isMeant && ++lists <= failures ? answerOf(status) : undefined;
  };
  await session.first.list(filterQuery(name));
  await noteFailedLists(session, failed.filters);
  return session.signs.of('list-failed').map(({ why }) => why.replace(name, 'x'));
}

test('A filter that fails whenever it is asked, while the list without a filter does not, is a finding.', async () => {
  expect(await findingsWhere(500)).toEqual([
    'the list with the filter "x", which is the name of no tag, answered 500 each of 3 times, while the list without a filter can be read',
  ]);
});

test.each([
  ['fails only at first', { failures: 2 }],
  ['fails as all lists do, of which another requirement tells', { isAny: true }],
])('A filter that %s is none.', async (_what, parts) => {
  expect(await findingsWhere(500, parts)).toEqual([]);
});

test('A target that is busy is not asked again.', async () => {
  expect(await findingsWhere(503)).toEqual([]);
});
