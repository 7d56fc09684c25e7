import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { processOf } from '../account/ledger.ts';
import { harmless } from '../http/wording.ts';
import { EXIT, type Verdict } from '../judging/judge.ts';
import { compare, readSide, type Side } from '../reports/comparing.ts';
import type { Page } from '../reports/finding-lines.ts';
import type { Report } from '../reports/schema.ts';
import { painted } from '../reports/verdict-words.ts';
import { wrapped } from '../reports/wrapping.ts';
import { Presence } from './presence.ts';
import type { Targeted } from './targeted.ts';

/** One run of a watched certification. */
interface Round {
  readonly report: Report;
  readonly exitCode: number;
}

export interface Watching {
  readonly settings: Targeted;
  /**
   * Certifies once.
   *
   * @param isFirst whether everything is printed, as without `--watch`.
   * @param onStart is given a function that ends the run early.
   */
  readonly round: (isFirst: boolean, onStart: (interrupt: () => void) => void) => Promise<Round>;
  /** Removes the tags that a run left because the server went away during it. */
  readonly sweep: (ledgers: readonly string[]) => Promise<unknown>;
  readonly page: Page;
}

/** The verdicts so far. A run that is cut short adds nothing, and a skipped requirement keeps its verdict. */
interface Known {
  readonly side: Side;
  readonly verdict: Report['verdict'];
  readonly exitCode: number;
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/**
 * Certifies the target each time that it comes back, and prints the verdicts that changed, until the user ends it.
 *
 * @returns the exit code of the last whole run; 130 if the user interrupts a run.
 */
export async function watch({ settings, round, sweep, page }: Watching): Promise<number> {
  const presence = new Presence(settings);
  const { origin } = settings.base;
  let known: Known | undefined;
  let isHintGiven = false;
  for (;;) {
    if (!(await thereBeforeTheEnd(presence, origin))) return known?.exitCode ?? EXIT.interrupted;
    const leftLedgers = ownLedgers(settings.reportDir);
    if (leftLedgers.length > 0) await sweep(leftLedgers);
    const { report, exitCode, wentAway } = await whileThere(presence, (onStart) =>
      round(known === undefined, onStart),
    );
    if (report.ended === 'interrupted' && !wentAway) return exitCode;
    if (wentAway) say(`${origin} went away during the run, which decides nothing.`);
    else {
      for (const line of changesIn(report, known, page)) say(line);
      if (report.ended === 'whole' || known === undefined) known = knownAfter(report, exitCode, known);
    }
    if (!wentAway && !isHintGiven) {
      say(`Watching ${origin}. It is certified when it comes back; Enter does it now, Ctrl-C ends.`);
      isHintGiven = true;
    }
    if (!wentAway && (await nextEvent(presence, origin)) === 'end') return known?.exitCode ?? exitCode;
  }
}

/** Waits for a server that is away; false if the user ended the wait. */
async function thereBeforeTheEnd(presence: Presence, origin: string): Promise<boolean> {
  const waiting = new AbortController();
  const notice = setTimeout(() => say(`Waiting for ${origin} to accept connections.`), 1_000);
  const { ended, stop } = userEvents();
  const there = presence.until('there', waiting.signal).then(() => true);
  try {
    return await Promise.race([there, ended.then(() => false)]);
  } finally {
    clearTimeout(notice);
    waiting.abort();
    stop();
  }
}

/** Certifies once. Ends the run if the server goes away: it is being restarted, and the next run counts. */
async function whileThere(
  presence: Presence,
  round: (onStart: (interrupt: () => void) => void) => Promise<Round>,
): Promise<Round & { readonly wentAway: boolean }> {
  const over = new AbortController();
  let wentAway = false;
  const interruptIfUnreachable = async (interrupt: () => void): Promise<void> => {
    await presence.untilUnreachable(over.signal);
    if (over.signal.aborted) return;
    wentAway = true;
    interrupt();
  };
  const done = await round((interrupt) => {
    void interruptIfUnreachable(interrupt);
  });
  over.abort();
  return { ...done, wentAway };
}

/** Waits until the server was away and is back, or the user wants another run or none. */
async function nextEvent(presence: Presence, origin: string): Promise<'again' | 'end'> {
  const waiting = new AbortController();
  const { ended, asked, stop } = userEvents();
  const back = presence
    .until('away', waiting.signal)
    .then(() => {
      if (!waiting.signal.aborted) say(`${origin} is away.`);
      return presence.until('there', waiting.signal);
    })
    .then(() => 'again' as const);
  try {
    return await Promise.race([back, asked.then(() => 'again' as const), ended.then(() => 'end' as const)]);
  } finally {
    waiting.abort();
    stop();
  }
}

/** What the user does while no run is under way: Enter in a terminal, or a signal. */
function userEvents(): {
  readonly asked: Promise<void>;
  readonly ended: Promise<void>;
  readonly stop: () => void;
} {
  const { stdin } = process;
  let ask: () => void = () => undefined;
  let end: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (ask = resolve));
  const ended = new Promise<void>((resolve) => (end = resolve));
  // Only a terminal: any other standard input is for another program.
  if (stdin.isTTY) stdin.on('data', ask).resume();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
  return {
    asked,
    ended,
    stop: () => {
      if (stdin.isTTY) stdin.off('data', ask).pause();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end);
    },
  };
}

function sideOf(report: Report): Side {
  const side = readSide('report', JSON.stringify(report));
  if (side === undefined) throw new Error('a report cannot be read as one');
  return side;
}

function knownAfter(report: Report, exitCode: number, before: Known | undefined): Known {
  const side = sideOf(report);
  const told = [...side.verdicts].filter(
    ([id, verdict]) => verdict !== 'skipped' || !before?.side.verdicts.has(id),
  );
  const verdicts = new Map<string, Verdict>([...(before?.side.verdicts ?? []), ...told]);
  return { side: { ...side, verdicts }, verdict: report.verdict, exitCode };
}

/** The verdicts and answers that a run changed, one in a paragraph; failures with their reasons. */
function changesIn(report: Report, before: Known | undefined, { columns, colors }: Page): string[] {
  if (before === undefined) return [];
  const time = colors.dim(new Date().toTimeString().slice(0, 8));
  if (report.ended !== 'whole')
    return [`${time} The run was ${report.ended}; ${harmless(report.obstacle?.why ?? 'see the report')}.`];
  const now = knownAfter(report, 0, before).side;
  const differences = compare(before.side, now);
  const verdict =
    report.verdict === before.verdict ? report.verdict : `${report.verdict}, was ${before.verdict}`;
  const count =
    differences.length === 1 ? '1 verdict or answer' : `${differences.length || 'no'} verdicts or answers`;
  return [
    `${time} ${count} changed: ${colors.bold(verdict)}`,
    ...differences.flatMap(({ what, was, now: is }) => {
      const one = report.requirements.find(({ id }) => id === what);
      const reason = one === undefined || one.reason === '' || is === 'observed' ? '' : `: ${one.reason}`;
      const lines = wrapped(harmless(`${what}: ${is}, was ${was}${reason}`), columns, '  ', '     ');
      return one === undefined ? lines : lines.map((line) => painted(one.verdict, line, colors));
    }),
  ];
}

/** The ledgers that this process left. */
function ownLedgers(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && processOf(entry.name) === process.pid)
    .map(({ name }) => join(folder, name));
}
