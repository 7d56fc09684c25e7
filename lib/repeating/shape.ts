/** The lines of a list, one for each tag, as the scripts split it. */
export const entriesOf = (body: string): string[] => body.split(/\}[ \t]*,[ \t]*\{/);

/** How many lines contain both texts. */
export const countIn = (entries: readonly string[], one: string, other = ''): number =>
  entries.filter((line) => line.includes(one) && line.includes(other)).length;

/**
 * A body without its values: what is left is the same in every run. A list of objects is the set of their shapes. The
 * scripts do the same with `sed`.
 */
export function shapeOf(body: string): string {
  // Some servers write blanks beside commas and colons, others do not.
  const line = body.replaceAll(/\s+/g, ' ').replaceAll(/ ?([[\]{},:]) ?/g, '$1');
  const inner = /\[\{(.*)\}\]/.exec(line)?.[1];
  if (inner === undefined) return withoutValues(line);
  const shapes = new Set(entriesOf(inner).map((entry) => withoutValues(`${entry},`)));
  return `${withoutValues(line.replace(/\[\{.*\}\]/, '[]'))} ${[...shapes].toSorted().join(' ')}`;
}

const withoutValues = (text: string): string =>
  text
    .replaceAll('""', 'E')
    .replaceAll(/: *"([^"\\]|\\.)*"/g, ':S')
    .replaceAll(/"([^"\\]|\\.)*"([\],])/g, 'S$2')
    .replaceAll(/\d+/g, 'N')
    // How many values an array has differs from run to run.
    .replaceAll(/([SNE])(,[SNE])+/g, '$1');
