import { describe, expect, test } from 'vitest';
import type { Ledger } from './ledger.ts';
import { readLedger } from './leftovers.ts';
import { Signs } from './signs.ts';
import { Tags } from './tags.ts';

const HEAD = '{"event":"run","target":"https://target.test","startedAt":"2026-01-01T00:00:00.000Z"}';

/** What is left after these events, by the ledger that they write. */
function leftAfter(events: (tags: Tags, second: Tags) => void): unknown {
  const lines = [HEAD];
  const ledger: Ledger = {
    write: (entry, account) => void lines.push(JSON.stringify({ ...entry, account })),
    discard: () => undefined,
  };
  events(new Tags(ledger, 'first', new Signs()), new Tags(ledger, 'second', new Signs()));
  return readLedger(lines.join('\n'))?.leftovers.map(({ account, tagId, names }) => [
    account,
    tagId,
    [...names],
  ]);
}

describe('what a run left behind', () => {
  test('is a create that was about to be sent', () => {
    expect(leftAfter((tags) => tags.intend('a'))).toEqual([['first', undefined, ['a']]]);
  });

  test('is one tag also where its create gives it several names', () => {
    expect(leftAfter((tags) => tags.intend('a', 'b'))).toEqual([['first', undefined, ['a', 'b']]]);
  });

  test('is a tag, under every name that it may have', () => {
    const made = leftAfter((tags) => {
      tags.made(tags.intend('a'), '1');
      tags.renaming('1', 'b');
    });
    expect(made).toEqual([['first', '1', ['a', 'b']]]);
  });

  test('is no tag that was removed, and no create that was refused', () => {
    const none = leftAfter((tags) => {
      const record = tags.intend('a');
      tags.made(record, '1');
      tags.removed(record);
      tags.absent(
        () => false,
        () => true,
      );
      tags.refused(tags.intend('b'));
    });
    expect(none).toEqual([]);
  });

  test('is the later of two tags that had the same id', () => {
    const reused = leftAfter((tags) => {
      const record = tags.intend('a');
      tags.made(record, '1');
      tags.removed(record);
      tags.absent(
        () => false,
        () => true,
      );
      tags.made(tags.intend('b'), '1');
    });
    expect(reused).toEqual([['first', '1', ['b']]]);
  });

  test('is told for each account, which may hold the same ids', () => {
    const both = leftAfter((tags, second) => {
      const record = tags.intend('a');
      tags.made(record, '1');
      second.made(second.intend('b'), '1');
      tags.removed(record);
      tags.absent(
        () => false,
        () => true,
      );
    });
    expect(both).toEqual([['second', '1', ['b']]]);
  });

  test('is told also where the last line was cut off', () => {
    const text = `${HEAD}\n{"event":"intent","key":0,"name":"a","account":"first"}\n{"event":"made","key":0,"tag`;
    expect(readLedger(text)?.leftovers).toHaveLength(1);
  });

  test.each(['', 'text', '{}', '[1]', 'null', '{"event":"intent","key":0,"name":"a"}'])(
    'is not told by %j',
    (text) => {
      expect(readLedger(text)).toBeUndefined();
    },
  );
});
