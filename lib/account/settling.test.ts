import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf } from '../http/exchange.test.double.ts';
import type { Exchange } from '../http/exchange.ts';
import { Undecided } from '../outcome.ts';
import { Settling, type UntilOptions } from './settling.ts';
import { Signs } from './signs.ts';

const SETTLE_MS = 150;

/** Sleeping takes no time: it only moves the clock on. */
const clock = {
  nowMs: 0,
  now: () => clock.nowMs,
  sleep: (ms: number): Promise<void> => {
    clock.nowMs += ms;
    return Promise.resolve();
  },
};

/** @param forgive called with each exchange of a look that came too early. */
const settlingWith = (signs: Signs, forgive?: (early: Exchange) => void): Settling =>
  new Settling(SETTLE_MS, signs, forgive, clock);

const settling = (): Settling => settlingWith(new Signs());

const listOf = (...tagging: readonly unknown[]): Exchange =>
  exchangeOf(answerOf(200, JSON.stringify({ error: false, tagging })), { operation: 'list', method: 'GET' });

/** Waits for an effect that these looks show by turns, the last of them again and again. Returns how many were taken. */
async function looksFor(
  waiting: Settling,
  options: UntilOptions,
  ...lists: readonly Exchange[]
): Promise<{ looks: number; ms: number }> {
  let looks = 0;
  const started = clock.now();
  await waiting.until(
    () => Promise.resolve({ exchanges: [lists[Math.min(looks++, lists.length - 1)] as Exchange] }),
    ({ exchanges }) => exchanges.some((list) => list === shown),
    options,
  );
  return { looks, ms: clock.now() - started };
}

const shown = listOf({ tag_id: '1', name: 'a' });
const unread = listOf({ tag_id: '1' });
const refused = exchangeOf(answerOf(502), { operation: 'list', method: 'GET' });

describe('an effect that never shows', () => {
  test('is waited for as long as it may take, every time', async () => {
    const waiting = settling();
    for (let time = 0; time < 6; time++)
      expect((await looksFor(waiting, {}, listOf())).ms).toBeGreaterThanOrEqual(SETTLE_MS - 1);
  });

  test('is looked for once more where the last look began before the settle time was over', async () => {
    const began: number[] = [];
    const started = clock.now();
    await settling().until(
      async () => {
        began.push(clock.now() - started);
        await clock.sleep(SETTLE_MS * 0.6);
        return { exchanges: [listOf()] };
      },
      () => false,
    );
    expect(began.at(-1)).toBeGreaterThanOrEqual(SETTLE_MS - 1);
  });

  test('is told with the lists that missed it, where the budget ends before', async () => {
    const lists = [listOf()];
    const error = new Undecided('budget', 'no request is left');
    const looking = settling().until(
      () => {
        const [list] = lists.splice(0, 1);
        return list === undefined ? Promise.reject(error) : Promise.resolve({ exchanges: [list] });
      },
      () => false,
    );
    await expect(looking).rejects.toMatchObject({ outcome: { because: 'budget', exchanges: [{}] } });
    await expect(settling().until(() => Promise.reject(error), Boolean)).rejects.toBe(error);
  });

  test('is known after two looks where lists hold what cannot be read, and three have shown it in vain', async () => {
    const waiting = settling();
    for (let time = 0; time < 3; time++)
      expect((await looksFor(waiting, {}, unread)).ms).toBeGreaterThanOrEqual(SETTLE_MS - 1);
    const { looks, ms } = await looksFor(waiting, {}, unread);
    expect(looks).toBe(2);
    expect(ms).toBeLessThan(SETTLE_MS * 0.8);
    // A list that can be read may still be late.
    expect((await looksFor(waiting, {}, listOf())).ms).toBeGreaterThanOrEqual(SETTLE_MS - 1);
  });

  test('is waited for a shorter time when it is asked for again', async () => {
    const waiting = settling();
    const { ms } = await looksFor(waiting, { isBrief: true }, listOf());
    expect(ms).toBeLessThan(SETTLE_MS * 0.8);
    expect((await looksFor(waiting, {}, listOf())).ms).toBeGreaterThanOrEqual(SETTLE_MS - 1);
  });

  test('is waited for a shorter time where two waits for this kind of effect were in vain', async () => {
    const waiting = settling();
    for (let time = 0; time < 2; time++)
      expect((await looksFor(waiting, { kind: 'gone' }, listOf())).ms).toBeGreaterThanOrEqual(SETTLE_MS - 1);
    expect((await looksFor(waiting, { kind: 'gone' }, listOf())).ms).toBeLessThan(SETTLE_MS * 0.8);
    for (const options of [{}, { kind: 'found' }] as const)
      expect((await looksFor(waiting, options, listOf())).ms).toBeGreaterThanOrEqual(SETTLE_MS - 1);
    await looksFor(waiting, {}, listOf(), shown);
    expect((await looksFor(waiting, { kind: 'gone' }, listOf())).ms).toBeGreaterThanOrEqual(SETTLE_MS - 1);
  });

  test('is waited for as long as before when it is asked for again, where effects have shown late', async () => {
    const waiting = settling();
    await looksFor(waiting, {}, listOf(), shown);
    const { ms } = await looksFor(waiting, { isBrief: true }, listOf());
    expect(ms).toBeGreaterThanOrEqual(SETTLE_MS - 1);
  });
});

test('looks that came too early for an effect are forgiven, and looks for one that never shows are not', async () => {
  const forgiven: Exchange[] = [];
  const waiting = settlingWith(new Signs(), (exchange) => forgiven.push(exchange));
  await looksFor(waiting, {}, listOf());
  expect(forgiven).toEqual([]);
  await looksFor(waiting, {}, listOf(), shown);
  expect(forgiven).toEqual([listOf()]);
});

test('an effect that was missing only in a list that cannot be read has not shown late', async () => {
  const signs = new Signs();
  const waiting = settlingWith(signs);
  for (const list of [unread, refused]) await looksFor(waiting, {}, list, shown);
  expect(signs.of('late-effect')).toEqual([]);
  await looksFor(waiting, {}, listOf(), shown);
  expect(signs.of('late-effect')).toHaveLength(1);
});

test('an effect that was missing only in a list which turns out to be a full page has not shown late', async () => {
  const signs = new Signs();
  const waiting = settlingWith(signs);
  const page = listOf({ tag_id: '2', name: 'b' }, { tag_id: '3', name: 'c' });
  await looksFor(waiting, {}, page, shown);
  await looksFor(waiting, {}, listOf(), shown);
  expect(signs.of('late-effect')).toHaveLength(2);
  waiting.notePage(2);
  expect(signs.of('late-effect')).toHaveLength(1);
  await looksFor(waiting, {}, page, shown);
  expect(signs.of('late-effect')).toHaveLength(1);
});

test('an effect that was missing only in a list of another filter, which never shows it, has not shown late', async () => {
  const signs = new Signs();
  const filtered = (filter: string, ...tagging: readonly unknown[]): Exchange =>
    exchangeOf(answerOf(200, JSON.stringify({ error: false, tagging })), {
      operation: 'list',
      method: 'GET',
      path: `/?tag=${filter}`,
    });
  const looks = [[filtered('a+')], [filtered('a+'), filtered('a', { tag_id: '1', name: 'a' })]];
  let time = 0;
  const { good } = await settlingWith(signs).until(
    () => Promise.resolve({ exchanges: looks[time++] ?? [] }),
    ({ exchanges }) => exchanges.length > 1,
  );
  expect(good).toBe(true);
  expect(signs.of('late-effect')).toEqual([]);
});

test('effects that show only in a later look than the settle time, three times, are waited for no longer', async () => {
  const waiting = settling();
  const early = [listOf(), listOf(), listOf()];
  while ((await looksFor(waiting, {}, shown)).ms < SETTLE_MS - 1)
    await looksFor(waiting, {}, ...early, shown);
  const tooLate = (): Promise<unknown> => looksFor(waiting, {}, listOf(), shown);
  // One pause of the target delays several effects at once.
  await Promise.all([tooLate(), tooLate(), tooLate()]);
  await tooLate();
  expect((await looksFor(waiting, {}, shown)).ms).toBeGreaterThanOrEqual(SETTLE_MS - 1);
  await tooLate();
  expect((await looksFor(waiting, {}, shown)).ms).toBeLessThan(SETTLE_MS / 2);
});
