import { replayOf } from '../repeating/replay.ts';
import { scriptOf } from '../repeating/script.ts';
import { literal } from '../repeating/template.ts';
import type { ReportedRequirement } from './schema.ts';

/** What starts the suite wherever a report is read. */
const ANYWHERE = 'npx account-mutation-conformance';

/** Where a run writes its report if the tester sets no folder. */
export const USUAL_FILE = 'reports/report.json';

/** How to see a finding again. */
interface Repetition {
  readonly command: string;
  /** A shell script, if there is one. */
  readonly script?: string;
}

/**
 * The command that repeats a finding of a report, and the script that it runs.
 *
 * @param options.file the report as JSON.
 * @param options.command what starts the suite.
 */
export function repetitionOf(
  one: ReportedRequirement,
  target: string,
  { file = USUAL_FILE, command = ANYWHERE }: { readonly file?: string; readonly command?: string } = {},
): Repetition {
  const replay = replayOf(one);
  const made = typeof replay === 'string' ? { why: replay } : scriptOf(replay, target);
  if ('script' in made)
    return { command: `${command} repeat ${shellPath(file)} ${one.id}`, script: made.script };
  const { repeat = `npm start -- --only ${one.id}`, script } = one.example ?? {};
  return {
    command: repeat.replace('npm start --', command),
    ...(script === undefined ? {} : { script }),
  };
}

/** A path for a shell, in quotes if it needs them. */
const shellPath = (path: string): string => (/^[\w./\\:~@+-]+$/.test(path) ? path : literal(path));
