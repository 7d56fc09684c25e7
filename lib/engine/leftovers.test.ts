import { describe, expect, test } from 'vitest';
import { Ledger, type Page } from './ledger.ts';
import { readLedger } from './leftovers.ts';

const HEAD = '{"event":"run","target":"https://target.test","startedAt":"2026-01-01T00:00:00.000Z"}';

/** What is left after these events, by the ledger that they write. */
function leftAfter(events: (ledger: Ledger, second: Ledger) => void): unknown {
  const lines = [HEAD];
  const page: Page = { write: (line) => void lines.push(line), discard: () => undefined };
  events(new Ledger(page), new Ledger(page, 'second'));
  return readLedger(lines.join('\n'))?.leftovers.map(({ account, tagId, names }) => [
    account,
    tagId,
    [...names],
  ]);
}

describe('what a run left behind', () => {
  test('is a create that was about to be sent', () => {
    expect(leftAfter((ledger) => ledger.intend('a'))).toEqual([['first', undefined, ['a']]]);
  });

  test('is one tag also where its create gives it several names', () => {
    expect(leftAfter((ledger) => ledger.intend('a', 'b'))).toEqual([['first', undefined, ['a', 'b']]]);
  });

  test('is a tag, under every name that it may have', () => {
    const made = leftAfter((ledger) => {
      ledger.made(ledger.intend('a'), '1');
      ledger.renaming('1', 'b');
    });
    expect(made).toEqual([['first', '1', ['a', 'b']]]);
  });

  test('is no tag that was removed, and no create that was refused', () => {
    const none = leftAfter((ledger) => {
      const record = ledger.intend('a');
      ledger.made(record, '1');
      ledger.removed(record);
      ledger.refused(ledger.intend('b'));
    });
    expect(none).toEqual([]);
  });

  test('is the later of two tags that had the same id', () => {
    const reused = leftAfter((ledger) => {
      const record = ledger.intend('a');
      ledger.made(record, '1');
      ledger.removed(record);
      ledger.made(ledger.intend('b'), '1');
    });
    expect(reused).toEqual([['first', '1', ['b']]]);
  });

  test('is told for each account, which may hold the same ids', () => {
    const both = leftAfter((ledger, second) => {
      const record = ledger.intend('a');
      ledger.made(record, '1');
      second.made(second.intend('b'), '1');
      ledger.removed(record);
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
