import pc from 'picocolors';
import { EXIT } from '../judging/judge.ts';
import { sentenceLines } from '../reports/cause-lines.ts';
import type { ReportedRequirement } from '../reports/schema.ts';
import { progressLine } from '../reports/terminal.ts';
import { wrapped } from '../reports/wrapping.ts';
import { startedBy } from './started-by.ts';

/**
 * Tells the user where to find the tags of a run that did not remove them.
 *
 * @param isCheckout whether the suite runs from its repository.
 */
export const sweepHint = (isCheckout: boolean): string =>
  `The ledger in the report folder lists the tags that the run made; ${startedBy(isCheckout)} sweep removes them, with the same settings.`;

/** How long a further signal counts as the same keystroke. On a busy machine npm takes a while to pass it on. */
const SAME_KEYSTROKE_MS = { alone: 500, underNpm: 3_000 };

/**
 * Handles the signals of the user. The first one ends the run in order, the second one at once.
 *
 * @param isCheckout whether the suite runs from its repository.
 * @returns a function that stops handling them.
 */
export function onSignals(interrupt: () => void, isCheckout: boolean): () => void {
  const isUnderNpm = process.env['npm_lifecycle_event'] !== undefined;
  const sameMs = SAME_KEYSTROKE_MS[isUnderNpm ? 'underNpm' : 'alone'];
  let before = 0;
  const handle = (): void => {
    // The terminal sends a Ctrl-C to all processes, and npm passes it on: one keystroke may come as two signals.
    if (before > 0 && performance.now() - before < sameMs) return;
    if (before > 0) {
      process.stderr.write(`Ended at once. ${sweepHint(isCheckout)}\n`);
      process.exit(EXIT.interrupted);
    }
    before = performance.now();
    process.stderr.write(
      'Interrupted: removing the tags of the run. Press Ctrl-C once more to end at once.\n',
    );
    interrupt();
  };
  process.on('SIGINT', handle);
  process.on('SIGTERM', handle);
  return () => {
    process.off('SIGINT', handle);
    process.off('SIGTERM', handle);
  };
}

/** Where progress is shown, and how much of it. */
interface Screen {
  readonly columns: number;
  /** Whether a line can be written over in place. */
  readonly redraws: boolean;
  /** Whether every result has a line. */
  readonly isVerbose: boolean;
  readonly write: (text: string) => void;
}

/** The most characters of a line where the output is no terminal. */
const COLUMNS = 100;
const MOST_COLUMNS = 120;

/** What this process writes to. In continuous integration and on dumb terminals nothing is written over. */
export function screenOf(isVerbose: boolean): Screen {
  const { stdout, env } = process;
  const isCapable = env['TERM'] !== 'dumb' && (env['CI'] ?? '') === '';
  const given = stdout.isTTY ? stdout.columns : Number(env['COLUMNS'] ?? '');
  return {
    columns: Math.min(given > 0 ? given : COLUMNS, MOST_COLUMNS),
    redraws: stdout.isTTY && isCapable,
    isVerbose,
    write: (text) => void stdout.write(text),
  };
}

/** What the progress line shows beside the results. */
export interface Course {
  readonly total: number;
  /** Requests sent so far. */
  readonly sent: () => number;
  /** Milliseconds since the run began, and until its time limit. */
  readonly elapsedMs: () => number;
  readonly leftMs: () => number;
}

/** How a result is shown. A known failure does not count as failed. */
type Shown = Pick<ReportedRequirement, 'id' | 'verdict' | 'reason' | 'known'>;

/** Failures are shown before the end only if a run takes longer: a shorter one soon shows them beneath their causes. */
const LONG_MS = 10_000;

/** The most failures that are shown before the end. */
const MOST_FAILURES = 5;

const CLEAR = '\r\x1b[2K';
const REDRAW_MS = 1_000;

/**
 * Shows the first failures of a long run and, if the terminal can redraw a line, a running count below them. With
 * `--verbose`, shows a line for each result instead; of undecided requirements with the same reason, only the first
 * gets one.
 */
export function liveProgress(
  { columns, redraws, isVerbose, write }: Screen,
  { total, sent, elapsedMs, leftMs }: Course,
): {
  readonly show: (result: Shown) => void;
  /** Shows a sentence about the course of the run. */
  readonly note: (sentence: string) => void;
  readonly end: () => void;
} {
  const reasons = new Set<string>();
  /** Failures that are not shown yet. */
  const waiting: string[] = [];
  let shown = 0;
  let done = 0;
  let failed = 0;
  let further = 0;
  const draw = (): void => {
    if (redraws) write(`${CLEAR}${counted().slice(0, columns - 1)}`);
  };
  const counted = (): string =>
    `${done} of ${total} done, ${failed} failed, ${sent()} requests, at most ${minutes(leftMs())} left`;
  const print = (text: string): void => write(`${redraws ? CLEAR : ''}${text}\n`);
  const printResult = ({ id, verdict, reason }: Shown): void => {
    if (verdict === 'error' && reasons.has(reason)) return void further++;
    if (verdict === 'error') reasons.add(reason);
    print(progressLine({ id, verdict }, pc));
  };
  const printFailures = (): void => {
    for (const text of waiting.splice(0)) {
      shown++;
      if (shown <= MOST_FAILURES) print(text);
      else if (shown === MOST_FAILURES + 1) print('The end shows all failures with their causes.');
    }
  };
  const show = (result: Shown): void => {
    const { id, verdict, reason, known } = result;
    const isFailure = verdict === 'fail' && known === undefined;
    done++;
    if (isFailure) failed++;
    if (isVerbose) printResult(result);
    else {
      if (isFailure) waiting.push(sentenceLines(id, reason, { columns, colors: pc }).join('\n'));
      if (elapsedMs() > LONG_MS) printFailures();
    }
    draw();
  };
  // Results may be far apart, but the counts of requests and time go on.
  const timer = redraws ? setInterval(draw, REDRAW_MS) : undefined;
  timer?.unref();
  const note = (sentence: string): void => {
    for (const line of wrapped(sentence, columns, '', '  ')) print(line);
    draw();
  };
  return {
    show,
    note,
    end: () => {
      clearInterval(timer);
      if (further > 0)
        print(progressLine({ id: `${further} more for the same reason`, verdict: 'error' }, pc));
      if (redraws) write(CLEAR);
      if (isVerbose || shown > 0) write('\n');
    },
  };
}

/** A time as minutes and seconds, such as `9:05`. */
function minutes(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
