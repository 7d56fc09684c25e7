import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import pc from 'picocolors';
import { certification, connectTo } from '../certify.ts';
import { questionsOf, readDeclaration, type Declaration } from '../declaration.ts';
import { becomesReady } from '../engine/ready.ts';
import type { Result } from '../engine/run.ts';
import { EXIT } from '../judging/judge.ts';
import { nested } from '../reports/fingerprint.ts';
import type { Report } from '../reports/report.ts';
import { progressLine, terminalReport } from '../reports/terminal.ts';
import { writeReports } from '../reports/write.ts';
import { Secret } from '../secret.ts';
import { select } from '../selection.ts';
import { SUITE } from '../suite.ts';
import { readSettings, SettingsError, type Settings, type Variable } from '../settings.ts';
import { catalogue } from '../../suites/index.ts';
import { refusePlainHttp, type Targeted } from './targeted.ts';

export interface CertifyFlags {
  readonly only?: readonly string[];
  readonly reference?: boolean;
  readonly allowHttp?: boolean;
  readonly requireWhole?: boolean;
  readonly declare?: string;
  readonly writeDeclaration?: string;
  /** Milliseconds. */
  readonly waitReady?: number;
}

/** Certifies the target, or the reference; prints and writes the reports; returns the exit code. */
export async function certify(
  options: CertifyFlags,
  flags: Partial<Record<Variable, string>>,
  fallBack: boolean,
): Promise<number> {
  const settings = readSettings({ flags, environment: process.env, envFile: '.env' });
  for (const name of settings.unknown)
    process.stderr.write(`${name} is set, but is no setting of this suite.\n`);
  const chosen = select(catalogue, options.only ?? []);
  const declared =
    options.declare === undefined ? undefined : readDeclaration(options.declare, questionsOf(catalogue));
  refuseToOverwrite(options.writeDeclaration);
  if (options.reference === true && settings.base !== undefined) {
    throw new SettingsError('--reference and CONFORMANCE_BASE_URL exclude each other; give one of them.');
  }
  if (settings.base !== undefined) {
    const targeted = { ...settings, base: settings.base };
    refusePlainHttp(targeted, options.allowHttp === true);
    if (options.waitReady !== undefined) await waitReady(targeted, options.waitReady);
    return runAndReport(targeted, options, chosen, declared);
  }
  if (options.reference !== true && !fallBack) {
    throw new SettingsError(
      'There is no target: give CONFORMANCE_BASE_URL, CONFORMANCE_USERNAME and CONFORMANCE_PASSWORD, or --reference for the embedded reference server.',
    );
  }
  process.stdout.write(
    options.reference === true
      ? 'The target is the embedded reference server.\n\n'
      : 'No target is given (CONFORMANCE_BASE_URL), so the embedded reference server is certified.\n\n',
  );
  return withReference(settings, (targeted) => runAndReport(targeted, options, chosen, declared));
}

/** Waits for a target that is just starting; where it does not come, the run says so. */
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

/** Somebody may have read a declaration over, and changed it. */
function refuseToOverwrite(file: string | undefined): void {
  if (file === undefined || !existsSync(file)) return;
  throw new SettingsError(
    `--write-declaration does not overwrite ${file}, which exists; give another name, or take it away first.`,
  );
}

/** Tells editors where the schema is, if that is a place in the same project. */
function schemaOf(file: string): { readonly $schema?: string } {
  const path = relative(process.cwd(), join(SUITE.folder, 'declaration.schema.json'));
  if (path.startsWith('..')) return {};
  const fromFile = relative(dirname(resolve(file)), resolve(path))
    .split(sep)
    .join('/');
  return { $schema: fromFile.startsWith('.') ? fromFile : `./${fromFile}` };
}

/** Writes what was seen as a declaration, to be read over by the implementer. */
function writeDeclaration(file: string, { requirements }: Report): string {
  const gating = new Set(questionsOf(catalogue).flatMap(({ key, gates }) => (gates ? key : [])));
  const answers = requirements.flatMap(({ key, answer }): [string, unknown][] =>
    key === undefined || answer === undefined || !gating.has(key) ? [] : [[key, answer]],
  );
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...schemaOf(file), ...nested(answers) }, null, 2)}\n`);
  return file;
}

/** Serves the reference over real HTTPS for the length of `work`, with accounts and a certificate made for it. */
async function withReference(
  settings: Settings,
  work: (targeted: Targeted) => Promise<number>,
): Promise<number> {
  const [{ Reference }, { freshAccounts }, { serve }] = await Promise.all([
    import('../../fixtures/reference/reference.ts'),
    import('../../fixtures/reference/accounts.ts'),
    import('../../fixtures/reference/serve.ts'),
  ]);
  const accounts = freshAccounts();
  const [first, second] = accounts;
  const reference = new Reference(accounts).seeded();
  const panelToken = await reference.issueToken({ username: first.username, scopes: ['api'] });
  const serving = await serve(reference);
  try {
    return await work({
      ...settings,
      base: new URL(serving.url),
      ca: serving.certificate,
      username: first.username,
      password: new Secret(first.password, '$PASSWORD'),
      panelToken: new Secret(panelToken, '$PANEL_TOKEN'),
      second: { username: second.username, password: new Secret(second.password, '$SECOND_PASSWORD') },
    });
  } finally {
    await serving.close();
  }
}

async function runAndReport(
  settings: Targeted,
  options: CertifyFlags,
  chosen: ReturnType<typeof select>,
  declared: Declaration | undefined,
): Promise<number> {
  const progress = liveProgress(chosen.selected.length);
  const { run, report } = certification({
    settings,
    ...chosen,
    ...(declared === undefined ? {} : { declared }),
    allowsHttp: options.allowHttp === true,
    requireWhole: options.requireWhole === true,
    onResult: progress.show,
  });
  const restore = onSignals(() => run.interrupt());
  try {
    const done = await report();
    progress.end();
    const files = [
      ...writeReports(done, settings.reportDir),
      ...(options.writeDeclaration === undefined ? [] : [writeDeclaration(options.writeDeclaration, done)]),
    ];
    process.stdout.write(terminalReport(done, files, pc));
    return done.exitCode;
  } finally {
    restore();
  }
}

const SAME_KEYSTROKE_MS = 500;

/** The first signal ends the run in order; the second one at once. */
function onSignals(interrupt: () => void): () => void {
  let before = 0;
  const handle = (): void => {
    // npm passes a Ctrl-C on that the terminal has sent to everybody already: one keystroke, two signals.
    if (before > 0 && performance.now() - before < SAME_KEYSTROKE_MS) return;
    if (before > 0) {
      process.stderr.write(
        'Ended at once. What the run made is in the ledger of the report folder; npm start -- sweep removes it, with the same settings.\n',
      );
      process.exit(EXIT.interrupted);
    }
    before = performance.now();
    process.stderr.write('Interrupted: removing what the run made. Once more ends at once.\n');
    interrupt();
  };
  process.on('SIGINT', handle);
  process.on('SIGTERM', handle);
  return () => {
    process.off('SIGINT', handle);
    process.off('SIGTERM', handle);
  };
}

/** On a terminal one line that counts; elsewhere a line for each requirement that did not simply pass. */
function liveProgress(all: number): { show: (result: Result) => void; end: () => void } {
  const live = process.stdout.isTTY;
  let done = 0;
  return {
    show: ({ requirement, verdict }) => {
      done++;
      if (live) process.stdout.write(`\r\x1b[2K${done} of ${all}  ${requirement.id}`);
      else process.stdout.write(`${progressLine({ id: requirement.id, verdict }, pc)}\n`);
    },
    end: () => process.stdout.write(live ? '\r\x1b[2K' : '\n'),
  };
}
