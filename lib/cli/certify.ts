import pc from 'picocolors';
import { certification, connectTo } from '../certify.ts';
import { questionsOf, readDeclaration, type Declaration } from '../declaration.ts';
import { fileProblem } from '../folder.ts';
import { becomesReady } from '../http/patience.ts';
import { withoutReports } from '../judging/judge.ts';
import { readKnownFailures, type KnownFailures } from '../known-failures/list.ts';
import type { Side } from '../reports/comparing.ts';
import type { Report } from '../reports/schema.ts';
import { terminalReport } from '../reports/terminal.ts';
import { refuseUnwritable, writeReports } from '../reports/write.ts';
import type { Requirement } from '../requirement.ts';
import { nearest, select } from '../selection.ts';
import { readSettings, VARIABLES, type Variable } from '../settings.ts';
import { SettingsError } from '../settings-error.ts';
import { catalogue } from '../../suites/index.ts';
import { saysOf } from '../../suites/sentences.ts';
import { startActions } from './actions.ts';
import { sideIn } from './compare.ts';
import { liveProgress, onSignals, screenOf } from './live.ts';
import { optionsIn, saidIn } from './said.ts';
import { startedBy } from './started-by.ts';
import { refusePlainHttp, type Targeted } from './targeted.ts';
import { refuseToOverwrite } from './new-file.ts';
import { withReference } from './with-reference.ts';
import { writeDeclaration } from './writing-declaration.ts';
import { writeKnownFailures } from './writing-known-failures.ts';

export interface CertifyFlags {
  readonly only?: readonly string[];
  readonly reference?: boolean;
  readonly allowHttp?: boolean;
  readonly requireWhole?: boolean;
  /** Prints all verdicts and all observations. */
  readonly verbose?: boolean;
  /** Ends the run after this many failures; `true`: after the first. */
  readonly bail?: number | true;
  /** Certifies again each time that the target comes back. */
  readonly watch?: boolean;
  /** Selects one case of the one selected requirement. */
  readonly path?: string;
  readonly declare?: string;
  readonly writeDeclaration?: string;
  readonly knownFailures?: string;
  readonly writeKnownFailures?: string;
  /** An earlier report, to compare with in the summary. */
  readonly since?: string;
  /** Milliseconds. */
  readonly waitReady?: number;
  readonly product?: string;
  readonly productVersion?: string;
  readonly operator?: string;
}

/**
 * Work that follows once the reports of a run are written.
 *
 * @param folder the report folder.
 * @returns the text to print, and the exit code that replaces the run's.
 * @throws Error with a code if a file cannot be written.
 */
export type Afterwards = (
  report: Report,
  folder: string,
) => Promise<{ readonly text: string; readonly code: number }>;

/** What the arguments of a run select and declare. */
interface Given {
  readonly chosen: ReturnType<typeof select>;
  readonly declared: Declaration | undefined;
  readonly known: KnownFailures | undefined;
  /** An earlier run, which the summary compares with. */
  readonly since: Side | undefined;
  readonly afterwards: Afterwards | undefined;
}

/**
 * Certifies the target or the reference, then prints and writes the reports.
 *
 * @param fallBack whether to certify the reference if no target is given.
 * @param afterwards runs if all reports could be written.
 * @returns the exit code.
 */
export async function certify(
  options: CertifyFlags,
  flags: Partial<Record<Variable, string>>,
  fallBack: boolean,
  afterwards?: Afterwards,
): Promise<number> {
  const settings = readSettings({ flags, environment: process.env, envFile: '.env' });
  for (const name of settings.unknown) {
    const guess = nearest(name, VARIABLES);
    const hint = guess === undefined ? '' : ` Did you mean ${guess}?`;
    process.stderr.write(`${name} is set, but is not a setting of this suite.${hint}\n`);
  }
  const chosen = select(catalogue, options.only ?? []);
  refusePath(options.path, chosen.selected);
  const since = options.since === undefined ? undefined : sideIn(options.since);
  const declared =
    options.declare === undefined ? undefined : readDeclaration(options.declare, questionsOf(catalogue));
  const known = options.knownFailures === undefined ? undefined : readKnownFailures(options.knownFailures);
  refuseToOverwrite('--write-declaration', options.writeDeclaration);
  refuseToOverwrite('--write-known-failures', options.writeKnownFailures);
  const given: Given = { chosen, declared, known, since, afterwards };
  if (options.reference === true && settings.base !== undefined) {
    throw new SettingsError(
      '--reference and CONFORMANCE_BASE_URL exclude each other; give only one of them.',
    );
  }
  if (settings.base !== undefined) {
    const targeted = { ...settings, base: settings.base };
    refusePlainHttp(targeted, options.allowHttp === true);
    // This comes first, because even waiting for the target sends something.
    refuseUnwritable(settings.reportDir);
    if (options.watch === true) {
      const [{ watch }, { sweepLedgers }] = await Promise.all([import('./watch.ts'), import('./sweep.ts')]);
      return watch({
        settings: targeted,
        round: (isFirst, onStart) =>
          runAndReport(targeted, options, given, fallBack, { isQuiet: !isFirst, onStart }),
        sweep: (ledgers) => sweepLedgers(ledgers, options, flags),
        page: { ...screenOf(false), colors: pc },
      });
    }
    if (options.waitReady !== undefined) await waitReady(targeted, options.waitReady);
    return (await runAndReport(targeted, options, given, fallBack)).exitCode;
  }
  if (options.watch === true)
    throw new SettingsError('--watch needs a server that you start and stop; give CONFORMANCE_BASE_URL.');
  if (options.reference !== true && !fallBack) {
    throw new SettingsError(
      'There is no target: give CONFORMANCE_BASE_URL, CONFORMANCE_USERNAME and CONFORMANCE_PASSWORD, or --reference for the embedded reference server.',
    );
  }
  refuseUnwritable(settings.reportDir);
  process.stdout.write(
    options.reference === true
      ? 'The target is the embedded reference server.\n\n'
      : 'No target is given (CONFORMANCE_BASE_URL), so the embedded reference server is certified.\n\n',
  );
  return withReference(
    settings,
    async (targeted) => (await runAndReport(targeted, options, given, fallBack)).exitCode,
  );
}

/** @throws SettingsError if `--path` is not a path, or not one requirement with generated cases is selected. */
function refusePath(path: string | undefined, selected: readonly Requirement[]): void {
  if (path === undefined) return;
  if (!/^\d+(:\d+)*$/.test(path))
    throw new SettingsError(
      `--path is expected to be numbers separated by colons, as in the report of a failed case; given was ${JSON.stringify(path)}.`,
    );
  const [requirement] = selected;
  if (requirement === undefined || selected.length > 1)
    throw new SettingsError(
      `--path needs exactly one requirement, but ${selected.length} are selected; give its id with --only.`,
    );
  if (requirement.isGenerated !== true)
    throw new SettingsError(
      `--path needs a requirement with generated cases, but ${requirement.id} has none; give another id with --only.`,
    );
}

/** Waits for a target that is just starting. If it does not come up, the run reports it as unreachable. */
async function waitReady(settings: Targeted, waitMs: number): Promise<void> {
  process.stderr.write(
    `Waiting up to ${waitMs / 1_000} s for ${settings.base.origin} to accept connections.\n`,
  );
  const transport = connectTo(settings);
  try {
    await becomesReady(transport, waitMs, settings.timeoutMs);
  } finally {
    await transport.close();
  }
}

async function runAndReport(
  settings: Targeted,
  options: CertifyFlags,
  { chosen, declared, known, since, afterwards }: Given,
  fallBack: boolean,
  {
    isQuiet = false,
    onStart,
  }: {
    /** Whether only the reports are written, and nothing is printed. */
    readonly isQuiet?: boolean;
    /** Called with a function that ends the run early. */
    readonly onStart?: (interrupt: () => void) => void;
  } = {},
): Promise<{ readonly report: Report; readonly exitCode: number }> {
  const actions = isQuiet ? undefined : startActions(process.env);
  const screen = screenOf(options.verbose === true);
  const startedAt = performance.now();
  const progress = liveProgress(isQuiet ? { ...screen, redraws: false } : screen, {
    total: chosen.selected.length,
    sent: () => sent(),
    elapsedMs: () => performance.now() - startedAt,
    leftMs: () => settings.maxTimeMs - (performance.now() - startedAt),
  });
  const { interrupt, report, sent } = certification({
    settings: {
      ...settings,
      ...(options.path === undefined ? {} : { path: options.path }),
      given: [...settings.given, ...optionsIn(options)],
    },
    ...chosen,
    declared,
    knownFailures: known,
    allowsHttp: options.allowHttp === true,
    requireWhole: options.requireWhole === true,
    bail: options.bail === true ? 1 : options.bail,
    onResult: isQuiet ? undefined : progress.show,
    onNotice: isQuiet ? undefined : progress.note,
    says: saysOf,
    said: saidIn(options),
    keepsEvidence: true,
  });
  const restore = onSignals(() => interrupt(), fallBack);
  onStart?.(interrupt);
  try {
    const done = await report();
    if (!isQuiet) progress.end();
    const reports = written('The reports', () => writeReports(done, settings.reportDir, since));
    // If the reports cannot be written either, their message gives the reason.
    if (done.evidence === undefined && done.fault === undefined && reports !== undefined)
      process.stderr.write('The evidence of this run cannot be written.\n');
    const { writeDeclaration: declaration, writeKnownFailures: list } = options;
    const others = [
      declaration === undefined
        ? []
        : written('The declaration', () => [writeDeclaration(declaration, done)]),
      list === undefined
        ? []
        : written('The list of known failures', () => [writeKnownFailures(list, done, known)]),
    ];
    const files = [reports, ...others].flatMap((paths) => paths ?? []);
    const showing = { ...screen, colors: pc, command: startedBy(fallBack) };
    if (!isQuiet) process.stdout.write(terminalReport(done, files, showing));
    if (reports !== undefined) actions?.tell(done, settings.reportDir);
    if (done.evidence === undefined || [reports, ...others].includes(undefined))
      return { report: done, exitCode: withoutReports(done.exitCode) };
    const exitCode =
      afterwards === undefined ? done.exitCode : await concluded(done, settings.reportDir, afterwards);
    return { report: done, exitCode };
  } finally {
    actions?.end();
    restore();
  }
}

/** Does the work after the reports. Returns the exit code. */
async function concluded(report: Report, folder: string, afterwards: Afterwards): Promise<number> {
  try {
    const { text, code } = await afterwards(report, folder);
    process.stdout.write(`\n${text}\n`);
    return code;
  } catch (error) {
    const problem = fileProblem(error);
    if (problem === undefined) throw error;
    process.stderr.write(`The certificate cannot be written to ${folder} (${problem}).\n`);
    return withoutReports(report.exitCode);
  }
}

/** Writes files. Returns their paths, or undefined if they cannot be written, and says so. */
function written(what: string, write: () => readonly string[]): readonly string[] | undefined {
  try {
    return write();
  } catch (error) {
    const problem = fileProblem(error);
    if (problem === undefined) throw error;
    process.stderr.write(`${what} of this run cannot be written (${problem}).\n`);
    return undefined;
  }
}
