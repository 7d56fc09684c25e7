/** Separators: a target may read a filter with them as several filters, and an empty one finds everything. */
const SEPARATORS = /[\s,;|&+/]/u;

/** Matches wildcards, with the character before them, which some wildcards repeat. */
const WILDCARDS = /.?[*?{]|[%_]/gsu;

/** Characters of patterns, each of which may match every name. */
const PATTERN = /[.^$()[\]{}*+?%_|\\]/u;

/** With fewer letters and digits outside ASCII, a target may transliterate them to ASCII. */
const FEWEST_FOREIGN = 3;

/** Folds letter case, accents, compatibility forms and format characters, as a target may. */
const foldedKeepingBlanks = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    // This way ß becomes ss, too.
    .toUpperCase()
    .toLowerCase();

/**
 * Whether a filter cannot find a name, however it matches: the two have no character in common, and the filter is not
 * empty in any reading.
 */
export function isUnlike(filter: string, name: string): boolean {
  const [sought, own] = [foldedKeepingBlanks(filter), new Set(foldedKeepingBlanks(name))];
  return holdsText(sought) && ![...sought].some((char) => own.has(char));
}

/** Whether each part of a filter holds text, whether it is read as a pattern, as words or as a list. */
function holdsText(filter: string): boolean {
  // A target may drop control characters, or end the text at one.
  if (/\p{C}/u.test(filter)) return false;
  const foreign = filter.match(/[^\0-\x7f]/gu) ?? [];
  const hasOwn = /[a-z\d]/.test(filter);
  // A few letters may be transliterated to ASCII, and other characters may be ignored.
  if (!hasOwn && foreign.length > 0)
    return (filter.match(/[\p{L}\p{N}]/gu) ?? []).length >= FEWEST_FOREIGN && !SEPARATORS.test(filter);
  if (!hasOwn) return filter !== '' && !SEPARATORS.test(filter) && !PATTERN.test(filter);
  return filter
    .replace(WILDCARDS, '')
    .split(SEPARATORS)
    .every((part) => /[a-z\d]/.test(part));
}
