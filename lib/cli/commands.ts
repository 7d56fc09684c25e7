import { Argument, Option, type Command } from 'commander';
import { nearest } from '../selection.ts';
import { readSome, type Variable } from '../settings.ts';
import { SettingsError } from '../settings-error.ts';
import type { AttestFlags } from './attest.ts';
import type { CertifyFlags } from './certify.ts';
import type { ChangesFlags } from './changes.ts';
import type { CompareFlags } from './compare.ts';
import type { EvidenceFlags } from './evidence.ts';
import { addSettingFlags, failures, settingsIn, waiting } from './flags.ts';
import type { ListFlags } from './list.ts';
import type { RepeatFlags } from './repeat.ts';
import { SHELLS, type Shell } from './shells.ts';
import type { KeyFlags } from './verify.ts';

/** What the commands are added to. Each loads its code when it runs, so that the others start fast. */
interface CommandLine {
  readonly program: Command;
  /** Whether the reference is certified if no target is given. */
  readonly fallBack: boolean;
  /** Takes the exit code of the command that ran. */
  readonly ends: (exitCode: number) => void;
}

/**
 * Adds all commands, in the order in which `--help` lists them.
 *
 * @returns the main one, `certify`.
 */
export function addCommands(line: CommandLine): Command {
  const certifying = addCertify(line);
  addCatalogueCommands(line);
  addTargetCommands(line);
  addReportCommands(line);
  addCertificateCommands(line);
  addSuiteCommands(line, certifying);
  return certifying;
}

/** `certify`, which is also what runs without the name of a command. */
function addCertify({ program, ends, fallBack }: CommandLine): Command {
  const certifying = program
    .command('certify', { isDefault: true })
    .description('certify a target (the default)');
  addSettingFlags(certifying);
  certifying
    .option('--only <selector...>', 'only these ids, topics such as list/, sections or levels')
    .option('--reference', 'certify the embedded reference server')
    .option('--allow-http', 'allow plain http to a target on another machine')
    .option('--path <path>', 'only one generated case of the requirement that --only selects')
    .option('--require-whole', 'exit with 3 if a required or derived requirement was skipped')
    .addOption(
      new Option(
        '--watch',
        'certify again each time that the server comes back, and print what changed',
      ).conflicts(['reference', 'writeDeclaration', 'writeKnownFailures']),
    )
    .addOption(
      new Option('--bail [failures]', 'end the run at the first failure, or after this many').argParser(
        failures,
      ),
    )
    .option('--verbose', 'print all verdicts and all observations, which are otherwise in the reports')
    .option('--since <file>', 'an earlier report or fingerprint: summary.md says what changed since')
    .option('--declare <file>', 'a declaration: the target must give its answers to open questions')
    .option('--product <name>', 'what is tested, for the report')
    .option('--product-version <version>', 'the version of what is tested, for the report')
    .option('--operator <name>', 'who makes the run, for the report')
    .option('--write-declaration <file>', 'write the answers that the target gave as a declaration')
    .option('--known-failures <file>', 'failures that do not fail the run while the list accepts them')
    .option('--write-known-failures <file>', 'write the failures of the run as such a list')
    .addOption(waiting())
    .allowExcessArguments()
    .action(async (options: Record<string, string> & CertifyFlags) => {
      const [word] = certifying.args;
      if (word !== undefined) throw new SettingsError(unknownCommand(word, program));
      const { certify } = await import('./certify.ts');
      ends(await certify(options, settingsIn(certifying, options), fallBack));
    });
  return certifying;
}

/** Commands for the time before a run. They send nothing to a target. */
function addCatalogueCommands({ program, ends, fallBack }: CommandLine): void {
  program
    .command('list')
    .description('print the catalogue of requirements')
    .option('--only <selector...>', 'only these ids, topics such as list/, sections or levels')
    .addOption(
      new Option(
        '--by-section',
        'each sentence of the specification with the requirements that check it',
      ).conflicts('only'),
    )
    .option('--json', 'print JSON')
    .action(async (options: ListFlags) => {
      const { list } = await import('./list.ts');
      ends(list(options));
    });
  program
    .command('explain')
    .description('explain a requirement: why and how it is checked, what proves it, what usually breaks it')
    .argument('<id>', 'its id, such as create/answers')
    .action(async (id: string) => {
      const { explain } = await import('./explain.ts');
      ends(await explain(id, fallBack));
    });
  program
    .command('serve')
    .description('run the reference server, for trying things out')
    .option('--port <number>', 'the port on loopback (default: a free one)')
    .option('--http', 'plain http instead of https')
    .action(async (options: { port?: string; http?: boolean }) => {
      const { serveReference } = await import('./serve.ts');
      ends(await serveReference(options));
    });
  program
    .command('plan')
    .description('print the limits of what a run sends; sends nothing')
    .addOption(new Option('--effort <name>', 'quick, standard or thorough (CONFORMANCE_EFFORT)'))
    .option('--only <selector...>', 'only these ids, topics such as list/, sections or levels')
    .action(async (options: { effort?: string; only?: readonly string[] }) => {
      const { plan } = await import('./plan.ts');
      ends(plan(options));
    });
}

/** Other commands that send requests to a target. */
function addTargetCommands({ program, ends, fallBack }: CommandLine): void {
  const examining = program
    .command('doctor')
    .description('look at everything that a run needs, and say what to do about it; writes no tag')
    .option('--allow-http', 'allow plain http to a target on another machine');
  addSettingFlags(examining);
  examining.action(async (options: Record<string, string> & { allowHttp?: boolean }) => {
    const { doctor } = await import('./doctor.ts');
    ends(await doctor(options, settingsIn(examining, options), fallBack));
  });
  const sweeping = program
    .command('sweep')
    .description('remove the tags that killed runs left on the target, as their ledgers list them')
    .argument('[ledger...]', 'ledgers (default: all in the report folder whose run has ended)')
    .option('--allow-http', 'allow plain http to a target on another machine');
  addSettingFlags(sweeping);
  sweeping.action(
    async (files: readonly string[], options: Record<string, string> & { allowHttp?: boolean }) => {
      const { sweepLedgers } = await import('./sweep.ts');
      ends(await sweepLedgers(files, options, settingsIn(sweeping, options)));
    },
  );
  const repeating = program
    .command('repeat')
    .description('send again what decided a finding, and tell whether the fault is still there')
    .argument('[report]', 'report.json, or a folder with it (default: the report folder)')
    .argument('[id]', 'the finding (default: the first one)')
    .option('--script', 'print a shell script that does it, and send nothing')
    .option('--allow-http', 'allow plain http to a target on another machine');
  addSettingFlags(repeating);
  repeating.action(
    async (
      file: string | undefined,
      id: string | undefined,
      options: Record<string, string> & RepeatFlags,
    ) => {
      const { repeat } = await import('./repeat.ts');
      const flags = settingsIn(repeating, options);
      ends(await repeat(file ?? reportFolder(flags), id, options, flags, fallBack));
    },
  );
}

/** Commands that read reports. */
function addReportCommands({ program, ends }: CommandLine): void {
  program
    .command('evidence')
    .description('print the exchanges that a requirement rests on')
    .argument('<id>', 'the requirement')
    .argument('[file]', 'evidence.har, or a folder with it (default: the report folder)')
    .option('--json', 'print the entries of the file')
    .action(async (id: string, file: string | undefined, options: EvidenceFlags) => {
      const { evidence } = await import('./evidence.ts');
      ends(evidence(id, file ?? reportFolder({}), options));
    });
  program
    .command('compare')
    .description('print how reports or fingerprints differ from the first one')
    .argument('<file...>', 'report.json, fingerprint.json, or a folder with a report')
    .option('--html <file>', 'also write one page: a column for each file, differences first')
    .action(async (files: readonly string[], options: CompareFlags) => {
      const { compareFiles } = await import('./compare.ts');
      ends(compareFiles(files, options));
    });
}

/** Commands that make and read certificates. */
function addCertificateCommands({ program, ends, fallBack }: CommandLine): void {
  const attesting = program
    .command('attest')
    .description('make a whole run over https, and write a signed certificate of it')
    .option('--product <name>', 'the product that the target runs')
    .option('--product-version <version>', 'its version')
    .option('--key <file>', 'the Ed25519 private key that signs, in PKCS#8 as PEM')
    .option('--days <number>', 'how long the certificate is valid (default: 90)')
    .option('--operator <name>', 'who makes the run')
    .option('--reference', 'certify the embedded reference server')
    .option('--declare <file>', 'a declaration: the target must give its answers to open questions')
    .addOption(waiting())
    .option('--verbose', 'print all verdicts and all observations, which are otherwise in the reports');
  addSettingFlags(attesting);
  // A certificate is of a run with the effort thorough. The option is known, so that its error says so.
  attesting.options.find(({ long }) => long === '--effort')?.hideHelp();
  attesting.action(async (options: Record<string, string> & AttestFlags) => {
    const { attest } = await import('./attest.ts');
    ends(await attest(options, settingsIn(attesting, options), fallBack));
  });
  program
    .command('verify')
    .description('verify a certificate, and say what it certifies or why it is refused; sends nothing')
    .argument('<certificate>', 'certificate.json, or a folder with it')
    .option('--key <file>', 'the public key of its maker, as PEM')
    .option('--keys <file>', 'the public keys of several makers, as a JWK Set')
    .action(async (path: string, options: KeyFlags) => {
      const { verifyFile } = await import('./verify.ts');
      ends(await verifyFile(path, options));
    });
  program
    .command('collect')
    .description('verify all certificates below a folder, and write the table of implementations')
    .argument('<folder>', 'usually with a folder for each product')
    .option('--keys <file>', 'the public keys of the makers, as a JWK Set')
    .option('--key <file>', 'the public key of the only maker, as PEM')
    .option('--html <file>', 'where the table is written')
    .action(async (folder: string, options: KeyFlags & { html?: string }) => {
      const { collect } = await import('./collect.ts');
      ends(await collect(folder, options));
    });
}

/** Commands about the suite itself. */
function addSuiteCommands({ program, ends }: CommandLine, certifying: Command): void {
  program
    .command('changes')
    .description('print which requirements are new or changed since a version of the suite')
    .option('--from <version>', 'the older version')
    .option('--to <version>', 'the newer version (default: this one)')
    .option('--json', 'print JSON')
    .action(async (options: ChangesFlags) => {
      const { changes } = await import('./changes.ts');
      ends(changes(options));
    });
  program
    .command('schema')
    .description('print the JSON Schema of report.json, of a declaration or of a list of known failures')
    .addArgument(
      new Argument('[file]', 'which schema')
        .choices(['report', 'declaration', 'known-failures'])
        .default('report'),
    )
    .action(async (file: 'report' | 'declaration' | 'known-failures') => {
      const { schema } = await import('./schema.ts');
      ends(schema(file));
    });
  program
    .command('completion')
    .description('print a script that completes this command line in a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .action(async (shell: Shell) => {
      const { completion } = await import('./completion.ts');
      ends(completion(shell, program, certifying.name()));
    });
}

/** The folder that holds the reports of the last run. */
function reportFolder(flags: Partial<Record<Variable, string>>): string {
  const sources = { flags, environment: process.env, envFile: '.env' };
  return readSome(['CONFORMANCE_REPORT_DIR'], sources).value('CONFORMANCE_REPORT_DIR');
}

function unknownCommand(word: string, program: Command): string {
  const names = program.commands.map((command) => command.name());
  if (names.includes(word))
    return `The name of a command comes first, before its options: ${program.name()} ${word} ...`;
  const guess = nearest(word, names);
  return `${JSON.stringify(word)} is not a command; the commands are ${names.join(', ')}${guess === undefined ? '.' : `. Did you mean ${guess}?`}`;
}
