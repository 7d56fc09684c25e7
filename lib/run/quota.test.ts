import { expect, test } from 'vitest';
import { answerOf } from '../http/exchange.test.double.ts';
import { statusOf } from '../http/exchange.ts';
import { FakeTarget, sessionWith } from './session.test.double.ts';
import { Target } from './target.ts';
import { Work } from './work.ts';

const SETTLE_MS = 40;

/** A target that holds so many tags, and counts deleted ones for a while. */
function limited(most: number, countsDeletedMs: number): FakeTarget {
  const fake = new FakeTarget();
  const deletedAt: number[] = [];
  fake.instead = ({ method, path }) => {
    if (method === 'DELETE') deletedAt.push(performance.now());
    const lately = deletedAt.filter((at) => performance.now() - at < countsDeletedMs);
    const isFull = fake.tags.size + lately.length >= most;
    return method === 'POST' && path.endsWith('/tagging') && isFull
      ? answerOf(403, { message: 'Full.' })
      : undefined;
  };
  return fake;
}

/** Work with so many tags at the target. */
function workAt(fake: FakeTarget, tags: number): { target: Target; work: Work } {
  const { session } = sessionWith(fake, { settings: { settleMs: SETTLE_MS } });
  const work = new Work(session, 'x/y', tags);
  return { target: new Target(work), work };
}

/** Makes a tag and removes it, this often. */
async function oneAfterTheOther(target: Target, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time++) {
    statuses.push(statusOf(await target.create({ name: target.name() })));
    await target.removeTags();
  }
  return statuses;
}

test('A create waits while the target counts tags that were deleted lately.', async () => {
  const fake = limited(3, SETTLE_MS / 2);
  const { target, work } = workAt(fake, 2);
  const statuses: number[] = [];
  // On a busy machine, so much time may pass between two creates that none is refused.
  do statuses.push(...(await oneAfterTheOther(target, 9)));
  while (!work.session.quota.countsDeleted);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(work.session.quota.limit).toBe(8);
  // Each was accepted in the end.
  expect(work.metQuota).toBe(false);
});

test('A create with other headers waits as well, once deleted tags are known to count.', async () => {
  const fake = limited(3, SETTLE_MS / 2);
  const { target, work } = workAt(fake, 2);
  // On a busy machine, so much time may pass between two creates that none is refused.
  while (!work.session.quota.countsDeleted) await oneAfterTheOther(target, 3);
  const headers = { 'Content-Type': 'application/json;charset=utf-8' };
  expect(statusOf(await target.create({ name: target.name() }, { headers }))).toBe(200);
});

test('A create that is refused with another status than plain ones was not refused for their number.', async () => {
  const fake = limited(3, 0);
  const { instead } = fake;
  fake.instead = (wire, name) =>
    wire.method === 'POST' && wire.body === '{}' ? answerOf(422) : instead?.(wire, name);
  const { target, work } = workAt(fake, 5);
  await target.makeTags('at once', target.name(), target.name());
  await target.makeTag();
  expect(statusOf(await target.create({ name: target.name() }))).toBe(403);
  expect(work.metQuota).toBe(true);
  work.begin();
  expect(statusOf(await target.create({}))).toBe(422);
  expect(work.metQuota).toBe(false);
});

test.each([1, 2, 3.5])(
  'A create waits until tags deleted %s settle times ago no longer count.',
  async (times) => {
    const fake = limited(3, (times - 0.2) * SETTLE_MS);
    const { target } = workAt(fake, 2);
    expect(await oneAfterTheOther(target, 6)).toEqual(Array.from({ length: 6 }, () => 200));
  },
);

test('A create that is refused for good is sent again until no deleted tag can count, and later ones once.', async () => {
  const fake = new FakeTarget();
  const { target, work } = workAt(fake, 2);
  await oneAfterTheOther(target, 3);
  fake.instead = ({ method }) => (method === 'POST' ? answerOf(422) : undefined);
  const creates = (): number => fake.lines.filter((line) => line.startsWith('POST')).length;
  const before = creates();
  expect(await oneAfterTheOther(target, 1)).toEqual([422]);
  const first = creates() - before;
  // How often depends on how late the timers of a busy machine fire.
  expect(first).toBeLessThanOrEqual(4);
  expect(await oneAfterTheOther(target, 2)).toEqual([422, 422]);
  expect(creates() - before - first).toBe(2);
  expect(work.metQuota).toBe(false);
  expect(work.session.quota.limit).toBeUndefined();
});

test.each([
  ['has', (name: string) => name],
  ['has in another letter case', (name: string) => name.toUpperCase()],
])('A create with a name that a tag %s does not show how many the target allows.', async (_, asked) => {
  const fake = new FakeTarget();
  fake.instead = ({ method }, name) =>
    method === 'POST' && [...fake.tags.values()].includes(name?.toLowerCase() ?? '')
      ? answerOf(422)
      : undefined;
  const { target, work } = workAt(fake, 4);
  const { name } = await target.makeTag();
  await target.makeTags('at once', target.name(), target.name());
  expect(statusOf(await target.create({ name: asked(name) }))).toBe(422);
  expect(work.session.quota.limit).toBeUndefined();
});

test('A part that has ended has met the limit, too.', async () => {
  const fake = limited(3, 0);
  const { target, work } = workAt(fake, 4);
  await target.part(4, async (part) => {
    for (let tag = 0; tag < 4; tag++) await part.create({ name: part.name() });
  });
  expect(fake.tags.size).toBe(0);
  expect(work.metQuota).toBe(true);
});

test('A tag that may be gone does not show how many the target allows.', async () => {
  const fake = limited(3, 0);
  const { target, work } = workAt(fake, 5);
  const tags = [await target.makeTag(), await target.makeTag(), await target.makeTag()];
  // A delete without a valid token should be refused, and is not.
  await target.delete(tags[0]?.tagId ?? '', { token: 'none' });
  await target.makeTag();
  await target.delete(tags[1]?.tagId ?? '', { token: 'none' });
  await target.removeTags();
  await target.makeTags('at once', target.name(), target.name());
  await target.makeTag();
  expect(work.metQuota).toBe(false);
  await target.create({ name: target.name() });
  expect(work.metQuota).toBe(true);
});

test.each<[string, number, boolean]>([
  ['for their number, whichever headers the create has', 403, true],
  ['for the credentials', 401, false],
])('A create beyond the limit is refused %s.', async (_what, status, isMet) => {
  const fake = new FakeTarget();
  fake.instead = ({ method, path }) =>
    method === 'POST' && !path.endsWith('login') && fake.tags.size >= 3 ? answerOf(status) : undefined;
  const { target, work } = workAt(fake, 4);
  await target.makeTags('at once', target.name(), target.name());
  await target.makeTag();
  await target.create({ name: target.name() }, { headers: { 'Content-Type': 'application/json' } });
  await target.create({ name: target.name() });
  expect(work.session.quota.limit).toBe(isMet ? 8 : undefined);
  expect(work.metQuota).toBe(isMet);
});
