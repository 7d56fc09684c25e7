import { spawnSync } from 'node:child_process';
import { describe, expect } from 'vitest';
import { test, type User } from './user.test.double.ts';

const PROGRAM = 'account-mutation-conformance';
const has = (shell: string): boolean => spawnSync(shell, ['--version']).error === undefined;

async function scriptFor(user: User, shell: string): Promise<string> {
  const { code, stdout } = await user.run(['completion', shell]);
  expect(code).toBe(0);
  return user.write(`completion.${shell}`, stdout);
}

/** The words after the program's name, and all completions of the last one. */
const CASES: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
  [['expl'], ['explain']],
  [['--onl'], ['--only']],
  [['--only', 'create/an'], ['create/answers']],
  [['--only', 'create/answers', 'delete/takes-effec'], ['delete/takes-effect']],
  [['--effort', 'st'], ['standard']],
  [['sweep', '--base'], ['--base-url']],
  [['explain', 'create/an'], ['create/answers']],
  [['schema', 'decl'], ['declaration']],
  [['completion', 'z'], ['zsh']],
  [
    ['--effort', ''],
    ['quick', 'standard', 'thorough'],
  ],
];

describe('completion', () => {
  test.for(CASES)('in bash offers %j: %j', async ([words, offered], { user }) => {
    const script = await scriptFor(user, 'bash');
    const program = `source ${script}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _account_mutation_conformance; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await user.spawnAny('bash', ['-c', program, 'bash', PROGRAM, ...words], {}).ended;
    expect(stdout.trimEnd().split('\n')).toEqual(offered);
  });

  test('in bash takes an equals sign as bash does', async ({ user }) => {
    const script = await scriptFor(user, 'bash');
    const program = `source ${script}; COMP_WORDS=(${PROGRAM} --effort = th); COMP_CWORD=3; _account_mutation_conformance; echo "\${COMPREPLY[@]}"`;
    expect((await user.spawnAny('bash', ['-c', program], {}).ended).stdout).toBe('thorough\n');
  });

  test.runIf(has('fish')).for(CASES)('in fish offers %j: %j', async ([words, offered], { user }) => {
    const script = await scriptFor(user, 'fish');
    const line = [PROGRAM, ...words].join(' ');
    const program = `source ${script}; complete -C '${line}' | string replace -r '\\t.*' ''`;
    const { stdout } = await user.spawnAny('fish', ['--no-config', '-c', program], {}).ended;
    expect(stdout.trimEnd().split('\n')).toEqual(offered);
  });

  test.runIf(has('zsh'))('in zsh finishes words at a prompt', async ({ user }) => {
    const script = await scriptFor(user, 'zsh');
    const cases = CASES.flatMap(([words, [offered = '', ...others]]) =>
      others.length > 0 ? [] : [[words.join(' '), offered] as const],
    );
    // Waits for each pattern. If one does not come, a timeout ends the shell.
    const lines = cases.flatMap(([words, offered]) => [
      `zpty -w -n z ${JSON.stringify(`${PROGRAM} ${words}`)}$'\\t'`,
      // If only one word is possible, the line editor prints just the rest of it.
      `zpty -r z out '*${offered.slice(-2)}*' && print -r -- ${JSON.stringify(offered)}`,
      `zpty -w -n z $'\\x15'`,
      'zpty -w z "echo cleared"',
      `zpty -r z out '*cleared*cleared*'`,
    ]);
    const program = [
      'zmodload zsh/zpty',
      'zpty z zsh -f -i',
      `zpty -w z 'PS1=; autoload -U compinit; compinit -D -u; source ${script}; echo ready'`,
      `zpty -r z out '*ready*ready*'`,
      ...lines,
      'zpty -d z',
    ].join('\n');
    const { stdout } = await user.spawnAny('timeout', ['60', 'zsh', '-f', '-c', program], {
      TERM: 'dumb',
    }).ended;
    expect(stdout.trimEnd().split('\n')).toEqual(cases.map(([, offered]) => offered));
  });

  test('knows three shells', async ({ user }) => {
    const { code, stderr } = await user.run(['completion', 'tcsh']);
    expect(code).toBe(2);
    expect(stderr).toContain('<shell> is expected to be one of bash, zsh, fish');
  });
});

describe('--help', () => {
  test('shows the options of the main job first, each in a group', async ({ user }) => {
    const { code, stdout } = await user.run(['--help']);
    expect(code).toBe(0);
    const headings = [...stdout.matchAll(/^[A-Z].*:$/gm)].map(([heading]) => heading);
    expect(headings).toEqual([
      'The target:',
      'What is checked:',
      'The run:',
      'Its limits:',
      'Other options:',
      'Commands:',
    ]);
    const first = stdout.slice(stdout.indexOf('The target:')).split('\n')[1];
    expect(first).toMatch(/^ {2}--base-url <url>/);
    const others = stdout.slice(stdout.indexOf('Other options:'), stdout.indexOf('Commands:'));
    expect(others.match(/--\w+/g)).toEqual(['--version', '--help']);
  });

  test('of the main job shows the same options', async ({ user }) => {
    const optionsIn = (text: string): string[] => (text.match(/^ {2}(?:-\w, )?--[\w-]+/gm) ?? []).toSorted();
    const [ofProgram, ofCommand] = [await user.run(['--help']), await user.run(['certify', '--help'])];
    expect(optionsIn(ofProgram.stdout)).toEqual(expect.arrayContaining(optionsIn(ofCommand.stdout)));
  });
});
