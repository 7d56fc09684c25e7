import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerOf } from '../http/exchange.test.double.ts';
import { fileLedger } from './ledger.ts';
import { FakeTarget, sessionWith } from '../run/session.test.double.ts';

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

describe('a ledger in a file', () => {
  test('starts with the run, and holds each line as soon as it is written', () => {
    const path = join(folder, 'a', 'b', 'ledger.jsonl');
    const ledger = fileLedger(path, 'https://target.test');
    expect(entries(path)).toEqual([
      { event: 'run', target: 'https://target.test', startedAt: expect.any(String) as string },
    ]);
    ledger.write({ event: 'intent', key: 0, name: 'a' }, 'second');
    expect(entries(path)[1]).toEqual({ event: 'intent', key: 0, name: 'a', account: 'second' });
  });

  test('is for nobody else to read', () => {
    const path = join(folder, 'private.jsonl');
    fileLedger(path, 'https://target.test');
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  test('is gone once it is discarded, and can be discarded again', () => {
    const path = join(folder, 'gone.jsonl');
    const ledger = fileLedger(path, 'https://target.test');
    ledger.discard();
    ledger.discard();
    // What is still under way may write to a ledger that nobody needs any more.
    ledger.write({ event: 'refused', key: 0 }, 'first');
    expect(existsSync(path)).toBe(false);
  });
});

describe('a ledger whose file is removed by somebody', () => {
  test('comes back whole with the next line', () => {
    const path = join(folder, 'removed', 'ledger.jsonl');
    const ledger = fileLedger(path, 'https://target.test');
    ledger.write({ event: 'intent', key: 0, name: 'a' }, 'first');
    rmSync(join(folder, 'removed'), { recursive: true });
    ledger.write({ event: 'made', key: 0, tag_id: '7' }, 'first');
    expect(entries(path)).toMatchObject([{ event: 'run' }, { event: 'intent' }, { event: 'made' }]);
  });

  test('and cannot be written again keeps tags from being made, and no others from being removed', async () => {
    const path = join(folder, 'replaced', 'ledger.jsonl');
    const target = new FakeTarget();
    const ledger = fileLedger(path, 'https://target.test');
    const { session } = sessionWith(target, { ledger });
    const { record } = await session.first.create({ name: 'ctabcdefghijkl' }, ['ctabcdefghijkl']);
    rmSync(join(folder, 'replaced'), { recursive: true });
    writeFileSync(join(folder, 'replaced'), '');
    const sent = target.sent.length;
    await expect(session.first.create({ name: 'ctbcdefghijklm' }, ['ctbcdefghijklm'])).rejects.toThrow(
      /^the ledger cannot be written \(E\w+: .+\), and no tag is made without it$/,
    );
    expect(target.sent).toHaveLength(sent);
    expect(session.first.tags.records).toEqual([record]);
    await session.first.list();
    await session.first.remove(record);
    await session.first.list();
    expect(record.state).toBe('removed');
    expect(target.tags.size).toBe(0);
    ledger.discard();
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
    const { session } = sessionWith(target, { ledger: fileLedger(path, 'https://target.test') });
    const name = 'ctabcdefghijkl hostile\n"name"\u2028\uD800';
    await session.first.logins.token();
    const { record } = await session.first.create({ name }, [name]);
    await session.first.rename('101', { name: 'new name' }, 'new name');
    await session.first.list();
    await session.first.remove(record);
    expect(entries(path).at(-1)).toMatchObject({ event: 'renaming' });
    // Only a list without the tag shows that it is gone.
    await session.first.list();
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
    const { session } = sessionWith(target, { ledger: fileLedger(path, 'https://target.test') });
    await session.first.create({}, ['']);
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
    const { record } = await session.first.create({ name: 'ctbcdefghijklm' }, ['ctbcdefghijklm']);
    expect(record.state).toBe('intended');
  });
});
