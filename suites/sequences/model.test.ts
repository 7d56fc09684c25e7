import { describe, expect, test } from 'vitest';
import { compare, init, step, type Account, type AnsweredOperation, type KnownChoices } from './model.ts';

const UNKNOWN: KnownChoices = { sameNameTwice: undefined, keepsNames: undefined };

/** The account after these operations. Expects that the model finds no fault in their answers. */
function after(...operations: readonly AnsweredOperation[]): Account {
  return operations.reduce((account, operation) => {
    const next = step(account, operation, UNKNOWN);
    expect(next.fault).toBeUndefined();
    return next.account;
  }, init);
}

const create = (name: string, tagId: string): AnsweredOperation => ({
  do: 'create',
  name,
  status: 200,
  tagId,
});
const rename = (tagId: string, name: string, status = 200): AnsweredOperation => ({
  do: 'rename',
  tagId,
  name,
  status,
});
const remove = (tagId: string, status = 200): AnsweredOperation => ({ do: 'delete', tagId, status });
const faultOf = (account: Account, operation: AnsweredOperation, choices = UNKNOWN): string | undefined =>
  step(account, operation, choices).fault;

const one = after(create('a', '1'));
const deleted = after(create('a', '1'), remove('1'));

describe('the account after an operation', () => {
  test('has a tag under its last name', () => {
    expect(after(create('a', '1'), rename('1', 'b'), rename('1', 'a')).tags).toEqual(new Map([['1', 'a']]));
  });

  test('is unchanged if the operation was refused', () => {
    expect(after(create('a', '1'), create('b', '2'), rename('1', 'b', 409))).toEqual(
      after(create('a', '1'), create('b', '2')),
    );
  });

  test('has no tag after its delete, and one again if the id is reused', () => {
    expect(deleted.tags.size).toBe(0);
    expect(after(create('a', '1'), remove('1'), create('b', '1')).tags).toEqual(new Map([['1', 'b']]));
  });

  test('leaves the account before unchanged', () => {
    step(one, remove('1'), UNKNOWN);
    expect(one.tags).toEqual(new Map([['1', 'a']]));
  });
});

describe('an answer is wrong if it', () => {
  test('refuses a name that no tag has or had', () => {
    expect(faultOf(init, { do: 'create', name: 'a', status: 422 })).toContain('answered 422');
    expect(faultOf(one, rename('1', 'b', 422))).toContain('the name is free');
  });

  test('refuses a former name of the same tag', () => {
    expect(faultOf(after(create('a', '1'), rename('1', 'b')), rename('1', 'a', 409))).toContain(
      'answered 409',
    );
  });

  test('refuses a former name of the same tag, unless names stay taken', () => {
    const account = after(create('a', '1'), rename('1', 'b'));
    const faults = [true, false].map((keepsNames) =>
      faultOf(account, rename('1', 'a', 422), { ...UNKNOWN, keepsNames }),
    );
    expect(faults).toEqual([undefined, expect.stringContaining('answered 422')]);
  });

  test('gives a tag_id twice', () => {
    expect(faultOf(one, create('b', '1'))).toContain('named "a"');
    expect(faultOf(one, create('a', '1'), { ...UNKNOWN, sameNameTwice: true })).toContain('named "a"');
  });

  test('refuses to delete an existing tag, or confirms a second delete', () => {
    expect(faultOf(one, remove('1', 500))).toContain('answered 500');
    expect(faultOf(deleted, remove('1'))).toContain('answered 200, not 404');
    expect(faultOf(deleted, remove('1', 410))).toContain('answered 410, not 404');
  });
});

describe('the model accepts', () => {
  test.each<[string, Account, AnsweredOperation]>([
    ['the refusal of a create with a taken name', one, { do: 'create', name: 'a', status: 422 }],
    ['a create that is answered with the existing tag of that name', one, create('a', '1')],
    [
      'the refusal of a create with the name of a deleted tag',
      deleted,
      { do: 'create', name: 'a', status: 409 },
    ],
    ['the refusal of an update to the same name', one, rename('1', 'a', 422)],
    [
      'the refusal of an update to a taken name',
      after(create('a', '1'), create('b', '2')),
      rename('2', 'a', 409),
    ],
    [
      'the refusal of an update to the name of a deleted tag that had the same tag_id',
      after(create('a', '1'), remove('1'), create('b', '1')),
      rename('1', 'a', 409),
    ],
    ['the refusal of an update of a deleted tag', deleted, rename('1', 'b', 404)],
  ])('%s', (_, account, operation) => {
    const next = step(account, operation, UNKNOWN);
    expect(next.fault).toBeUndefined();
    expect(next.account).toEqual(account);
  });

  test.each([200, 500])(
    'a deleted tag both with and without the effect of an update answered %d',
    (status) => {
      const uncertain = after(create('a', '1'), remove('1'), rename('1', 'b', status));
      expect(compare(uncertain, [], new Set(['a', 'b']))).toEqual({ missing: [] });
      expect(compare(uncertain, [{ tagId: '1', name: 'b' }], new Set(['a', 'b']))).toEqual({ missing: [] });
      // The service assigns tag_ids, so the update may have made a tag with a new one.
      expect(compare(uncertain, [{ tagId: '2', name: 'b' }], new Set(['a', 'b']))).toEqual({ missing: [] });
      expect(faultOf(uncertain, remove('1', 200))).toBeUndefined();
      expect(faultOf(uncertain, remove('1', 404))).toBeUndefined();
    },
  );
});

describe('a list', () => {
  const names = new Set(['a', 'b']);
  const two = after(create('a', '1'), create('b', '2'));

  test('agrees with the account, also if it shows tags of strangers', () => {
    const shown = [
      { tagId: '1', name: 'a' },
      { tagId: '2', name: 'b' },
      { tagId: '9', name: 'groceries' },
    ];
    expect(compare(two, shown, names)).toEqual({ missing: [] });
  });

  test('lacks an existing tag that it does not show', () => {
    expect(compare(two, [{ tagId: '1', name: 'a' }], names).missing).toEqual([{ tagId: '2', name: 'b' }]);
    expect(compare(two, [{ tagId: '1', name: 'a' }], names, 'a').missing).toEqual([]);
  });

  test('is wrong if it shows a tag under another name, a deleted tag, or a tag that was never made', () => {
    expect(compare(one, [{ tagId: '1', name: 'b' }], names).fault).toContain('"a" as "b"');
    expect(compare(deleted, [{ tagId: '1', name: 'a' }], names).fault).toContain('that was deleted');
    expect(compare(one, [{ tagId: '7', name: 'b' }], names).fault).toContain('that was never made');
  });

  test('is wrong if it shows the effect of a refused update of a deleted tag', () => {
    const refused = after(create('a', '1'), remove('1'), rename('1', 'b', 404));
    expect(compare(refused, [{ tagId: '1', name: 'b' }], names).fault).toContain('that was deleted');
  });

  test('is right if it shows a tag of a stranger with the id of a deleted one', () => {
    expect(compare(deleted, [{ tagId: '1', name: 'groceries' }], names)).toEqual({ missing: [] });
  });
});
