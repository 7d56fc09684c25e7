/** Between these, a filter may be read as several ones, and one without text finds everything. */
const SEPARATORS = /[\s,;|&+/]/u;

/** What some filters take for any character, or for any number of them, with the character in front. */
const WILDCARDS = /.?[*?{]|[%_]/gsu;

/** Signs of a pattern, which alone may match every name. */
const PATTERN = /[.^$()[\]{}*+?%_|\\]/u;

/** Letters and digits that no target writes with other ones; so few of the rest may be written so. */
const FEWEST_FOREIGN = 3;

/** Folds what a target may fold: letter case, accents, compatibility forms, blanks, format characters. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    // This way ß becomes ss, too.
    .toUpperCase()
    .toLowerCase();

/**
 * Whether no filter of a name, however it matches, finds a name: they have no character in common, and the filter holds
 * something to look for.
 */
export function isUnlike(filter: string, name: string): boolean {
  const [sought, own] = [folded(filter), new Set(folded(name))];
  return holdsText(sought) && ![...sought].some((char) => own.has(char));
}

/** Whether there is something to look for in each part of a filter, be it read as a pattern, as words or as a list. */
function holdsText(filter: string): boolean {
  // A target may drop control characters, or take one for the end.
  if (/\p{C}/u.test(filter)) return false;
  const foreign = filter.match(/[^\0-\x7f]/gu) ?? [];
  const hasOwn = /[a-z\d]/.test(filter);
  // A few letters may be written in ASCII, and signs of other scripts may count as nothing.
  if (!hasOwn && foreign.length > 0)
    return (filter.match(/[\p{L}\p{N}]/gu) ?? []).length >= FEWEST_FOREIGN && !SEPARATORS.test(filter);
  if (!hasOwn) return filter !== '' && !SEPARATORS.test(filter) && !PATTERN.test(filter);
  return filter
    .replace(WILDCARDS, '')
    .split(SEPARATORS)
    .every((part) => /[a-z\d]/.test(part));
}
