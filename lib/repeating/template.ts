/** A part of a text: literal, or a shell expression such as `${NAME1}`. */
export type Part = { readonly text: string } | { readonly shell: string };

/** A text with shell expressions in place of values that differ from run to run. */
export type Template = readonly Part[];

/** Puts expressions in place of the values in a text. Longer values come first, because they may contain shorter ones. */
export function template(text: string, expressions: ReadonlyMap<string, string>): Template {
  const found = [...expressions]
    .map(([value, shell]) => ({ value, shell, at: value === '' ? -1 : text.indexOf(value) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => other.value.length - one.value.length)[0];
  if (found === undefined) return text === '' ? [] : [{ text }];
  return [
    ...template(text.slice(0, found.at), expressions),
    { shell: found.shell },
    ...template(text.slice(found.at + found.value.length), expressions),
  ];
}

/** A text, quoted as one word for a POSIX shell. */
export const literal = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A template as one word of a POSIX shell. */
export const shellWord = (parts: Template): string =>
  parts.length === 0
    ? "''"
    : parts.map((part) => ('shell' in part ? `"${part.shell}"` : literal(part.text))).join('');
