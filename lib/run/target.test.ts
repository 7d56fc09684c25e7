import { expect, test, vi } from 'vitest';
import { answerOf } from '../http/exchange.test.double.ts';
import { Undecided } from '../outcome.ts';
import { Secret } from '../secret.ts';
import { FakeTarget, sessionWith } from './session.test.double.ts';
import { Room } from './room.ts';
import { Target } from './target.ts';
import { Work } from './work.ts';

test('A check of a run that is over fails when it asks, and not in mid-expression.', async () => {
  const { session } = sessionWith(new FakeTarget());
  const work = new Work(session, 'a/check', 4);
  const target = new Target(work);
  session.over = { because: 'failure', why: 'the run is over' };
  const asking = (): Promise<unknown> =>
    Promise.all([
      target.login(),
      target.list(target.name()),
      target.lookUp(undefined, target.name()),
      target.token(),
      target.create({ name: target.names.endingIn('x') }),
      target.rename('1', { name: target.name() }),
      target.delete('1'),
      target.run('without creates', () => Promise.resolve(target.facts.tags)),
      target.shared('work', 0, () => Promise.resolve(target.facts.tags)),
    ]);
  await expect(asking()).rejects.toThrow('the run is over');
});

test('A check of a run that is over fails to end in one place, and leaves no failing of its parts unheard.', async () => {
  const second = { username: 'somebody else', password: new Secret('Pass-of-another', '$SECOND_PASSWORD') };
  const { session } = sessionWith(new FakeTarget(), { settings: { second } });
  const work = new Work(session, 'a/check', 4);
  const target = new Target(work);
  await target.makeTag();
  await target.second.makeTag();
  session.over = { because: 'failure', why: 'the run is over' };
  // A rejection that nobody handles fails this test file, and would end the command line.
  await expect(target.removeTags()).rejects.toThrow('the run is over');
});

test.each([
  ['that no list shows is lost', false, 1],
  ['that is removed while somebody looks for it is not', true, 0],
])('A tag %s.', async (_what, isRemoved, lost) => {
  const fake = new FakeTarget();
  const { session } = sessionWith(fake);
  const list = fake.send.bind(fake);
  fake.send = async (wire) => {
    if (wire.path.includes('?tag=')) {
      if (isRemoved) await session.first.delete('101');
      else fake.tags.clear();
    }
    return list(wire);
  };
  await expect(new Target(new Work(session, 'a/check', 1)).makeTag()).rejects.toThrow(
    'no list shows the tag',
  );
  expect(session.signs.of('create-lost')).toHaveLength(lost);
});

test.each([
  [
    'another name is lost',
    'x',
    'create-lost',
    'create was acknowledged, but lists show its tag_id with the name "x"',
  ],
  [
    'the name of a later update of another tag is due to the update',
    undefined,
    'copied-by-update',
    expect.stringMatching(/^a create and then an update of another tag were acknowledged, but lists show /),
  ],
] as const)('A new tag that lists show with %s.', async (_what, kept, sign, why) => {
  const fake = new FakeTarget();
  const { session } = sessionWith(fake);
  const target = new Target(new Work(session, 'a/check', 2));
  const other = await target.makeTag();
  const send = fake.send.bind(fake);
  const name = target.name();
  fake.send = async (wire) => {
    const answer = await send(wire);
    if (wire.method === 'POST') await target.rename(other.tagId, { name });
    fake.tags.set('102', kept ?? name);
    return answer;
  };
  await expect(target.makeTag()).rejects.toThrow('no list shows the tag');
  expect(session.signs.of(sign)).toMatchObject([{ why }]);
});

test('A check takes room for its tags with the first of them, and not before.', async () => {
  const { session } = sessionWith(new FakeTarget());
  const room = new Room(2);
  const work = new Work(session, 'a/check', 2, { room });
  const target = new Target(work);
  await target.list();
  await target.shared('work', 1, (shared) => shared.makeTag());
  expect(work.claim?.held).toBe(0);
  await target.part(1, async (part) => {
    await part.makeTag();
    expect(work.claim?.held).toBe(1);
  });
  expect(work.claim?.held).toBe(0);
});

test('Alone, checks work one after another, and leave none of their tags.', async () => {
  const fake = new FakeTarget();
  const { session } = sessionWith(fake);
  const events: string[] = [];
  const checks = ['a', 'b'].map((name) => {
    const target = new Target(new Work(session, name, 1));
    return target.run('exclusively', async () => {
      events.push(`${name} begins with ${fake.tags.size}`);
      await target.makeTag();
      events.push(`${name} ends with ${fake.tags.size}`);
    });
  });
  await Promise.all(checks);
  expect(events).toEqual(['a begins with 0', 'a ends with 1', 'b begins with 0', 'b ends with 1']);
});

test('A tag is nowhere only where each list that might show it under one of its names can be read.', async () => {
  const fake = new FakeTarget({ 7: 'one' });
  const { session } = sessionWith(fake);
  const unreadable = new Set<string>();
  fake.instead = ({ path }) => (unreadable.has(path) ? answerOf(200, 'no JSON') : undefined);
  const target = new Target(new Work(session, 'a/check', 0));
  unreadable.add('/api/v2/tagging');
  expect((await target.lookUp('7', 'two', 'three')).entries).toEqual([]);
  unreadable.add('/api/v2/tagging?tag=one');
  await expect(target.lookUp('7', 'one', 'two')).rejects.toThrow('the list cannot be read');
});

test('A check that is to be alone takes its room first, so that none waits for it in a circle.', async () => {
  const { session } = sessionWith(new FakeTarget(), { settings: { maxLiveTags: 4 } });
  const room = session.slots.tags;
  const [held, other] = ['holds/all-room', 'is/alone'].map(
    (name) => new Work(session, name, 1, { room }),
  ) as [Work, Work];
  const [holder, alone] = [new Target(held), new Target(other)];
  const makeAlone = (target: Target): Promise<unknown> => target.run('exclusively', () => target.makeTag());
  await holder.makeTag();
  const holding = async (): Promise<void> => {
    await holder.shared('work that is alone, too', 1, makeAlone);
    held.claim?.leave();
  };
  await expect(Promise.all([makeAlone(alone), holding()])).resolves.toHaveLength(2);
});

test('Several tags are made in turn, and one list shows them all where lists are short.', async () => {
  const fake = new FakeTarget();
  const { session } = sessionWith(fake);
  session.before = [];
  const target = new Target(new Work(session, 'a/check', 4));
  // The first tag of a run is looked for at once.
  await target.makeTag();
  const before = fake.lines.length;
  const names = [target.name(), target.name(), target.name()];
  const tags = await target.makeTags('in turn', ...names);
  expect(tags.map(({ name }) => name)).toEqual(names);
  expect([...fake.tags].slice(1)).toEqual(tags.map(({ tagId, name }) => [tagId, name]));
  const create = 'POST /api/v2/tagging';
  expect(fake.lines.slice(before)).toEqual([create, create, create, 'GET /api/v2/tagging']);
});

test('Tags are made in turn until one cannot be made.', async () => {
  const fake = new FakeTarget();
  fake.instead = ({ method }, name) => (method === 'POST' && name === 'two' ? answerOf(422, {}) : undefined);
  const target = new Target(new Work(sessionWith(fake).session, 'a/check', 3));
  await expect(target.makeTags('in turn', 'one', 'two', 'three')).rejects.toThrow('no tag could be made');
  expect([...fake.tags.values()]).toEqual(['one']);
});

test('Other checks may list a tag that stays until the run ends, and none that was updated since.', async () => {
  const { session } = sessionWith(new FakeTarget());
  const [target, other] = ['a/check', 'another'].map((name) => new Target(new Work(session, name, 1)));
  const tag = await target?.makeTag();
  expect(other?.facts.keeper).toBeNull();
  if (tag !== undefined) target?.note({ keeper: tag });
  expect(other?.facts.keeper).toEqual(tag);
  await target?.rename(tag?.tagId ?? '', { name: 'another' });
  expect(other?.facts.keeper).toBeNull();
});

test.each([
  ['refuses', answerOf(500, { message: 'no' }), Undecided],
  ['redirects', answerOf(308, '', [['Location', '/elsewhere']]), Undecided],
  ['does not get', undefined, Error],
])(
  'More tags than a check may have are a fault of the suite, unless the target %s deletes.',
  async (...row) => {
    const [, answer, thrown] = row;
    const fake = new FakeTarget();
    fake.instead = ({ method }) => (method === 'DELETE' ? answer : undefined);
    const target = new Target(new Work(sessionWith(fake).session, 'a/check', 1));
    const { tagId } = await target.makeTag();
    if (answer !== undefined) await target.delete(tagId);
    const makingMore = target.makeTag();
    await expect(makingMore).rejects.toThrow(
      answer === undefined ? /more tags alive/ : /could not be removed/,
    );
    await expect(makingMore).rejects.toBeInstanceOf(thrown);
  },
);

test('One list shows several new tags, requested once effects usually show.', async () => {
  const fake = new FakeTarget();
  const { session } = sessionWith(fake);
  session.before = [];
  let isShown = false;
  fake.instead = ({ method }) => (method === 'GET' && !isShown ? fake.listing([]) : undefined);
  vi.spyOn(session.settling, 'usualLag').mockImplementation(() => {
    isShown = true;
    return Promise.resolve();
  });
  const target = new Target(new Work(session, 'a/check', 3));
  await target.makeTags('at once', target.name(), target.name(), target.name());
  expect(fake.lines.filter((line) => line.includes('?tag='))).toEqual([]);
});
