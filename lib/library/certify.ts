import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certification } from '../certify.ts';
import { refusePlainHttp, type Targeted } from '../cli/targeted.ts';
import { optionsIn, saidIn } from '../cli/said.ts';
import { declarationOf, questionsOf } from '../declaration.ts';
import { knownFailuresOf, type KnownFailure } from '../known-failures/list.ts';
import type { Report, ReportedRequirement } from '../reports/schema.ts';
import { writeReports } from '../reports/write.ts';
import { select } from '../selection.ts';
import { SettingsError } from '../settings-error.ts';
import { catalogue } from '../../suites/index.ts';
import { saysOf } from '../../suites/sentences.ts';
import type { Options } from './options.ts';
import { refuseOtherForms } from './forms.ts';
import { asOptions, settingsOf } from './settings.ts';

export interface CertifyOptions extends Options {
  readonly baseUrl: string | URL;
  /** Ids, topics such as `list/`, sections or levels: only these requirements. */
  readonly only?: readonly string[] | undefined;
  /** Declared answers to open questions, in the form of `declaration.schema.json`. */
  readonly declaration?: Readonly<Record<string, unknown>> | undefined;
  /** Failures that do not change the exit code, in the form of `known-failures.schema.json`. */
  readonly knownFailures?: { readonly failures: readonly KnownFailure[] } | undefined;
  /** The name and the version of the product, for the report. */
  readonly product?: string | undefined;
  readonly productVersion?: string | undefined;
  /** Who makes the run, as the report is to say. */
  readonly operator?: string | undefined;
  /**
   * Whether to write every exchange to `evidence.har` in `reportDir`. By default it is written if `reportDir` is given.
   */
  readonly evidence?: boolean | undefined;
  /** Makes `exitCode` 3 if a required or derived requirement was skipped; the verdict stays. */
  readonly requireWhole?: boolean | undefined;
  /** Ends the run early: it removes its tags, and its report says `interrupted`. */
  readonly signal?: AbortSignal | undefined;
  /** Called with each result as soon as it is known. An error that it throws ends the run early. */
  readonly onResult?: ((result: ReportedRequirement) => void) | undefined;
  /** Called with a warning as soon as it is clear that the run cannot end in time. */
  readonly onNotice?: ((sentence: string) => void) | undefined;
}

const OWN = [
  'only',
  'declaration',
  'knownFailures',
  'product',
  'productVersion',
  'operator',
  'evidence',
  'requireWhole',
  'signal',
  'onResult',
  'onNotice',
];

/** The folder of ledgers if none is given. The ledger of a run that has removed all of its tags is deleted. */
const LEDGERS = join(tmpdir(), 'account-mutation-conformance');

/**
 * Certifies a target. It prints nothing, reads no environment variable, and never ends the process. Reports and
 * evidence are written only if `reportDir` is given; without it, the ledger of the run stands in the system's folder for
 * temporary files.
 *
 * @returns the report, when the tags of the run are removed. Its `verdict` tells whether the target conforms.
 * @throws SettingsError for a mistake in the options, before anything is sent.
 */
export async function certify(options: CertifyOptions): Promise<Report> {
  const settings = targeted(options);
  const {
    only = [],
    declaration,
    knownFailures,
    requireWhole = false,
    allowHttp = false,
    signal,
    onResult,
    reportDir,
    onNotice,
    evidence = reportDir !== undefined,
  } = options;
  if (evidence && reportDir === undefined)
    throw new SettingsError('evidence is a file in reportDir; give reportDir, too.');
  const chosen = asOptions(() => select(catalogue, only));
  const questions = questionsOf(catalogue);
  const declared =
    declaration === undefined ? undefined : declarationOf(declaration, questions, 'declaration');
  const known = knownFailures === undefined ? undefined : knownFailuresOf(knownFailures, 'knownFailures');
  let thrown: { readonly error: unknown } | undefined;
  const run = asOptions(() =>
    certification({
      settings: { ...settings, given: [...settings.given, ...optionsIn(options)] },
      ...chosen,
      declared,
      knownFailures: known,
      requireWhole,
      allowsHttp: allowHttp,
      says: saysOf,
      said: saidIn(options),
      keepsEvidence: evidence,
      onNotice,
      onResult: (result) => {
        if (thrown !== undefined) return;
        try {
          onResult?.(result);
        } catch (error) {
          thrown = { error };
          run.interrupt();
        }
      },
    }),
  );
  if (signal?.aborted === true) run.interrupt();
  signal?.addEventListener('abort', run.interrupt);
  try {
    const report = await run.report();
    if (thrown !== undefined) throw thrown.error;
    if (reportDir !== undefined) writeReports(report, reportDir);
    return report;
  } finally {
    signal?.removeEventListener('abort', run.interrupt);
  }
}

function targeted(options: CertifyOptions): Targeted {
  refuseOtherForms(options);
  const { reportDir = LEDGERS, allowHttp = false } = options;
  const settings = settingsOf({ ...options, reportDir }, OWN);
  if (settings.base === undefined)
    throw new SettingsError(
      'baseUrl is missing; give the address of the target, such as https://staging.example.com.',
    );
  const targeted = { ...settings, base: settings.base };
  asOptions(() => refusePlainHttp(targeted, allowHttp));
  return targeted;
}
