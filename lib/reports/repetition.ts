import { replayOf } from '../repeating/replay.ts';
import { scriptOf } from '../repeating/script.ts';
import { literal } from '../repeating/template.ts';
import type { ReportedRequirement } from './schema.ts';

/** What starts the suite wherever a report is read. */
const ANYWHERE = 'npx account-mutation-conformance';

/** Where a run writes its report if the tester sets no folder. */
export const USUAL_FILE = 'reports/report.json';

/** The shell script that repeats a finding; undefined if there is none. */
export const repeatScript = (one: ReportedRequirement, target: string): string | undefined =>
  replayScript(one, target) ?? one.example?.script;

/**
 * The command that repeats a finding.
 *
 * @param file the report with the finding.
 * @param command what starts the suite.
 */
export function repeatCommand(
  one: ReportedRequirement,
  target: string,
  file: string,
  command = ANYWHERE,
): string {
  if (replayScript(one, target) !== undefined) return `${command} repeat ${shellPath(file)} ${one.id}`;
  return one.example?.repeat.replace('npm start --', command) ?? `${command} --only ${one.id}`;
}

function replayScript(one: ReportedRequirement, target: string): string | undefined {
  const replay = replayOf(one);
  const made = typeof replay === 'string' ? undefined : scriptOf(replay, target);
  return made !== undefined && 'script' in made ? made.script : undefined;
}

/** A path for a shell, in quotes if it needs them. */
const shellPath = (path: string): string => (/^[\w./\\:~@+-]+$/.test(path) ? path : literal(path));
