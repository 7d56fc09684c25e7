import { describe, expect, test } from 'vitest';
import type { Ledger } from '../account/ledger.ts';
import { readLedger, type Leftover } from './leftovers.ts';
import { Signs } from '../account/signs.ts';
import { Tags } from '../account/tags.ts';

const HEAD = '{"event":"run","target":"https://target.test","startedAt":"2026-01-01T00:00:00.000Z"}';

/** What a ledger says is left. */
function leftoversIn(text: string): readonly Leftover[] {
  const ledger = readLedger(text);
  if (typeof ledger === 'string') throw new Error(ledger);
  return ledger.leftovers;
}

/** What is left after these events, by the ledger that they write. */
function leftAfter(events: (tags: Tags, second: Tags) => void): unknown {
  const lines = [HEAD];
  const ledger: Ledger = {
    write: (entry, account) => void lines.push(JSON.stringify({ ...entry, account })),
    discard: () => undefined,
  };
  events(new Tags(ledger, 'first', new Signs(), 0), new Tags(ledger, 'second', new Signs(), 0));
  return leftoversIn(lines.join('\n')).map(({ account, tagId, names }) => [account, tagId, [...names]]);
}

/** A tag that was made, and removed, as a list shows. */
function madeAndRemoved(tags: Tags): void {
  const record = tags.intend('a');
  tags.made(record, '1');
  tags.removed(record);
  tags.absent(
    () => false,
    ({ names }) => [...names],
  );
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
      madeAndRemoved(tags);
      tags.refused(tags.intend('b'));
    });
    expect(none).toEqual([]);
  });

  test('is the later of two tags that had the same id', () => {
    const reused = leftAfter((tags) => {
      madeAndRemoved(tags);
      tags.made(tags.intend('b'), '1');
    });
    expect(reused).toEqual([['first', '1', ['b']]]);
  });

  test('is no tag whose tag_id a younger one had when lists no longer showed it', () => {
    const reused = leftAfter((tags) => {
      const older = tags.intend('a');
      tags.made(older, '1');
      tags.removed(older);
      tags.made(tags.intend('b'), '1');
      tags.absent(
        () => false,
        ({ names }) => [...names],
      );
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
        ({ names }) => [...names],
      );
    });
    expect(both).toEqual([['second', '1', ['b']]]);
  });

  test('is told also where the last line was cut off', () => {
    const text = `${HEAD}\n{"event":"intent","key":0,"name":"a","account":"first"}\n{"event":"made","key":0,"tag`;
    expect(leftoversIn(text)).toHaveLength(1);
  });

  test.each([
    ['', 'no ledger'],
    ['text', 'no ledger'],
    ['{}', 'no ledger'],
    ['[1]\n{"event":"other"}', 'no ledger'],
    ['null', 'no ledger'],
    ['{"event":"intent","key":0,"name":"a"}', 'headless'],
    ['\n{"event":"removed","tag_id":"7"}\n', 'headless'],
    ['{"event":"run","target":"https://tar', 'headless'],
    ['{"eve', 'headless'],
    [
      '{"event":"run","tar{"event":"intent","key":0,"name":"a"}\n{"event":"intent","key":1,"name":"b"}',
      'headless',
    ],
  ] as const)('is not told by %j: %s', (text, expected) => {
    expect(readLedger(text)).toBe(expected);
  });

  test('is told beside the tags that had a name of the run before, in the same account', () => {
    const strange = ['first', 'second'].map((account, at) => ({
      event: 'strange',
      tag_id: `${at}`,
      account,
    }));
    const intent = { event: 'intent', key: 0, name: 'null', account: 'second' };
    const lines = [HEAD, ...[...strange, intent].map((line) => JSON.stringify(line))];
    expect(leftoversIn(lines.join('\n'))).toMatchObject([{ account: 'second', strange: new Set(['1']) }]);
  });

  test('is told by the lines that have the form of an entry', () => {
    const lines = ['null', '7', '{"event":"intent","key":0}', '{"event":"other"}'];
    const good = '{"event":"intent","key":1,"name":"b"}';
    expect(leftoversIn([HEAD, ...lines, good].join('\n'))).toMatchObject([
      { account: 'first', names: new Set(['b']) },
    ]);
  });
});
