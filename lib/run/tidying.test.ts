import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { answerOf } from '../http/exchange.test.double.ts';
import { filterQuery } from '../spec/requests.ts';
import { removeAll } from './residue.ts';
import { cleanedUp, stranger } from './residue.test.double.ts';
import { FakeTarget, sessionWith } from './session.test.double.ts';

describe('tidying up', () => {
  test('asks nothing where the run made nothing', async () => {
    const target = new FakeTarget(stranger);
    const { session } = sessionWith(target);
    await expect(removeAll(session.first, session)).resolves.toEqual([]);
    expect(target.sent).toEqual([]);
  });

  test('removes what the run made, and nothing else', async () => {
    const target = new FakeTarget(stranger);
    const { residue, deleted } = await cleanedUp(target);
    expect(residue).toEqual([]);
    expect(deleted).toHaveLength(2);
    expect(target.tags).toEqual(new Map(Object.entries(stranger)));
  });

  test('removes both of two tags that one create made', async () => {
    const target = new FakeTarget(stranger);
    target.instead = ({ method }, name) => {
      if (method === 'POST' && name !== undefined) target.make(name);
      return undefined;
    };
    const { residue } = await cleanedUp(target, { count: 1 });
    expect(residue).toEqual([]);
    expect(target.tags).toEqual(new Map(Object.entries(stranger)));
  });

  test('tells of tags that were listed before a last delete, after which no list could be read', async () => {
    const target = new FakeTarget(stranger);
    const ids: string[] = [];
    let isOver = false;
    target.instead = ({ method, path }) => {
      if (method === 'GET' && isOver) return answerOf(500, { message: 'no' });
      if (method !== 'DELETE') return undefined;
      const id = path.split('/').at(-1) ?? '';
      isOver ||= ids.includes(id);
      ids.push(id);
      return answerOf(200, { message: 'gone' });
    };
    const { residue, names } = await cleanedUp(target);
    expect(residue.map(({ name, state }) => [name, state])).toEqual(
      names.map((name) => [name, 'may be left']),
    );
  });

  test('asks once more where an acknowledged deletion was not carried out', async () => {
    const target = new FakeTarget(stranger);
    let lost = 0;
    target.instead = ({ method }) => (method === 'DELETE' && lost++ === 0 ? answerOf(200) : undefined);
    const { residue } = await cleanedUp(target, { count: 1 });
    expect(residue).toEqual([]);
    expect(target.tags).toEqual(new Map(Object.entries(stranger)));
  });

  test('asks no second time for a tag that a list showed too early, whose tag_id a stranger has by now', async () => {
    const target = new FakeTarget(stranger);
    const { session } = sessionWith(target);
    const name = session.names.plain();
    const { tagId = '' } = (await session.first.create({ name }, [name])).record;
    session.settling.notePage(1);
    session.first.tags.deleted.givesIdsAgain = true;
    const now = performance.now.bind(performance);
    let passedMs = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
    onTestFinished(() => clock.mockRestore());
    let isLate = false;
    target.instead = ({ method, path }) => {
      if (method === 'DELETE') {
        target.tags.set(tagId, 'Salary');
        isLate = true;
        return answerOf(200);
      }
      if (!isLate || method !== 'GET') return undefined;
      if (!path.includes('?')) return target.listing([[tagId, name]]);
      // The filtered lists are answered after the settle time.
      isLate = false;
      passedMs = 60_000;
      return undefined;
    };
    await expect(removeAll(session.first, session)).resolves.toEqual([]);
    expect(target.lines.filter((line) => line.startsWith('DELETE'))).toHaveLength(1);
    expect(target.tags.get(tagId)).toBe('Salary');
  });

  test('waits for the end of a lock that keeps it from logging in', async () => {
    const target = new FakeTarget(stranger);
    const { session } = sessionWith(target);
    vi.spyOn(session.client.pace, 'wait').mockResolvedValue();
    const name = session.names.plain();
    await session.first.create({ name }, [name]);
    let logins = 0;
    target.instead = ({ path, headers }) => {
      if (path.endsWith('/login'))
        return ++logins < 3 ? answerOf(423, {}) : answerOf(200, { access_token: 'another-token' });
      const hasEnded = headers.some(([, value]) => value === 'Bearer token-of-the-fake');
      return hasEnded ? answerOf(401, {}) : undefined;
    };
    await expect(removeAll(session.first, session)).resolves.toEqual([]);
    expect(logins).toBe(3);
    expect(target.tags).toEqual(new Map(Object.entries(stranger)));
  });

  test('looks for each tag by its name where the list shows only a page', async () => {
    const target = new FakeTarget(stranger);
    let lost = 0;
    target.instead = ({ method, path }) => {
      if (method === 'DELETE') return lost++ === 0 ? answerOf(200) : undefined;
      return method === 'GET' && !path.includes('?') ? target.listing([['7', 'Rent']]) : undefined;
    };
    const { residue } = await cleanedUp(target, { count: 1, paged: true });
    expect(residue).toEqual([]);
    expect(target.tags).toEqual(new Map(Object.entries(stranger)));
  });

  test('looks on pages for second tags of a name whose tag it deleted before, if another name had two', async () => {
    const target = new FakeTarget(stranger);
    const { session } = sessionWith(target);
    target.instead = ({ method, path }, name) => {
      if (method === 'POST' && name !== undefined) target.make(name);
      return method === 'GET' && !path.includes('?') ? target.listing([['7', 'Rent']]) : undefined;
    };
    const [one, other] = [session.names.plain(), session.names.plain()];
    await session.first.create({ name: one }, [one]);
    const { tagId = '' } = (await session.first.create({ name: other }, [other])).record;
    session.settling.notePage(1);
    await session.first.list(filterQuery(one));
    await session.first.delete(tagId);
    await expect(removeAll(session.first, session)).resolves.toEqual([]);
    expect(target.tags).toEqual(new Map(Object.entries(stranger)));
  });
});
