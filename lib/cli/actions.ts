import { randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileProblem } from '../folder.ts';
import { harmless } from '../http/wording.ts';
import { counted, wholenessLack } from '../reports/certainty.ts';
import type { Report } from '../reports/schema.ts';

/** The most errors that GitHub shows for one step. */
const MOST_ANNOTATIONS = 10;

/** The most bytes of a step summary; GitHub refuses a longer one. */
const LONGEST_SUMMARY = 1_024 * 1_024;

const CUT = '\n\nThe rest is in the reports.\n';

/** What a run reports to GitHub Actions. */
export interface Actions {
  /** Calls `end`, then annotates the job and writes the outputs and the summary. The reports must be written. */
  readonly tell: (report: Report, reportDir: string) => void;
  /** Makes the runner obey commands in the output again. */
  readonly end: () => void;
}

/**
 * Makes the runner of GitHub Actions ignore commands in the output from here on: text of the target at the start of a
 * line could look like a command. The commands are described at
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions.
 *
 * @returns undefined if this process does not run in GitHub Actions.
 */
export function startActions(environment: NodeJS.ProcessEnv): Actions | undefined {
  if (environment['GITHUB_ACTIONS'] !== 'true') return undefined;
  // Nobody can guess the word that makes the runner read commands again.
  const word = randomBytes(16).toString('hex');
  let isStopped = true;
  const end = (): void => {
    if (isStopped) process.stdout.write(`::${word}::\n`);
    isStopped = false;
  };
  process.stdout.write(`::stop-commands::${word}\n`);
  return {
    end,
    tell: (report, reportDir) => {
      end();
      process.stdout.write(annotationsOf(report));
      append(environment['GITHUB_OUTPUT'], outputsOf(report, join(reportDir, 'report.json')));
      append(environment['GITHUB_STEP_SUMMARY'], summaryIn(reportDir));
    },
  };
}

/** One annotation for each cause of failure, and one for what kept the run from a verdict. */
export function annotationsOf(report: Report): string {
  const { causes, requirements, obstacle, verdict, fault, target } = report;
  const lack = wholenessLack(report);
  const found = causes.map(({ id, explains }) => {
    const one = requirements.find((one) => one.id === id);
    const more =
      explains.length === 0
        ? ''
        : ` (${counted(explains.length, 'more finding follows', 'more findings follow')} from it)`;
    return annotation(id, `${one?.reason ?? ''}${more}`, one?.known === undefined ? 'error' : 'notice');
  });
  if (fault !== undefined) found.unshift(annotation('fault of the suite', fault.split('\n')[0] ?? ''));
  else if (obstacle !== undefined && found.length === 0)
    found.push(annotation(obstacle.step, `${target}: ${obstacle.slip ?? obstacle.why}`));
  else if (verdict === 'inconclusive' && found.length === 0)
    found.push(annotation('inconclusive', 'The run could not decide whether the target conforms.'));
  else if (lack !== undefined) found.push(annotation('partial', lack));
  const shown = found.length > MOST_ANNOTATIONS ? found.slice(0, MOST_ANNOTATIONS - 1) : found;
  if (shown.length < found.length)
    shown.push(annotation('more causes', `${found.length - shown.length} more are in the reports.`));
  return shown.join('');
}

/** An annotation. A `notice` reports a failure that a list of known failures accepts. */
const annotation = (title: string, text: string, kind: 'error' | 'notice' = 'error'): string =>
  `::${kind} title=${property(title)}::${data(text)}\n`;

/** Escapes the text of a command. */
const data = (text: string): string =>
  harmless(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** Escapes the value of a command's property. */
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** The outputs of the step, for later steps. */
function outputsOf({ verdict, exitCode }: Report, report: string): string {
  const outputs = { verdict, report, 'exit-code': String(exitCode) };
  // A random delimiter, because the report folder may have any name.
  const mark = randomBytes(16).toString('hex');
  return Object.entries(outputs)
    .map(([name, value]) => `${name}<<${mark}\n${value}\n${mark}\n`)
    .join('');
}

/** The summary for the page of the job; empty if the run has written none. */
function summaryIn(reportDir: string): string {
  let summary: Buffer;
  try {
    summary = readFileSync(join(reportDir, 'summary.md'));
  } catch (error) {
    if (fileProblem(error) === undefined) throw error;
    return '';
  }
  if (summary.length <= LONGEST_SUMMARY) return summary.toString();
  const start = summary.subarray(0, LONGEST_SUMMARY - CUT.length).toString();
  return `${start.slice(0, start.lastIndexOf('\n'))}${CUT}`;
}

/** Appends to a file of the runner. A failure to write does not change the verdict. */
function append(file: string | undefined, text: string): void {
  if (file === undefined || file === '' || text === '') return;
  try {
    appendFileSync(file, text);
  } catch (error) {
    const problem = fileProblem(error);
    if (problem === undefined) throw error;
    process.stderr.write(`A file of GitHub Actions cannot be written (${problem}).\n`);
  }
}
