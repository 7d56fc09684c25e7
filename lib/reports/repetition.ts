import { replayOf } from '../repeating/replay.ts';
import { scriptOf } from '../repeating/script.ts';
import type { ReportedRequirement } from './schema.ts';

/** What starts the suite wherever the report is read. */
const COMMAND = 'npx account-mutation-conformance';

/** How to see a finding again. */
interface Repetition {
  readonly command: string;
  /** A shell script, if there is one. */
  readonly script?: string;
}

/** The command that repeats a finding of a report, and the script that it runs. */
export function repetitionOf(one: ReportedRequirement, target: string): Repetition {
  const replay = replayOf(one);
  const made = typeof replay === 'string' ? { why: replay } : scriptOf(replay, target);
  if ('script' in made)
    return { command: `${COMMAND} repeat reports/report.json ${one.id}`, script: made.script };
  const { repeat = `npm start -- --only ${one.id}`, script } = one.example ?? {};
  return {
    command: repeat.replace('npm start --', COMMAND),
    ...(script === undefined ? {} : { script }),
  };
}
