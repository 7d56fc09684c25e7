import { expect, test } from 'vitest';
import { answerOf } from '../http/exchange.test.double.ts';
import { noteDamage } from './damage.ts';
import { preflight } from './preflight.ts';
import { FakeTarget, sessionWith } from './session.test.double.ts';

/** The sentences about lists that a question broke, if the lists after it are answered 500 this often. */
async function damageWhere(failures: number): Promise<readonly string[]> {
  const fake = new FakeTarget({ '7': 'Rent' });
  const { session } = sessionWith(fake);
  await preflight(session);
  let lists = 0;
  fake.instead = ({ method }) => (method === 'GET' && ++lists <= failures ? answerOf(500) : undefined);
  await noteDamage(session, 'name/edges');
  return session.signs.of('list-broken').map(({ why }) => why);
}

test('A list that fails once after a question was not broken by it.', async () => {
  expect(await damageWhere(1)).toEqual([]);
});

test('A list that goes on failing was.', async () => {
  expect(await damageWhere(9)).toEqual([
    'the list answered 500 since the check of name/edges, and cannot be read',
  ]);
});

test('A list that is refused because no token works any more was not broken by a question.', async () => {
  const fake = new FakeTarget({ '7': 'Rent' });
  const { session } = sessionWith(fake);
  await preflight(session);
  fake.instead = ({ method }) => (method === 'GET' ? answerOf(401) : undefined);
  session.first.logins.stopRenewing();
  await noteDamage(session, 'name/edges');
  expect(session.signs.of('list-broken')).toEqual([]);
});
