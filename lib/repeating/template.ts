/** A part of a text: as it is, or the value of a shell variable. */
export type Part = { readonly text: string } | { readonly variable: string };

/** A text with shell variables in place of values that differ from run to run. */
export type Template = readonly Part[];

/** Puts variables in place of the values in a text. A longer value goes before a shorter one within it. */
export function template(text: string, variables: ReadonlyMap<string, string>): Template {
  const found = [...variables]
    .map(([value, variable]) => ({ value, variable, at: value === '' ? -1 : text.indexOf(value) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => other.value.length - one.value.length)[0];
  if (found === undefined) return text === '' ? [] : [{ text }];
  return [
    ...template(text.slice(0, found.at), variables),
    { variable: found.variable },
    ...template(text.slice(found.at + found.value.length), variables),
  ];
}

/** A template as one word of a POSIX shell. */
export const shellWord = (parts: Template): string =>
  parts.length === 0
    ? "''"
    : parts
        .map((part) =>
          'variable' in part ? `"\${${part.variable}}"` : `'${part.text.replaceAll("'", `'\\''`)}'`,
        )
        .join('');
