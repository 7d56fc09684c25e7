import { Argument, Command, CommanderError, Option } from 'commander';
import { EXIT } from '../judging/judge.ts';
import { SUITE } from '../suite.ts';
import { nearest } from '../selection.ts';
import { SettingsError, type Variable } from '../settings.ts';
import type { CertifyFlags } from './certify.ts';
import type { ListFlags } from './list.ts';

/** Flags for settings that are not secret: secrets come from the environment or the `.env` file alone. */
const FLAGS: readonly (readonly [flag: string, variable: Variable, meaning: string])[] = [
  ['--base-url <url>', 'CONFORMANCE_BASE_URL', 'the target, without /api/v2'],
  [
    '--username <name>',
    'CONFORMANCE_USERNAME',
    'the account; its password is read from CONFORMANCE_PASSWORD',
  ],
  [
    '--second-username <name>',
    'CONFORMANCE_SECOND_USERNAME',
    'another account, with CONFORMANCE_SECOND_PASSWORD',
  ],
  ['--report-dir <folder>', 'CONFORMANCE_REPORT_DIR', 'where report.json and junit.xml go'],
  ['--effort <name>', 'CONFORMANCE_EFFORT', 'quick, standard or thorough'],
  ['--seed <text>', 'CONFORMANCE_SEED', 'makes a run repeatable'],
  ['--ca-file <file>', 'CONFORMANCE_CA_FILE', 'a CA certificate to trust, as PEM'],
  ['--timeout-ms <number>', 'CONFORMANCE_TIMEOUT_MS', 'for one request'],
  ['--max-time-s <number>', 'CONFORMANCE_MAX_TIME_S', 'for the whole run'],
  ['--concurrency <number>', 'CONFORMANCE_CONCURRENCY', 'requests under way at once'],
  ['--max-rps <number>', 'CONFORMANCE_MAX_RPS', 'requests started in a second'],
  ['--settle-ms <number>', 'CONFORMANCE_SETTLE_MS', 'how long an effect may take to show'],
  ['--max-live-tags <number>', 'CONFORMANCE_MAX_LIVE_TAGS', 'tags of the run that exist at once'],
];

/**
 * The command line: reads the arguments, runs the command, and returns the exit code. Never throws.
 *
 * @param argv the arguments after the program's name.
 * @param fallBack whether a missing target means the embedded reference; only so in the repository itself.
 */
export async function main(argv: readonly string[], fallBack: boolean): Promise<number> {
  let code: number = EXIT.usage;
  const program = new Command('account-mutation-conformance')
    .description(
      'Decides whether an implementation of the Account Mutation API conforms to its specification.',
    )
    .version(SUITE.version)
    .exitOverride()
    .showHelpAfterError('(--help shows what there is)')
    // Somebody may have given a secret as a flag that there is not.
    .configureOutput({ outputError: (text, write) => write(text.replace(/(--[\w-]+)=[^\s']+/g, '$1')) });
  const certifying = program
    .command('certify', { isDefault: true })
    .description('certify a target (the default)');
  for (const [flag, variable, meaning] of FLAGS)
    certifying.addOption(new Option(flag, `${meaning} (${variable})`));
  certifying
    .option('--only <selector...>', 'just these ids, starts of ids, sections or levels')
    .option('--reference', 'certify the embedded reference server')
    .option('--allow-http', 'allow a target that is not on this machine to be asked over plain http')
    .option('--path <path>', 'just one generated case of the one requirement that --only selects')
    .option('--require-whole', 'what is skipped makes the run inconclusive')
    .option('--declare <file>', 'answers to open questions that the target has to give')
    .option('--write-declaration <file>', 'write the answers that the target gave, to be declared')
    .addOption(
      new Option(
        '--wait-ready <time>',
        'wait for a target that does not accept connections yet, such as 30s',
      ).argParser(milliseconds),
    )
    .allowExcessArguments()
    .action(async (options: Record<string, string> & CertifyFlags) => {
      const [word] = certifying.args;
      if (word !== undefined) throw new SettingsError(unknownCommand(word, program));
      const { certify } = await import('./certify.ts');
      code = await certify(options, flagsOf(certifying, options), fallBack);
    });
  program
    .command('list')
    .description('print the catalogue of requirements')
    .option('--only <selector...>', 'just these ids, starts of ids, sections or levels')
    .addOption(
      new Option(
        '--by-section',
        'each sentence of the specification with what asks it, or why nothing does',
      ).conflicts('only'),
    )
    .option('--json', 'as JSON')
    .action(async (options: ListFlags) => {
      const { list } = await import('./list.ts');
      code = list(options);
    });
  program
    .command('serve')
    .description('run the reference server, to play with')
    .option('--port <number>', 'the port on loopback; by default a free one')
    .option('--http', 'plain http instead of https')
    .action(async (options: { port?: string; http?: boolean }) => {
      const { serveReference } = await import('./serve.ts');
      code = await serveReference(options);
    });
  program
    .command('plan')
    .description('print what a run sends at most, before anything is sent')
    .addOption(new Option('--effort <name>', 'quick, standard or thorough (CONFORMANCE_EFFORT)'))
    .option('--only <selector...>', 'just these ids, starts of ids, sections or levels')
    .action(async (options: { effort?: string; only?: readonly string[] }) => {
      const { plan } = await import('./plan.ts');
      code = plan(options);
    });
  const sweeping = program
    .command('sweep')
    .description('remove what runs that were cut off left on the target, by their ledgers')
    .argument('[ledger...]', 'files; by default all in the report folder whose run is over')
    .option('--allow-http', 'allow a target that is not on this machine to be asked over plain http');
  for (const [flag, variable, meaning] of FLAGS)
    sweeping.addOption(new Option(flag, `${meaning} (${variable})`));
  sweeping.action(
    async (files: readonly string[], options: Record<string, string> & { allowHttp?: boolean }) => {
      const { sweepLedgers } = await import('./sweep.ts');
      code = await sweepLedgers(files, options, flagsOf(sweeping, options));
    },
  );
  program
    .command('compare')
    .description('print in what reports or fingerprints differ from the first of them')
    .argument('<file...>', 'report.json, fingerprint.json, or a folder with a report')
    .action(async (files: readonly string[]) => {
      const { compareFiles } = await import('./compare.ts');
      code = compareFiles(files);
    });
  program
    .command('schema')
    .description('print the JSON Schema of report.json, or of a declaration')
    .addArgument(new Argument('[file]', 'which of them').choices(['report', 'declaration']).default('report'))
    .action(async (file: 'report' | 'declaration') => {
      const { schema } = await import('./schema.ts');
      code = schema(file);
    });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
    if (error instanceof SettingsError) {
      process.stderr.write(`${error.message}\n`);
      return EXIT.usage;
    }
    process.stderr.write(`${faultSentence(error)}\n`);
    return EXIT.fault;
  }
}

export const faultSentence = (error: unknown): string =>
  `A fault of the suite, not of the target; please report it: ${String(error).replace(/\.$/, '')}.`;

/** `30s`, `500ms`, `2m`. */
function milliseconds(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? [];
  if (number === undefined || unit === undefined) {
    throw new SettingsError(
      `--wait-ready is expected to be a time such as 30s, 500ms or 2m; given was ${JSON.stringify(text)}.`,
    );
  }
  return Number(number) * { ms: 1, s: 1_000, m: 60_000 }[unit as 'ms' | 's' | 'm'];
}

function unknownCommand(word: string, program: Command): string {
  const names = program.commands.map((command) => command.name());
  const guess = nearest(word, names);
  return `${JSON.stringify(word)} is no command; the commands are ${names.join(', ')}${guess === undefined ? '' : `. Did you mean ${guess}?`}`;
}

/** The options that are settings, by the name of the variable. */
function flagsOf(
  command: Command,
  options: Readonly<Record<string, string>>,
): Partial<Record<Variable, string>> {
  return Object.fromEntries(
    FLAGS.flatMap(([flag, variable]) => {
      const name = command.options.find((option) => option.flags === flag)?.attributeName() ?? '';
      const value = options[name];
      return value === undefined ? [] : [[variable, value]];
    }),
  );
}
