/** A command that the runner of GitHub Actions carries out. */
export interface RunnerCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly text: string;
}

const unescaped = (text: string): string =>
  text
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%25', '%');

/** Reads the output of a step as the runner does: `::name key=value::text` starts a line, `##[name]text` stands anywhere. */
export function commandsIn(output: string): RunnerCommand[] {
  const found: RunnerCommand[] = [];
  let stopped: string | undefined;
  for (const line of output.split(/\r?\n|\r/)) {
    const [, name = '', list = '', text = ''] =
      /^\s*::([^ :]+)(?: ([^:]*))?::(.*)$/.exec(line) ??
      /##\[([^\] ]+)(?: ([^\]]*))?\](.*)$/.exec(line) ??
      [];
    if (name === '') continue;
    if (stopped !== undefined) {
      if (name === stopped) stopped = undefined;
    } else if (name === 'stop-commands') stopped = text;
    else {
      const pairs = list.split(',').filter((pair) => pair !== '');
      const properties = Object.fromEntries(
        pairs.map((pair) => [pair.split('=')[0] ?? '', unescaped(pair.slice(pair.indexOf('=') + 1))]),
      );
      found.push({ name, properties, text: unescaped(text) });
    }
  }
  return found;
}

/** Reads a file of outputs: `name=value`, or `name<<mark`, the value, and the mark. */
export function outputsIn(content: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = content.split('\n');
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    const [, name = '', mark = ''] = /^([^=<]+)<<(.+)$/.exec(line) ?? [];
    if (name === '') {
      const [, key = '', value = ''] = /^([^=]+)=(.*)$/.exec(line) ?? [];
      if (key !== '') outputs[key] = value;
      continue;
    }
    const end = lines.indexOf(mark);
    if (end < 0) throw new Error(`the output ${name} has no end`);
    outputs[name] = lines
      .splice(0, end + 1)
      .slice(0, -1)
      .join('\n');
  }
  return outputs;
}
