import { describe, expect, test } from 'vitest';
import { answerOf, failure } from '../http/exchange.test.double.ts';
import type { Answer, Failure } from '../http/exchange.ts';
import type { Wire } from '../http/transport.ts';
import { filterQuery } from '../spec/requests.ts';
import { removeAll } from './residue.ts';
import { cleanedUp, deletesWith, stranger } from './residue.test.double.ts';
import { FakeTarget, sessionWith } from './session.test.double.ts';

/** The first delete of the last looks for what is left. */
const LAST_DELETE = 4;

describe('what is left of the run', () => {
  test.each([
    ['removed, if there is time to wait for it', 60_000, []],
    ['told, if there is none', 5, [{ state: 'may be left', why: expect.stringContaining('no answer') }]],
  ])('is, after a create that was given up and is carried out later, %s', async (_what, ms, residue) => {
    const target = new FakeTarget(stranger);
    const { session } = sessionWith(target, { timeoutMs: 80 });
    const name = session.names.plain();
    target.instead = ({ method, path }) => {
      if (method !== 'POST' || path.endsWith('login')) return undefined;
      setTimeout(() => target.make(name), 40);
      return failure('timeout');
    };
    await session.first.create({ name }, [name]);
    session.client.endWithin(ms);
    await expect(removeAll(session.first, session)).resolves.toMatchObject(residue);
    expect([...target.tags.values()]).not.toContain(name);
  });

  test('is removed from pages if an update made the tag again after a delete that overlapped it', async () => {
    class Upserting extends FakeTarget {
      #deleted: () => void = () => undefined;
      readonly #isDeleted = new Promise<void>((resolve) => (this.#deleted = resolve));
      override async send(wire: Wire): Promise<Answer | Failure> {
        if (wire.method === 'PUT') await this.#isDeleted;
        if (wire.method === 'PUT' && !this.tags.has('101')) this.tags.set('101', 'made again');
        const answer = await super.send(wire);
        if (wire.method === 'DELETE') this.#deleted();
        return answer;
      }
    }
    const target = new Upserting(stranger);
    target.instead = ({ method, path }) =>
      method === 'GET' && !path.includes('?') ? target.listing([...target.tags].slice(0, 1)) : undefined;
    const { session } = sessionWith(target);
    session.settling.notePage(1);
    const [name, newName] = [session.names.plain(), session.names.plain()];
    const { record } = await session.first.create({ name }, [name]);
    await Promise.all([
      session.first.rename(record.tagId ?? '', { name: newName }, newName),
      session.first.delete(record.tagId ?? ''),
    ]);
    expect([...target.tags.values()]).toContain(newName);
    await expect(removeAll(session.first, session)).resolves.toEqual([]);
    expect(target.tags).toEqual(new Map(Object.entries(stranger)));
  });

  test('is not deleted by the tag_id of its create after an acknowledged delete, though lists show another tag_id', async () => {
    const target = new FakeTarget(stranger);
    const { session } = sessionWith(target);
    const name = session.names.plain();
    const { record } = await session.first.create({ name }, [name]);
    const given = record.tagId ?? '';
    await session.first.delete(given);
    // A stranger's tag has the freed tag_id by now.
    target.tags.set(given, 'Taxes');
    target.instead = ({ method }) =>
      method === 'GET' ? target.listing([...Object.entries(stranger), [`${given}-0`, name]]) : undefined;
    await expect(removeAll(session.first, session)).resolves.toMatchObject([{ name, state: 'left' }]);
    expect(target.tags.get(given)).toBe('Taxes');
  });

  test('is nothing where a later delete has an effect, and no finding stands without an exchange', async () => {
    const target = new FakeTarget(stranger);
    let deletes = 0;
    target.instead = ({ method }) =>
      method === 'DELETE' && ++deletes < LAST_DELETE ? answerOf(200, { message: 'gone' }) : undefined;
    // Long enough for all deletes on a slow machine.
    const { session } = sessionWith(target, { settings: { settleMs: 2_000 } });
    const name = session.names.plain();
    await session.first.create({ name }, [name]);
    await expect(removeAll(session.first, session)).resolves.toEqual([]);
    expect(deletes).toBe(LAST_DELETE);
    expect(session.signs.of('late-effect')).toEqual([]);
  });

  test('is nothing where the removal was not acknowledged, but lists show that the tag is gone', async () => {
    const target = deletesWith(answerOf(500));
    const { session } = sessionWith(target);
    const name = session.names.plain();
    await session.first.create({ name }, [name]);
    await session.first.list();
    const before = target.instead;
    target.instead = (wire) => (wire.method === 'GET' ? target.listing([]) : before(wire, undefined));
    await expect(removeAll(session.first, session)).resolves.toEqual([]);
  });

  test.each([
    ['made a second tag', () => undefined, (name: string) => name],
    ['made a second tag in capitals', () => undefined, (name: string) => name.toUpperCase()],
    [
      'was refused, because the name was taken',
      () => answerOf(422, { message: 'taken' }),
      (name: string) => name,
    ],
  ])(
    'is nothing where the answer to a create was lost, and the second one %s',
    async (_what, second, kept) => {
      const target = new FakeTarget(stranger);
      const { session } = sessionWith(target);
      await session.first.list();
      session.settling.notePage(1);
      const name = session.names.plain();
      let creates = 0;
      // Lists lag, and those without a filter are pages.
      target.instead = ({ method, path }, made) => {
        if (method === 'GET')
          return creates < 2 || !path.includes('?')
            ? target.listing([['7', 'Rent']])
            : target.listing([...target.tags].filter(([, one]) => one.toLowerCase() === name));
        if (method !== 'POST' || path.endsWith('login')) return undefined;
        if (++creates > 1) return second();
        target.make(kept(made ?? ''));
        return failure('closed');
      };
      const { record } = await session.first.create({ name }, [name]);
      if (record.tagId !== undefined) await session.first.delete(record.tagId);
      await expect(removeAll(session.first, session)).resolves.toEqual([]);
      expect([...target.tags.values()]).toEqual(['Rent']);
    },
  );

  test('is nothing where a stranger had the tag_id before, and no list had shown whose it is', async () => {
    const target = new FakeTarget({ '5': 'Food', '7': 'Rent' });
    const { session } = sessionWith(target);
    await session.first.list();
    target.tags.delete('7');
    // Unfiltered lists are pages that do not reach to the tags of the run.
    const page = ({ method, path }: { method: string; path: string }) =>
      method === 'GET' && !path.includes('?') ? target.listing([['5', 'Food']]) : undefined;
    target.instead = page;
    const [other, name] = [session.names.plain(), session.names.plain()];
    await session.first.create({ name: other }, [other]);
    await session.first.list(filterQuery(other));
    target.newId = () => '7';
    target.instead = (wire) => page(wire) ?? (wire.method === 'GET' ? answerOf(500) : undefined);
    await session.first.create({ name }, [name]);
    target.instead = page;
    await expect(removeAll(session.first, session)).resolves.toEqual([]);
    expect([...target.tags.values()]).toEqual(['Food']);
  });

  test.each([403, 404, 422, 501])(
    'is no create that was answered %i, also where no list can be read',
    async (status) => {
      const target = new FakeTarget();
      target.instead = ({ method, path }) => {
        if (method === 'GET') return answerOf(500);
        return method === 'POST' && path.endsWith('tagging') ? answerOf(status) : undefined;
      };
      const { residue } = await cleanedUp(target);
      expect(residue).toEqual([]);
    },
  );

  test('is no update of an unknown tag that was answered 404, also where no list can be read', async () => {
    const target = new FakeTarget();
    target.instead = ({ method }) =>
      method === 'GET' ? answerOf(500) : method === 'PUT' ? answerOf(404) : undefined;
    const { session } = sessionWith(target);
    const name = session.names.plain();
    await session.first.rename('999', { name }, name);
    await expect(removeAll(session.first, session)).resolves.toEqual([]);
  });

  test('is nothing where lists cannot be read at first, and later can', async () => {
    const target = new FakeTarget();
    const { residue } = await cleanedUp(target, {
      before: () => {
        let unreadable = 5;
        target.instead = ({ method }) => (method === 'GET' && unreadable-- > 0 ? answerOf(500) : undefined);
      },
    });
    expect(residue).toEqual([]);
    expect(target.tags.size).toBe(0);
  });

  test('is nothing where lists show its tag_id under a name around its own: the letters tell whose it is', async () => {
    const target = new FakeTarget();
    target.instead = ({ method }, name) => {
      if (method !== 'POST' || name === undefined) return undefined;
      target.tags.set('5', `<${name}>`);
      return answerOf(200, { tagging: { name, tag_id: '5' } });
    };
    const { residue, deleted } = await cleanedUp(target, { count: 1 });
    expect(residue).toEqual([]);
    expect(deleted).toHaveLength(1);
    expect(target.tags.size).toBe(0);
  });

  test('is never a stranger’s', async () => {
    const target = deletesWith(answerOf(500));
    const { residue, deleted } = await cleanedUp(target);
    expect(JSON.stringify(residue)).not.toContain('Rent');
    expect(deleted.filter((line) => line.endsWith('/7'))).toEqual([]);
  });
});
