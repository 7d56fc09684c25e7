import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerOf } from '../http/exchange.test.double.ts';
import { filePage, Ledger, type Page } from './ledger.ts';
import { FakeTarget, sessionWith } from './session.test.double.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const entries = (path: string): unknown[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line));

/** A ledger whose lines stay at hand. */
function kept(): { ledger: Ledger; lines: unknown[] } {
  const lines: unknown[] = [];
  const page: Page = { write: (line) => lines.push(JSON.parse(line)), discard: () => (lines.length = 0) };
  return { ledger: new Ledger(page), lines };
}

describe('a page in a file', () => {
  test('starts with the run, and holds each line as soon as it is written', () => {
    const path = join(folder, 'a', 'b', 'ledger.jsonl');
    const page = filePage(path, 'https://target.test');
    expect(entries(path)).toEqual([
      { event: 'run', target: 'https://target.test', startedAt: expect.any(String) as string },
    ]);
    page.write('{"event":"intent"}');
    expect(entries(path)[1]).toEqual({ event: 'intent' });
  });

  test('is for nobody else to read', () => {
    const path = join(folder, 'private.jsonl');
    filePage(path, 'https://target.test');
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  test('is gone once it is discarded, and can be discarded again', () => {
    const path = join(folder, 'gone.jsonl');
    const page = filePage(path, 'https://target.test');
    page.discard();
    expect(existsSync(path)).toBe(false);
    page.discard();
  });
});

describe('what a run does to its tags', () => {
  test('is on disk before the request goes out', async () => {
    const path = join(folder, 'session.jsonl');
    const target = new FakeTarget();
    const seen: unknown[][] = [];
    target.instead = ({ method }) => {
      if (method === 'POST' || method === 'PUT') seen.push(entries(path).slice(1));
      return undefined;
    };
    const { session } = sessionWith(target, { page: filePage(path, 'https://target.test') });
    const name = 'hostile\n"name"\u2028\uD800';
    await session.account.token();
    const { record } = await session.create({ name }, name);
    await session.rename('101', { name: 'new name' }, 'new name');
    await session.list();
    await session.remove(record);
    const intent = { event: 'intent', key: 0, name };
    const made = { event: 'made', key: 0, tag_id: '101' };
    const renaming = { event: 'renaming', tag_id: '101', name: 'new name' };
    expect(seen).toMatchObject([[], [intent], [intent, made, renaming]]);
    expect(entries(path).slice(1)).toMatchObject([
      intent,
      made,
      renaming,
      { event: 'removed', tag_id: '101' },
    ]);
  });

  test('is told of a create that was refused, too', async () => {
    const target = new FakeTarget();
    target.instead = ({ method, path }) =>
      method === 'POST' && path.endsWith('tagging') ? answerOf(422) : undefined;
    const path = join(folder, 'refused.jsonl');
    const { session } = sessionWith(target, { page: filePage(path, 'https://target.test') });
    await session.create({}, '');
    expect(entries(path).slice(1)).toMatchObject([
      { event: 'intent', key: 0, name: '' },
      { event: 'refused', key: 0 },
    ]);
  });

  test.each([500, 503])('stays open where the answer is %i, which may have made a tag', async (status) => {
    const target = new FakeTarget();
    target.instead = ({ path, method }) =>
      method === 'POST' && path.endsWith('tagging') ? answerOf(status) : undefined;
    const { session } = sessionWith(target);
    const { record } = await session.create({ name: 'a' }, 'a');
    expect(record.state).toBe('pending');
  });
});

describe('a ledger', () => {
  test('knows a tag by every name and by its id, as long as it lives', () => {
    const { ledger } = kept();
    const record = ledger.intend('old');
    expect(ledger.named('old')).toBe(record);
    expect(ledger.living('1')).toBeUndefined();
    ledger.made(record, '1');
    expect(ledger.living('1')).toBe(record);
    ledger.renaming('1', 'new');
    expect(ledger.named('old')).toBe(record);
    expect(ledger.named('new')).toBe(record);
    ledger.removed(record);
    expect(ledger.living('1')).toBeUndefined();
  });

  test('gives each tag a key of its own, in the order of the intents', () => {
    const { ledger } = kept();
    expect(['a', 'a', 'b'].map((name) => ledger.intend(name).key)).toEqual([0, 1, 2]);
    expect(ledger.records.map(({ key }) => key)).toEqual([0, 1, 2]);
  });

  test('writes what it knows already once', () => {
    const { ledger, lines } = kept();
    const record = ledger.intend('a');
    ledger.made(record, '1');
    ledger.made(record, '1');
    ledger.refused(record);
    expect(lines).toHaveLength(2);
    expect(record.state).toBe('alive');
  });

  test('forgets an id that turned out to be somebody else’s', () => {
    const { ledger } = kept();
    const record = ledger.intend('a');
    ledger.made(record, '1');
    ledger.disowned(record, 'Rent');
    expect(ledger.living('1')).toBeUndefined();
    expect(record).toMatchObject({ state: 'pending' });
    expect(record).not.toHaveProperty('tagId');
  });

  test('discards its page', () => {
    const { ledger, lines } = kept();
    ledger.intend('a');
    ledger.discard();
    expect(lines).toEqual([]);
  });
});
