import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { intercepting, type Change } from '../../fixtures/fixture.ts';
import { freshAccounts } from '../../fixtures/reference/accounts.ts';
import { Reference, type Tag } from '../../fixtures/reference/reference.ts';
import { serve, type Serving } from '../../fixtures/reference/serve.ts';
import { fileLedger } from '../account/ledger.ts';
import { conversation } from '../certify.ts';
import { readSettings } from '../settings.ts';
import { sweepLedgers } from './sweep.ts';

/** What a killed run left: the server, its ledger, and a way to sweep in this process. */
interface LeftBehind {
  readonly ledger: string;
  /** Tags of the account that were not there before the run. */
  readonly left: () => readonly Tag[];
  readonly sweep: (...files: string[]) => Promise<{ readonly code: number; readonly printed: string }>;
}

let folder: string;
let serving: Serving | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sweep-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await serving?.close();
  rmSync(folder, { recursive: true });
});

/** Makes tags of these names as a run does, and does not remove them. */
async function leaveBehind(
  password: string,
  names: readonly string[],
  change: Change = (Base) => Base,
): Promise<LeftBehind> {
  const [one, second] = freshAccounts();
  const first = { ...one, password };
  const Changed = change(Reference);
  const server = new Changed([first, second]).seeded();
  const before = new Set(server.of(first.username).map((tag) => tag.tag_id));
  serving = await serve(server, { tls: false });
  vi.stubEnv('CONFORMANCE_PASSWORD', password);
  const flags = {
    CONFORMANCE_BASE_URL: serving.url,
    CONFORMANCE_USERNAME: first.username,
    CONFORMANCE_REPORT_DIR: folder,
    CONFORMANCE_SETTLE_MS: '20',
  };
  const settings = readSettings({ flags, environment: process.env, envFile: '' });
  const base = new URL(serving.url);
  const ledger = join(folder, 'ledger-20260101T000000000Z-999999.jsonl');
  const session = conversation({ settings: { ...settings, base } }, fileLedger(ledger, base.origin));
  await session.first.list();
  for (const name of names) await session.first.create({ name }, [name]);
  await session.client.close();
  return {
    ledger,
    left: () => server.of(first.username).filter(({ tag_id }) => !before.has(tag_id)),
    sweep: async (...files) => {
      let printed = '';
      const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
        printed += String(text);
        return true;
      });
      const code = await sweepLedgers(files, {}, flags);
      write.mockRestore();
      return { code, printed };
    },
  };
}

describe('a ledger of a run whose password is a word of the ledger', () => {
  test.each(['name', 'event', 'removed', 'made', 'intent', 'first', 'account', 'run', 'key', 'tag_id'])(
    'or the name of a tag (%s) is read back, and all its tags are removed',
    async (password) => {
      const names = ['ctabcdefghijkl', password, `${password} and more`];
      const { ledger, left, sweep } = await leaveBehind(password, names);
      expect(left().map(({ name }) => name)).toEqual(names);
      const kept = readFileSync(ledger, 'utf8').trimEnd().split('\n');
      const values = kept.flatMap((line) => Object.values(JSON.parse(line) as Record<string, unknown>));
      expect(values).toContain('$PASSWORD');
      const { code, printed } = await sweep();
      expect(printed).toMatch(/: 3 tags removed, 0 no longer listed\.\n$/);
      expect(code).toBe(0);
      expect(left()).toEqual([]);
      expect(existsSync(ledger)).toBe(false);
    },
  );
});

describe('a sweep that removes less than all', () => {
  test('keeps the ledger, names each tag that is left without the password, and ends with 1', async () => {
    const password = 'Word-of-the-account';
    let refusesDeletes = true;
    const { ledger, left, sweep } = await leaveBehind(
      password,
      ['ctabcdefghijkl', password],
      intercepting(({ method, url }) =>
        method === 'DELETE' && refusesDeletes && url.endsWith(ids[1] ?? '-')
          ? Response.json({}, { status: 500 })
          : undefined,
      ),
    );
    const ids = left().map(({ tag_id }) => tag_id);
    const { code, printed } = await sweep(ledger);
    expect(code).toBe(1);
    expect(printed).toContain(': 1 tags removed, 0 no longer listed, ');
    expect(printed).toContain(`"$PASSWORD" (${ids[1]}): it was deleted, but is still listed`);
    expect(printed).not.toContain(password);
    expect(existsSync(ledger)).toBe(true);
    refusesDeletes = false;
    expect((await sweep(ledger)).code).toBe(0);
    expect(left()).toEqual([]);
  });
});

describe('a ledger that cannot be used', () => {
  test('is reported before another one removes anything', async () => {
    const { ledger, left, sweep } = await leaveBehind('Word-of-the-account', ['ctabcdefghijkl']);
    const cut = join(folder, 'ledger-20260102T000000000Z-999999.jsonl');
    writeFileSync(cut, readFileSync(ledger, 'utf8').split('\n').slice(1).join('\n'));
    await expect(sweep()).rejects.toThrow(`The first line of the ledger ${cut} is missing or cut`);
    expect(left()).toHaveLength(1);
    expect(existsSync(ledger)).toBe(true);
  });

  test('may be a folder, or a file that does not exist', async () => {
    const { sweep } = await leaveBehind('Word-of-the-account', []);
    await expect(sweep(folder)).rejects.toThrow(/^The ledger .* cannot be read/);
    await expect(sweep(join(folder, 'none'))).rejects.toThrow(/^The ledger .* cannot be read \(ENOENT/);
  });
});
