import { Command, CommanderError } from 'commander';
import { EXIT } from '../judging/judge.ts';
import { SettingsError } from '../settings-error.ts';
import { SUITE } from '../suite.ts';
import { addCommands } from './commands.ts';
import { arrangeHelp } from './help.ts';

/**
 * Reads the arguments and runs the command. Never throws.
 *
 * @param argv the arguments after the program's name.
 * @param fallBack whether to certify the reference if no target is given, which only the repository does.
 * @returns the exit code.
 */
export async function main(argv: readonly string[], fallBack: boolean): Promise<number> {
  let code: number = EXIT.usage;
  const program = new Command('account-mutation-conformance')
    .description(
      'Decides whether an implementation of the Account Mutation API conforms to its specification.',
    )
    .version(SUITE.version)
    .exitOverride()
    .showHelpAfterError('(--help lists the commands and options)')
    .configureOutput({ outputError: (text, write) => write(usageError(text)) });
  const ends = (exitCode: number): void => {
    code = exitCode;
  };
  const certifying = addCommands({ program, fallBack, ends });
  arrangeHelp(program, certifying);
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

/**
 * The message about a wrong option, without its value, which may be a secret. Commander suggests options of the main
 * command, even the very option that this command lacks: that suggestion is removed. The message about a wrong argument
 * has the form of the one about a wrong option.
 */
const usageError = (text: string): string =>
  text
    .replace(/(--[\w-]+)=[^\s']+/g, '$1')
    .replace(
      /^error: command-argument value ('.*') is invalid for argument '(\w+)'\. Allowed choices are (.*)\.$/m,
      (_, given: string, name: string, choices: string) =>
        `error: <${name}> is expected to be one of ${choices}; given was ${given}.`,
    )
    .replace(/^error: missing required argument '(\w+)'$/m, 'error: <$1> is missing')
    .replace(/ '(--[\w-]+)'\n\(Did you mean \1\?\)/, " '$1' for this command");
