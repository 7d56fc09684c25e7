import { expect, test } from 'vitest';
import { FakeTarget, sessionWith } from '../lib/run/session.test.double.ts';
import { Target } from '../lib/run/target.ts';
import { Work } from '../lib/run/work.ts';
import { othersStay } from './neighbours.ts';

/**
 * What `othersStay` reports after a delete of another tag, on a target whose lists show this many of the newest tags.
 */
async function saidOf(page: number, younger: readonly string[], isGone: boolean): Promise<string> {
  const fake = new FakeTarget();
  const target = new Target(new Work(sessionWith(fake).session, 'x/y', 9));
  const older = await target.makeTag();
  const removal = await target.delete((await target.makeTag()).tagId);
  for (const name of younger) fake.make(name.replace('#', older.name));
  if (isGone) fake.tags.delete(older.tagId);
  fake.instead = ({ method, path }) => {
    const filter = new URL(path, 'https://target.test').searchParams.get('tag') ?? '';
    const shown = [...fake.tags].toReversed().filter(([, name]) => name.includes(filter));
    return method === 'GET' ? fake.listing(shown.slice(0, page)) : undefined;
  };
  const outcome = await othersStay(target, removal, [older], 'delete');
  return outcome.kind === 'broken' ? outcome.why : outcome.kind;
}

test('A tag that younger ones have pushed off its page is not taken for deleted.', async () => {
  expect(await saidOf(2, ['#a', '#b', 'Rent'], false)).toBe('holds');
});

test('A tag that is on no page is.', async () => {
  expect(await saidOf(4, ['#a', '#b', 'Rent'], true)).toBe(
    'the delete answered 200, and another tag is no longer listed',
  );
});
