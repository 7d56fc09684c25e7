import { describe, expect, test } from 'vitest';
import { answerOf } from '../http/exchange.test.double.ts';
import { removeAll } from './residue.ts';
import { FakeTarget, sessionWith } from './session.test.double.ts';
import { unmatchedTags } from './unmatched.ts';

/** A target that answers a create with this status and makes a tag all the same. */
async function toldOf(target: FakeTarget, status = 422) {
  const { session } = sessionWith(target);
  const name = session.names.plain();
  target.instead = ({ method, path }, made) =>
    method === 'POST' && !path.endsWith('login') && target.make(made ?? '') !== ''
      ? answerOf(status, { message: 'no' })
      : undefined;
  await session.first.create({ name }, [name]);
  target.instead = ({ method }) => (method === 'GET' ? answerOf(200, {}) : undefined);
  const residue = await removeAll(session.first, session);
  target.instead = () => undefined;
  const told = await unmatchedTags(session.first, session, residue);
  return { told: told.map((tag) => ({ ...tag, isOfRun: tag.name === name })), residue };
}

describe('where bytes came to no request', () => {
  test('a tag may be left of a create that seemed refused', async () => {
    const target = new FakeTarget();
    target.hasStrayBytes = true;
    const { told } = await toldOf(target);
    expect(told).toMatchObject([{ isOfRun: true, state: 'may be left' }]);
  });

  test('no tag is left that a list does not show', async () => {
    const target = new FakeTarget();
    target.hasStrayBytes = true;
    const { session } = sessionWith(target);
    const name = session.names.plain();
    await session.first.create({ name }, [name]);
    const residue = await removeAll(session.first, session);
    await expect(unmatchedTags(session.first, session, residue)).resolves.toEqual([]);
    target.make(name);
    await expect(unmatchedTags(session.first, session, residue)).resolves.toMatchObject([{ name }]);
  });
});

test('A tag is not left of a create that was never sent, wherever bytes came to no request.', async () => {
  const target = new FakeTarget();
  target.hasStrayBytes = true;
  const { session } = sessionWith(target);
  session.client.stop('the target is gone');
  const name = session.names.plain();
  await expect(session.first.create({ name }, [name])).rejects.toThrow('the target is gone');
  await expect(unmatchedTags(session.first, session, [])).resolves.toEqual([]);
});

test('Elsewhere an answer is believed.', async () => {
  await expect(toldOf(new FakeTarget())).resolves.toMatchObject({ told: [], residue: [] });
});
