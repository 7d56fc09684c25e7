import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import pc from 'picocolors';
import { connectTo, conversation, secretsIn } from '../certify.ts';
import { noLedger, processOf } from '../account/ledger.ts';
import { readLedger, type KeptLedger } from '../sweep/leftovers.ts';
import { sweep, type Swept } from '../sweep/sweep.ts';
import { harmless, quote, withShortQuotes } from '../http/wording.ts';
import { EXIT } from '../judging/judge.ts';
import { textIn } from '../given-file.ts';
import { readSettings, type Variable } from '../settings.ts';
import { SettingsError } from '../settings-error.ts';
import { refusePlainHttp, type Targeted } from './targeted.ts';

/**
 * Removes the tags that killed runs left on the target, as their ledgers list them.
 *
 * @param files ledgers; an empty list means all in the report folder whose run has ended.
 * @returns the exit code: 1 if a tag could not be removed. Its ledger is kept.
 * @throws SettingsError if a ledger cannot be used; then nothing was sent.
 */
export async function sweepLedgers(
  files: readonly string[],
  options: { readonly allowHttp?: boolean },
  flags: Partial<Record<Variable, string>>,
): Promise<number> {
  const settings = readSettings({ flags, environment: process.env, envFile: '.env' });
  const ledgers = files.length > 0 ? files : ledgersIn(settings.reportDir);
  if (ledgers.length === 0) {
    process.stdout.write(
      `There is nothing to sweep: no run that has ended left a ledger in ${settings.reportDir}.\n`,
    );
    return EXIT.conforming;
  }
  const { base } = settings;
  if (base === undefined)
    throw new SettingsError(
      'There is no target to sweep: give CONFORMANCE_BASE_URL and the account of the run that left the tags.',
    );
  const targeted = { ...settings, base };
  refusePlainHttp(targeted, options.allowHttp === true);
  const kept = ledgers.map((file) => ({ file, ledger: ledgerIn(file) }));
  let isClean = true;
  for (const { file, ledger } of kept) isClean = (await sweepLedger(file, ledger, targeted)) && isClean;
  return isClean ? EXIT.conforming : EXIT.nonConforming;
}

/**
 * The ledgers of runs that have ended. A run that goes on still needs its own.
 *
 * @throws SettingsError if the folder is there and cannot be read.
 */
function ledgersIn(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new SettingsError(
      `CONFORMANCE_REPORT_DIR is expected to be a folder that can be read (${code}); given was ${JSON.stringify(folder)}.`,
      { cause: error },
    );
  }
  return names.flatMap((name) => {
    const owner = processOf(name);
    if (owner === undefined) return [];
    if (!isRunning(owner)) return join(folder, name);
    process.stdout.write(
      `${name} belongs to process ${owner}, which is still running. Where that is no run of this suite: sweep ${join(folder, name)}\n`,
    );
    return [];
  });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a process has ended and only its entry is left, as in containers whose first process reaps no child. */
function isZombie(pid: number): boolean {
  try {
    // The state follows the name, which may hold parentheses itself (proc(5)).
    return /\) Z [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Sweeps the tags of one ledger. Deletes the ledger and returns true if none is left. */
async function sweepLedger(file: string, ledger: KeptLedger, settings: Targeted): Promise<boolean> {
  const say = (text: string): void => void process.stdout.write(`${basename(file)}: ${text}\n`);
  if (ledger.target !== settings.base.origin) {
    say(
      `its run was against ${harmless(ledger.target)}, not ${settings.base.origin}; give that address as CONFORMANCE_BASE_URL.`,
    );
    return false;
  }
  // A sweep may send as many requests as it needs, whatever the effort of the run.
  const plan = { settings: { ...settings, effort: 'thorough' }, transport: connectTo(settings) } as const;
  const session = conversation(plan, noLedger);
  const all: Swept[] = [];
  try {
    for (const account of ['first', 'second'] as const) {
      const leftovers = ledger.leftovers.filter((one) => one.account === account);
      const of = account === 'first' ? session.first : session.second;
      const why = 'the second account was not given (CONFORMANCE_SECOND_USERNAME)';
      all.push(
        ...(of === undefined
          ? leftovers.map((leftover): Swept => ({ leftover, fate: 'left', why }))
          : await sweep(of, leftovers, session, secretsIn(settings))),
      );
    }
  } finally {
    await session.client.close();
  }
  const count = (fate: Swept['fate']): number => all.filter((one) => one.fate === fate).length;
  say(
    `${count('removed')} tags removed, ${count('gone')} no longer listed${count('left') === 0 ? '' : `, ${pc.bold(String(count('left')))} are left`}.`,
  );
  for (const one of all) {
    if (one.fate !== 'left') continue;
    const { tagId, names } = one.leftover;
    process.stdout.write(
      `     ${withShortQuotes(quote([...names].at(-1)))}${tagId === undefined ? '' : ` (${harmless(tagId)})`}: ${withShortQuotes(harmless(session.masker.text(one.why)))}\n`,
    );
  }
  if (count('left') > 0) return false;
  rmSync(file, { force: true });
  return true;
}

/** @throws SettingsError if the file is no ledger, or not a whole one. */
function ledgerIn(file: string): KeptLedger {
  const ledger = readLedger(textOf(file));
  if (ledger === 'no ledger')
    throw new SettingsError(
      `${file} is not a ledger of this suite; give the path of one, or none for all in the report folder.`,
    );
  if (ledger === 'headless')
    throw new SettingsError(
      `The first line of the ledger ${file} is missing or cut; it names the target, without which no tag is removed. Look for the names in its other lines on the target, then delete the file.`,
    );
  return ledger;
}

function textOf(file: string): string {
  const todo = 'give the path of one, or none for all in the report folder';
  // Reading anything but a file, such as a named pipe, may never end.
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false)
    throw new SettingsError(`The ledger ${file} cannot be read (it is no file); ${todo}.`);
  return textIn(file, `The ledger ${file}`, todo);
}
