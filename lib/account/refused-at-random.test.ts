import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf } from '../http/exchange.test.double.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Finding } from '../outcome.ts';
import { Names } from './names.ts';
import { isRefusedUnduly, noteRefusedCreates, noteRefusedUpdates } from './refused-at-random.ts';
import { Signs } from './signs.ts';
import { OwnedTag } from './tag-record.ts';

/** What a target knows when a create arrives, by the clock of this test. */
interface State {
  readonly now: number;
  /** The number of creates before this one. */
  readonly creates: number;
  /** When tags were made, and deleted if they were. */
  readonly tags: readonly { readonly madeAt: number; readonly removedAt: number }[];
}

/** Creates tags one after another, and deletes up to twelve of them at a time, as checks do, and returns the signs. */
function signsOf(
  refuses: (state: State) => boolean,
  {
    status = 422,
    beside,
    areTaken = false,
    areFoundGone = false,
    makeNone = false,
  }: {
    readonly status?: number;
    readonly beside?: number;
    readonly areTaken?: boolean;
    /** Whether no delete is known, and lists show some time later that a tag is gone. */
    readonly areFoundGone?: boolean;
    /** Whether some creates with another token are answered 200 with an error, and make no tag. */
    readonly makeNone?: boolean;
  } = {},
): Signs {
  const names = new Names();
  const records: OwnedTag[] = [];
  const tags: { madeAt: number; removedAt: number; record: OwnedTag }[] = [];
  let now = 0;
  for (let creates = 0; creates < 300; creates++) {
    now += 20 + ((creates * 7) % 23);
    const isRefused = refuses({ now, creates, tags });
    const [taken = ''] = tags.at(0)?.record.names ?? [];
    const name = isRefused && areTaken ? taken : names.plain();
    const parts = { operation: 'create', method: 'POST', body: JSON.stringify({ name }) } as const;
    const exchange: Exchange = {
      ...exchangeOf(answerOf(isRefused ? status : 200), parts),
      startedAt: now - 1,
      durationMs: 2,
      ...(beside === undefined ? {} : { beside }),
    };
    const record = Object.assign(new OwnedTag(creates, [name]), { intendedAt: now - 1 });
    records.push(record);
    if (isRefused) Object.assign(record, { state: 'refused', refusal: exchange });
    else {
      Object.assign(record, { state: 'alive', creation: exchange });
      tags.push({ madeAt: now, removedAt: Infinity, record });
    }
    if (makeNone && creates % 10 === 0)
      records.push(
        Object.assign(new OwnedTag(creates, [name]), {
          intendedAt: now - 1,
          creation: exchange,
          isUnfound: true,
        }),
      );
    const living = tags.filter(({ removedAt }) => removedAt === Infinity);
    // Checks make between one and twelve tags before they delete them.
    if (living.length <= creates % 12) continue;
    for (const tag of living) {
      now += 10;
      tag.removedAt = now;
      const removal = { ...exchangeOf(answerOf(200), { operation: 'delete' }), startedAt: now };
      Object.assign(tag.record, {
        state: 'removed',
        removedAt: now + 0.5,
        ...(areFoundGone ? { removedAt: now + 400 } : { removal }),
      });
    }
  }
  const signs = new Signs();
  noteRefusedCreates([records, []], signs);
  return signs;
}

const counted = ({ tags, now }: State, forMs: number): number =>
  tags.filter(({ removedAt }) => removedAt + forMs > now).length;

describe('creates are refused at random', () => {
  test.each([422, 400])('if every eleventh is answered %d', (status) => {
    const signs = signsOf(({ creates }) => creates % 11 === 10, { status });
    expect(signs.of('create-refused')).toHaveLength(27);
    expect(signs.of('create-refused')[0]?.why).toMatch(
      /^the create of the new name "\w{14}" answered 4\d\d, /,
    );
  });
});

describe('creates are not refused at random', () => {
  test.each<[string, Parameters<typeof signsOf>]>([
    ['if the account is full of tags of others, so that all are', [() => true]],
    ['if two are', [({ creates }) => creates === 60 || creates === 90]],
    ['if each of them overlaps with another request', [({ creates }) => creates % 11 === 10, { beside: 1 }]],
    ['if their name is taken', [({ creates }) => creates % 11 === 10, { areTaken: true }]],
    ['if they may be about the token', [({ creates }) => creates % 11 === 10, { status: 403 }]],
    ['if there may be eight tags', [(state) => counted(state, 0) >= 8]],
    [
      'if there may be eight tags, and tags are found to be gone later',
      [(state) => counted(state, 0) >= 8, { areFoundGone: true }],
    ],
    [
      'if there may be eight tags, and errors are answered 200',
      [(state) => counted(state, 0) >= 8, { makeNone: true }],
    ],
    [
      'if there may be fifteen tags, and deleted ones count for 500 ms',
      [(state) => counted(state, 500) >= 15],
    ],
    [
      'if there may be 60 tags, and deleted ones count for 3 333 ms',
      [(state) => counted(state, 3_333) >= 60],
    ],
    ['if 200 creates are allowed in all', [({ tags }) => tags.length >= 200]],
  ])('%s', (_, [refuses, how]) => {
    let count = 0;
    const signs = signsOf((state) => {
      const isRefused = refuses(state);
      if (isRefused) count++;
      return isRefused;
    }, how);
    expect(count).toBeGreaterThan(1);
    expect(signs.of('create-refused')).toEqual([]);
  });
});

describe('updates that are refused', () => {
  const path = '/api/v2/tagging/7';
  const deleted: Exchange = {
    ...exchangeOf(answerOf(200), { operation: 'delete', method: 'DELETE', path }),
    startedAt: 50,
  };
  const tagOf = (parts: Partial<OwnedTag> = {}): OwnedTag =>
    Object.assign(new OwnedTag(1, ['a']), { state: 'alive', isSeen: true, removal: deleted, ...parts });
  const refused = (status: number, name: string, beside?: number): Exchange => ({
    ...exchangeOf(answerOf(status), {
      operation: 'rename',
      method: 'PUT',
      path,
      body: JSON.stringify({ name }),
    }),
    ...(beside === undefined ? {} : { beside }),
  });
  const noted = (exchanges: readonly Exchange[], tag = tagOf()): readonly Finding[] => {
    const signs = new Signs();
    const refusedUpdates = exchanges.map((exchange) => ({ tag, exchange }));
    noteRefusedUpdates([{ refusedUpdates, tags: { records: [tag] } }], signs);
    return signs.of('update-refused');
  };
  const count = (...args: Parameters<typeof noted>): number => noted(...args).length;
  const plain = new Names().plain();

  test('count if there are three, and one did not overlap', () => {
    const [alone, beside] = [refused(404, plain), refused(404, plain, 1)];
    expect(count([alone, beside, beside])).toBe(3);
    expect(count([alone, beside])).toBe(0);
    expect(count([beside, beside, beside])).toBe(0);
  });

  test('count with 403 if no update of the account was accepted', () => {
    const forbidden = Array<Exchange>(3).fill(refused(403, plain));
    expect(count(forbidden)).toBe(3);
    const accepting = tagOf();
    accepting.updates.push({ name: plain, sentAt: 10, exchange: { ...refused(200, plain), startedAt: 10 } });
    expect(count(forbidden, accepting)).toBe(0);
    expect(count(Array<Exchange>(3).fill(refused(404, plain)), accepting)).toBe(3);
  });

  test('are told by one to a plain name, if there is one', () => {
    const update = refused(404, plain);
    expect(noted([refused(404, ''), update, refused(404, '@')])[0]?.exchanges[0]?.ask).toBe(update.ask);
  });

  test.each([
    ['no list has shown the tag', tagOf({ isSeen: false })],
    ['the tag may have been gone', tagOf({ removal: undefined })],
    [
      'the tag had another tag_id later',
      tagOf({ removal: { ...deleted, ask: { ...deleted.ask, path: '/api/v2/tagging/8' } } }),
    ],
  ])('count for nothing if %s', (_, tag) => {
    expect(count(Array<Exchange>(3).fill(refused(404, plain)), tag)).toBe(0);
  });

  test('are unduly refused if nothing is wrong with them', () => {
    expect(isRefusedUnduly(tagOf(), refused(422, plain), plain)).toBe(true);
    expect(isRefusedUnduly(tagOf(), refused(404, '@'), '@')).toBe(true);
    expect(isRefusedUnduly(tagOf(), refused(422, '@'), '@')).toBe(false);
    expect(isRefusedUnduly(tagOf(), refused(403, plain), plain)).toBe(false);
    expect(isRefusedUnduly(tagOf(), refused(403, plain), plain, true)).toBe(true);
    expect(isRefusedUnduly(tagOf(), refused(403, '@'), '@', true)).toBe(false);
    expect(isRefusedUnduly(tagOf({ mayBeGone: true }), refused(404, plain), plain)).toBe(false);
  });
});
