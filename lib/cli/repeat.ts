import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { EXIT } from '../judging/judge.ts';
import { replayOf } from '../repeating/replay.ts';
import { scriptOf } from '../repeating/script.ts';
import { reportSchema, type Report } from '../reports/report.ts';
import { idsIn } from '../reports/finding-lines.ts';
import { nearest } from '../selection.ts';
import { isFolder } from '../folder.ts';
import { jsonIn, textIn } from '../given-file.ts';
import type { Variable } from '../settings.ts';
import { SettingsError } from '../settings-error.ts';
import { startedBy } from './started-by.ts';

/** The most findings that a message names. */
const MOST_IDS = 10;

export interface RepeatFlags {
  /** Prints the script and sends nothing. */
  readonly script?: boolean;
  readonly allowHttp?: boolean;
}

/**
 * Sends again what decided a finding of a report, and tells whether the fault is still there.
 *
 * @param file a report, or a folder that holds one.
 * @param id of the finding; by default the one that leads the first cause.
 * @param flags settings from the command line, which override the environment and `.env`.
 * @param isCheckout whether the suite runs from its repository, which is started by another command.
 * @returns the exit code: 1 if the fault is there, 0 if the requests do not show it, 3 if that could not be decided.
 */
export async function repeat(
  file: string,
  id: string | undefined,
  options: RepeatFlags,
  flags: Partial<Record<Variable, string>>,
  isCheckout: boolean,
): Promise<number> {
  const report = readReport(file);
  const finding = findingIn(report, file, id);
  const replay = replayOf(finding);
  const made = typeof replay === 'string' ? { why: replay } : scriptOf(replay, report.target);
  if ('why' in made) {
    const { repeat: again = `npm start -- --only ${finding.id}` } = finding.example ?? {};
    const command = again.replace('npm start --', startedBy(isCheckout));
    throw new SettingsError(
      `No script repeats ${finding.id}: ${made.why}. Check the requirement again: ${command}`,
    );
  }
  if (options.script === true) {
    process.stdout.write(made.script);
    return EXIT.conforming;
  }
  const fromFile = existsSync('.env') ? parse(readFileSync('.env')) : {};
  const environment: NodeJS.ProcessEnv = {
    ...fromFile,
    ...process.env,
    ...flags,
    ...(options.allowHttp === true ? { ALLOW_HTTP: '1' } : {}),
  };
  for (const name of ['CONFORMANCE_USERNAME', 'CONFORMANCE_PASSWORD'])
    if ((environment[name] ?? '') === '')
      throw new SettingsError(
        `${name} is missing: repeating a finding needs the account; set it in the environment or in .env.`,
      );
  process.stdout.write(`${askingLine(environment['CONFORMANCE_BASE_URL'], report.target)}\n`);
  const code = await runScript(made.script, environment);
  return code === 0 || code === 1 ? code : EXIT.inconclusive;
}

/** Names the server, because an answer of another server proves nothing about the one in the report. */
function askingLine(given: string | undefined, ofReport: string): string {
  const base = given === undefined || given === '' ? ofReport : given;
  const bare = (address: string): string => address.replace(/\/$/, '').replace(/\/api\/v2$/, '');
  return bare(base) === bare(ofReport)
    ? `Sending to ${bare(base)}.`
    : `Sending to ${bare(base)}, but the report is of ${ofReport}.`;
}

function readReport(file: string): Report {
  const path = isFolder(file) ? join(file, 'report.json') : file;
  const read = reportSchema.safeParse(jsonIn(textIn(path, file, 'give report.json or a folder with it')));
  if (!read.success)
    throw new SettingsError(
      `${file} is no report of this version of the suite; give the report.json of a run.`,
    );
  return read.data;
}

function findingIn(
  { requirements, causes, verdict }: Report,
  file: string,
  id: string | undefined,
): Report['requirements'][number] {
  const findings = requirements.filter((one) => one.verdict === 'fail' || one.verdict === 'warn');
  const wanted = id ?? causes[0]?.id;
  if (wanted === undefined) {
    const warnings = findings.length === 0 ? '' : ` Its warnings are repeated by id: ${idsOf(findings)}.`;
    throw new SettingsError(
      `There is nothing to repeat: the run in ${file} was ${verdict}, and nothing failed.${warnings}`,
    );
  }
  const found = findings.find((one) => one.id === wanted);
  if (found !== undefined) return found;
  const guess = nearest(
    wanted,
    findings.map((one) => one.id),
  );
  throw new SettingsError(
    `${JSON.stringify(wanted)} is no finding of ${file}. ${guess === undefined ? `Its findings are: ${idsOf(findings) || 'none'}.` : `Did you mean ${guess}?`}`,
  );
}

const idsOf = (findings: Report['requirements']): string =>
  idsIn(
    findings.map((one) => one.id),
    MOST_IDS,
  );

/** Runs a script, with its output on the output of this process. Resolves with its exit code. */
function runScript(script: string, environment: NodeJS.ProcessEnv): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const shell = spawn('sh', ['-s'], { env: environment, stdio: ['pipe', 'pipe', 'inherit'] });
    shell.stdout.on('data', (part: Buffer) => process.stdout.write(part));
    shell.once('error', (error) =>
      reject(new SettingsError('A POSIX shell (sh) is needed to repeat a finding.', { cause: error })),
    );
    shell.once('close', resolve);
    shell.stdin.end(script);
  });
}
