import { generated, literalPattern } from '../../lib/check.ts';
import { describeCodePoint } from './blocks.ts';

/** Invisible characters, which a target may drop or turn into blanks. `DI` stands for default-ignorable code points. */
const GAP = '[\\s\\p{Z}\\p{Cc}\\p{Cf}\\p{DI}]';
const GAPS = new RegExp(`(${GAP}+)`, 'u');

/** Blanks and line separators. If a gap contains one, dropping the whole gap would join two words. */
const SEPARATOR = /\p{Z}/u;

/** Line separators: a target may keep one kind of them for all. */
const LINE_END = /[\n\r\u0085\u2028\u2029]/;

/**
 * Whether a kept name is a faithful form of the name that was sent: trimmed, with inner blanks folded, normalised, in
 * another letter case, or without control and format characters.
 *
 * @param options.hasCase whether the letter case has to be that of the name that was sent.
 */
export function isFormOf(kept: string, sent: string, { hasCase = false } = {}): boolean {
  if (kept === sent) return true;
  const folded = hasCase ? compatible : foldedCase;
  const parts = folded(sent).split(GAPS);
  const pattern = parts.map((part, at) => {
    if (at % 2 === 0) return literalPattern(part);
    const isOuter = (at === 1 && parts[0] === '') || (at === parts.length - 2 && parts.at(-1) === '');
    return `(${GAP}${SEPARATOR.test(part) && !isOuter ? '+' : '*'})`;
  });
  const gaps = new RegExp(`^${pattern.join('')}$`, 'u').exec(folded(kept))?.slice(1);
  return (
    gaps?.every((gap, at) => isFoldedGap(gap, parts[at * 2 + 1] ?? '')) === true && hasNoNewForm(kept, sent)
  );
}

/** Whether a gap has nothing but characters of the gap that was sent, and blanks in place of some of them. */
function isFoldedGap(kept: string, sent: string): boolean {
  const isKnown = (char: string): boolean =>
    char === ' ' || sent.includes(char) || (char === '\n' && LINE_END.test(sent));
  return kept.length <= sent.length && [...kept].every(isKnown);
}

/** Whether a kept name has no compatibility character that was not sent: no normal form adds one. */
function hasNoNewForm(kept: string, sent: string): boolean {
  const known = new Set([...lowered(sent), ...lowered(sent.toUpperCase())]);
  return [...lowered(kept)].every(
    (char) => char.normalize('NFKD') === char.normalize('NFD') || BLANK.test(char) || known.has(char),
  );
}

const lowered = (text: string): string => text.normalize('NFD').toLowerCase();

const BLANK = new RegExp(GAP, 'u');

/** A text with compatibility forms folded. */
const compatible = (text: string): string => text.normalize('NFKD');

/** A text with compatibility forms and letter case folded. */
const foldedCase = (text: string): string => {
  const small = compatible(text).toLowerCase().toUpperCase().toLowerCase();
  // The characters around a sigma decide whether it is a final one. Some libraries drop the dot of a lower-cased İ.
  return small.replaceAll('ς', 'σ').normalize('NFKD').replaceAll('i\u0307', 'i');
};

/**
 * The likely forms of a name, given the form in which the target keeps another name: that form with the letters of this
 * name.
 */
export function formsLike(sent: string, kept: string, name: string): string[] {
  const [before, letters] = [generated.ownLettersIn(kept), generated.ownLettersIn(name)];
  if (before === undefined || letters === undefined || kept === sent) return [];
  return [letters, letters.toUpperCase(), letters.slice(0, 1).toUpperCase() + letters.slice(1)].map((one) =>
    kept.replace(before, () => one),
  );
}

/**
 * The first difference between a kept name and the name that was sent, apart from letter case, as a clause: `first
 * different at character 17, where U+00E9 (Latin-1 Supplement) became U+0065 (Basic Latin)`.
 */
export function describeDifference(sent: string, kept: string): string {
  const [one, other] = [[...sent], [...kept]];
  const at = one.findIndex((char, index) => char.toLowerCase() !== other[index]?.toLowerCase());
  if (at < 0) return `with ${describeCodePoint(other[one.length] ?? '')} added at its end`;
  const became = other[at];
  const place = `first different at character ${at + 1}, where ${describeCodePoint(one[at] ?? '')}`;
  return became === undefined
    ? `${place} and everything after it is missing`
    : `${place} became ${describeCodePoint(became)}`;
}

/** A name as sent, and as listed. */
interface KeptName {
  readonly sent: string;
  readonly kept: string;
}

/** Whether two names with the same text around their random letters are also kept with the same text around them. */
export function isSameForm(one: KeptName, other: KeptName): boolean {
  const [letters, otherLetters] = [lettersOf(one.sent), lettersOf(other.sent)];
  if (one.sent.replace(letters, '') !== other.sent.replace(otherLetters, '')) return true;
  const frame = textAround(one.kept, letters);
  const otherFrame = textAround(other.kept, otherLetters);
  if (frame === undefined || otherFrame === undefined || frame === otherFrame) return true;
  // A form in title case has a capital where the name begins, and that may be in front of the letters or not.
  const standAlike = textAround(one.sent, letters) === textAround(other.sent, otherLetters);
  return !standAlike && joined(frame) === joined(otherFrame);
}

const joined = (frame: string): string => foldedCase(frame.replace('\n', ''));

const lettersOf = (sent: string): string =>
  generated.ownLettersIn(sent) ?? sent.slice(0, generated.plainLetters);

/** The kept name without its random letters; undefined if an accent was composed with one of them. */
function textAround(kept: string, letters: string): string | undefined {
  // The lower case of a whole name may be longer than the name.
  const at = new RegExp(literalPattern(letters), 'i').exec(kept)?.index;
  return at === undefined ? undefined : `${kept.slice(0, at)}\n${kept.slice(at + letters.length)}`;
}
