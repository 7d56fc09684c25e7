import { expect, test } from 'vitest';
import { FakeTarget, sessionWith } from '../lib/run/session.test.double.ts';
import { Target } from '../lib/run/target.ts';
import { Work } from '../lib/run/work.ts';
import { aftermath } from './every-operation.ts';

/** What is concluded if lists are pages of two tags, which may show none of the newer ones. */
async function concludedIf(wasMade: boolean): Promise<{ isUntouched: boolean; lines: readonly string[] }> {
  const fake = new FakeTarget();
  fake.instead = ({ method, path }) => {
    if (method !== 'GET') return undefined;
    const filter = new URL(path, 'https://target.test').searchParams.get('tag') ?? '';
    return fake.listing([...fake.tags].filter(([, name]) => name.includes(filter)).slice(0, 2));
  };
  const { session } = sessionWith(fake);
  session.before = [];
  const target = new Target(new Work(session, 'x/y', 3));
  const [toRename, toDelete] = [await target.makeTag(), await target.makeTag()];
  const names = { created: target.name(), renamed: target.name() };
  await target.list();
  if (wasMade) fake.make(names.created);
  fake.sent.length = 0;
  const { isUntouched } = await aftermath(target, { toRename, toDelete, names });
  return { isUntouched, lines: fake.lines.map((line) => line.split('?')[0] ?? '') };
}

test('One list and one filtered list show that requests had no effect, if lists may be pages.', async () => {
  expect(await concludedIf(false)).toEqual({
    isUntouched: true,
    lines: ['GET /api/v2/tagging', 'GET /api/v2/tagging'],
  });
});

test('A tag that was made on another page is found by its name.', async () => {
  expect((await concludedIf(true)).isUntouched).toBe(false);
});
