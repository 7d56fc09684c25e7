import pc from 'picocolors';
import type { Result } from '../run/results.ts';
import { EXIT } from '../judging/judge.ts';
import { progressLine } from '../reports/terminal.ts';

/** Tells the user where to find the tags of a run that did not remove them. */
export const SWEEP_HINT =
  'The ledger in the report folder lists the tags that the run made; npm start -- sweep removes them, with the same settings.';

const SAME_KEYSTROKE_MS = 500;

/**
 * Handles the signals of the user. The first one ends the run in order, the second one at once.
 *
 * @returns a function that stops handling them.
 */
export function onSignals(interrupt: () => void): () => void {
  let before = 0;
  const handle = (): void => {
    // The terminal sends a Ctrl-C to all processes, and npm passes it on: one keystroke may come as two signals.
    if (before > 0 && performance.now() - before < SAME_KEYSTROKE_MS) return;
    if (before > 0) {
      process.stderr.write(`Ended at once. ${SWEEP_HINT}\n`);
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

/**
 * Shows results as they come: on a terminal one line that counts, elsewhere one line for each requirement. Of those that
 * could not be decided for one and the same reason only the first has a line.
 */
export function liveProgress(total: number): {
  readonly show: (result: Pick<Result, 'outcome' | 'verdict'> & { requirement: { id: string } }) => void;
  readonly end: () => void;
} {
  const isTerminal = process.stdout.isTTY;
  const reasons = new Set<string>();
  let done = 0;
  let further = 0;
  const write = (text: string): void => void process.stdout.write(text);
  return {
    show: ({ requirement: { id }, outcome, verdict }) => {
      done++;
      if (isTerminal) return write(`\r\x1b[2K${done} of ${total}  ${id}`);
      if (verdict === 'error' && outcome.kind === 'undecided') {
        if (reasons.has(outcome.why)) return void further++;
        reasons.add(outcome.why);
      }
      write(`${progressLine({ id, verdict }, pc)}\n`);
    },
    end: () => {
      if (isTerminal) return write('\r\x1b[2K');
      const many =
        further === 0
          ? ''
          : `${progressLine({ id: `${further} more for the same reason`, verdict: 'error' }, pc)}\n`;
      write(`${many}\n`);
    },
  };
}
