/** What may be typed at a position of the command line: one of some words, a file, or any text. */
export type Values = readonly string[] | 'files' | 'anything';

export interface CompletedOption {
  /** Such as `--only`. */
  readonly name: string;
  readonly meaning: string;
  /** Undefined if it takes no value. */
  readonly values: Values | undefined;
  readonly isVariadic: boolean;
}

export interface CompletedCommand {
  readonly name: string;
  readonly meaning: string;
  readonly options: readonly CompletedOption[];
  /** What its arguments may be. */
  readonly values: Values;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const functionOf = (program: string): string => `_${program.replaceAll('-', '_')}`;

/** A name that may be part of the name of a function. */
const byShell = (name: string): string => name.replaceAll(/\W/g, '_');

const wordsOf = (values: Values | undefined): readonly string[] =>
  values === undefined || typeof values === 'string' ? [] : values;

/** The cases of `COMMAND OPTION` with the words that may follow. */
const valueCases = (commands: readonly CompletedCommand[], line: (words: string) => string): string[] =>
  commands.flatMap((command) =>
    command.options.flatMap(({ name, values }) =>
      values === undefined
        ? []
        : `    ${quoted(`${command.name} ${name}`)}) ${line(wordsOf(values).join(' '))} ;;`,
    ),
  );

/** The options that take several values, as a pattern of bash and zsh. */
const isVariadic = (commands: readonly CompletedCommand[]): string =>
  [
    ...new Set(
      commands.flatMap(({ options }) => options.flatMap(({ name, isVariadic: is }) => (is ? name : []))),
    ),
  ].join('|');

/**
 * Lines for bash and zsh alike: `command` becomes the main one if none is typed, and `prev` the option whose further
 * values are typed.
 *
 * @param line what the shell calls the words of the line, the place of the current one, and that of the first argument.
 */
const whatIsTyped = (
  commands: readonly CompletedCommand[],
  main: string,
  line: { readonly words: string; readonly current: string; readonly first: number },
): string => `  case $command in
    ${commands.map((one) => one.name).join('|')}) ;;
    *) command=${main} ;;
  esac
  for ((at = ${line.current} - 1; at >= ${line.first}; at--)); do
    case \${${line.words}[at]} in
      ${isVariadic(commands)}) prev=\${${line.words}[at]} ;;
      -*) ;;
      *) continue ;;
    esac
    break
  done`;

/** A script for bash 3.2 and later, which completes files if the script offers nothing. */
export function bash(program: string, commands: readonly CompletedCommand[], main: string): string {
  const name = functionOf(program);
  return `# Completes ${program} in bash: source <(${program} completion bash)
${name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} at words=
  # bash takes the equals sign of --option=value as a word of its own.
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
${whatIsTyped(commands, main, { words: 'COMP_WORDS', current: 'COMP_CWORD', first: 1 })}
  COMPREPLY=()
  if [[ $cur != -* ]]; then
    case "$command $prev" in
${valueCases(
  commands,
  (words) => `words=${quoted(words)}; COMPREPLY=($(compgen -W "$words" -- "$cur")); return`,
)
  .map((line) => `  ${line}`)
  .join('\n')}
    esac
  fi
  case $command in
${commands
  .map(
    ({ name: one, options, values }) =>
      `    ${one}) words=${quoted([...options.map((option) => option.name), ...wordsOf(values)].join(' '))} ;;`,
  )
  .join('\n')}
  esac
  # Options are offered to whoever types a dash.
  [[ $cur == -* ]] || words=$(printf '%s\\n' $words | grep -v '^-')
  if [[ $COMP_CWORD == 1 ]]; then words="$words ${commands.map((one) => one.name).join(' ')}"; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o bashdefault -o default -F ${name} ${program}
`;
}

/** \`name:meaning\`, as zsh describes words. */
const described = (name: string, meaning: string): string =>
  quoted(`${name.replaceAll(':', '\\:')}:${meaning}`);

/** A script for zsh, which may be sourced, or be a file in \`$fpath\`. */
export function zsh(program: string, commands: readonly CompletedCommand[], main: string): string {
  const name = functionOf(program);
  return `#compdef ${program}
# Completes ${program} in zsh: source <(${program} completion zsh), after compinit
${name}() {
  local cur=\${words[CURRENT]} prev=\${words[CURRENT-1]} command=\${words[2]} at
  local -a values options commands
  commands=(${commands.map(({ name: one, meaning }) => described(one, meaning)).join(' ')})
  if [[ $cur == --*=* ]]; then prev=\${cur%%=*}; compset -P '*='; cur=\${cur#*=}; fi
${whatIsTyped(commands, main, { words: 'words', current: 'CURRENT', first: 2 })}
  if [[ $cur != -* ]]; then
    case "$command $prev" in
${commands
  .flatMap((command) =>
    command.options.flatMap(({ name: option, values }) =>
      values === undefined
        ? []
        : `      ${quoted(`${command.name} ${option}`)}) ${values === 'files' ? '_files' : values === 'anything' ? '_message value' : `values=(${values.join(' ')}); compadd -a values`}; return ;;`,
    ),
  )
  .join('\n')}
    esac
  fi
  case $command in
${commands
  .map(
    ({ name: one, options, values }) =>
      `    ${one}) options=(${options.map((option) => described(option.name, option.meaning)).join(' ')})\n      ${values === 'files' ? '[[ $cur == -* ]] || _files' : `values=(${wordsOf(values).join(' ')})`} ;;`,
  )
  .join('\n')}
  esac
  (( CURRENT == 2 )) && _describe command commands
  (( \${#values} )) && compadd -a values
  [[ $cur == -* ]] && _describe option options
}
if [[ \${funcstack[1]} == ${name} ]]; then ${name} "$@"; else compdef ${name} ${program}; fi
`;
}

const fishOption = (program: string, command: string, { name, meaning, values }: CompletedOption): string => {
  const value =
    values === undefined
      ? ''
      : values === 'files'
        ? ' -r -F'
        : values === 'anything'
          ? ' -x'
          : ` -x -a ${quoted(values.join(' '))}`;
  return `complete -c ${program} -n 'test (__${byShell(program)}_command) = ${command}' -l ${name.replace(/^--/, '')}${value} -d ${fishText(meaning)}`;
};

const fishText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** A script for fish 3 and later. */
export function fish(program: string, commands: readonly CompletedCommand[], main: string): string {
  const prefix = `__${byShell(program)}`;
  const names = commands.map((one) => one.name).join(' ');
  return `# Completes ${program} in fish: ${program} completion fish | source
function ${prefix}_command
  set -l words (commandline -opc)
  if contains -- "$words[2]" ${names}
    echo $words[2]
  else
    echo ${main}
  end
end
function ${prefix}_last_option
  string match -- '-*' (commandline -opc)[-1..1] | head -n 1
end
complete -c ${program} -f
${commands
  .map(
    ({ name, meaning }) =>
      `complete -c ${program} -n 'test (count (commandline -opc)) -eq 1' -a ${name} -d ${fishText(meaning)}`,
  )
  .join('\n')}
${commands.flatMap((command) => command.options.map((option) => fishOption(program, command.name, option))).join('\n')}
${commands
  .flatMap((command) =>
    command.options.flatMap(({ name, values, isVariadic: is }) =>
      is
        ? `complete -c ${program} -n 'test (${prefix}_command) = ${command.name}; and test "$(${prefix}_last_option)" = ${name}' -a ${quoted(wordsOf(values).join(' '))}`
        : [],
    ),
  )
  .join('\n')}
${commands
  .flatMap(({ name, values }) =>
    values === 'anything'
      ? []
      : `complete -c ${program} -n 'test (${prefix}_command) = ${name}' ${values === 'files' ? '-F' : `-a ${quoted(values.join(' '))}`}`,
  )
  .join('\n')}
`;
}
