import type { Argument, Command, Option } from 'commander';
import { EFFORTS } from '../effort.ts';
import { LEVELS } from '../requirement.ts';
import { catalogue, suites } from '../../suites/index.ts';
import {
  bash,
  fish,
  zsh,
  type CompletedCommand,
  type CompletedOption,
  type Values,
} from './completion-scripts.ts';
import type { Shell } from './shells.ts';

/** Prints a script that completes the command line in a shell. Ids of requirements are those of this version. */
export function completion(shell: Shell, program: Command, mainCommand: string): number {
  const commands = program.commands.map(completed);
  const script = { bash, zsh, fish }[shell];
  process.stdout.write(script(program.name(), commands, mainCommand));
  return 0;
}

const ids = catalogue.map(({ id }) => id);

const completed = (command: Command): CompletedCommand => ({
  name: command.name(),
  meaning: command.description(),
  options: command.createHelp().visibleOptions(command).map(completedOption),
  values: command.registeredArguments.map(valuesOf).find((values) => values !== 'anything') ?? 'anything',
});

const completedOption = (option: Option): CompletedOption => ({
  name: option.long ?? option.short ?? '',
  meaning: option.description,
  values: option.required || option.optional ? valuesOf(option) : undefined,
  isVariadic: option.variadic,
});

/** The values that an option or an argument takes, by the name that the help gives them. */
function valuesOf(taker: Option | Argument): Values {
  if (taker.argChoices !== undefined) return taker.argChoices;
  const name = 'flags' in taker ? (/[<[]([\w-]+)/.exec(taker.flags)?.[1] ?? '') : taker.name();
  if ('flags' in taker && taker.long === '--effort') return EFFORTS;
  switch (name) {
    case 'selector':
      return [
        ...new Set([
          ...suites.map(({ topic }) => `${topic}/`),
          ...topics(),
          ...sections(),
          ...LEVELS,
          ...ids,
        ]),
      ];
    case 'id':
      return ids;
    case 'file':
    case 'files':
    case 'folder':
    case 'report':
    case 'ledger':
      return 'files';
    default:
      return 'anything';
  }
}

const topics = (): string[] => ids.map((id) => `${id.split('/')[0]}/`);
const sections = (): string[] => catalogue.map(({ section }) => section);
