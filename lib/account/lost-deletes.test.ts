import { expect, test } from 'vitest';
import { answerOf, failure } from '../http/exchange.test.double.ts';
import { FakeTarget, sessionWith } from '../run/session.test.double.ts';

const SETTLE_MS = 90;
const LAG_MS = 30;

test('Where lists lag, a delete whose answer was lost is sent again only if they go on showing the tag.', async () => {
  const target = new FakeTarget();
  const { session } = sessionWith(target, { settings: { settleMs: SETTLE_MS } });
  const { first, names, settling } = session;
  const name = names.plain();
  const { record } = await first.create({ name }, [name]);
  const { tagId = '' } = record;
  // An effect that shows in the second look only tells the run that lists lag.
  let looks = 0;
  target.instead = ({ method }) => (method === 'GET' && looks === 0 ? target.listing([]) : undefined);
  const look = async () => ({ exchanges: [await first.list()] });
  await settling.until(look, () => ++looks > 1);
  let deletedAt = 0;
  target.instead = ({ method }) => {
    if (method === 'DELETE' && deletedAt === 0) {
      deletedAt = performance.now();
      target.tags.set(tagId, 'of a stranger');
      return answerOf(502);
    }
    const isLate = method === 'GET' && performance.now() < deletedAt + LAG_MS;
    return isLate ? target.listing([[tagId, name]]) : undefined;
  };
  await first.delete(tagId);
  expect(target.tags.get(tagId)).toBe('of a stranger');
});

test('A delete whose answer was lost is sent again, though the tag is on another page and its new name kept in lower case.', async () => {
  const target = new FakeTarget({ 1: 'first', 2: 'second' });
  const { session } = sessionWith(target);
  const { first, names } = session;
  const name = names.plain();
  await first.list();
  const { record } = await first.create({ name }, [name]);
  const { tagId = '' } = record;
  await first.list();
  const renamed = names.endingIn('ABC');
  let lost = 0;
  target.instead = ({ method, path }) => {
    if (method === 'DELETE' && lost++ < 1) return failure('closed');
    // A page of two.
    return method === 'GET' && !path.includes('?') ? target.listing([...target.tags].slice(0, 2)) : undefined;
  };
  await first.rename(tagId, { name: renamed }, renamed);
  target.tags.set(tagId, renamed.toLowerCase());
  await first.remove(record);
  expect([...target.tags.values()]).toEqual(['first', 'second']);
});
