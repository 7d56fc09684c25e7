import { PLAIN_LETTERS } from '../../lib/check.ts';
import { tellCodePoint } from './blocks.ts';

/** What may be dropped or stand for a blank: all that cannot be seen. `DI`: what Unicode says fonts may leave out. */
const GAP = '[\\s\\p{Z}\\p{Cc}\\p{Cf}\\p{DI}]';

/** A gap that something is lost with if nothing is left of it, because there is a blank or the end of a line in it. */
const BLANK = /\p{Z}/u;

/**
 * Whether a name is the one that was sent, in a form in which a target may keep it: trimmed, with inner blanks folded,
 * normalised, in another letter case, without control and format characters.
 */
export function isFormOf(kept: string, sent: string): boolean {
  const gaps = new RegExp(`(${GAP}+)`, 'u');
  const parts = folded(sent).split(gaps);
  const pattern = parts.map((part, at) => {
    if (at % 2 === 0) return part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    const isOuter = at === 1 && parts[0] === '' ? true : at === parts.length - 2 && parts.at(-1) === '';
    return `${GAP}${BLANK.test(part) && !isOuter ? '+' : '*'}`;
  });
  return new RegExp(`^${pattern.join('')}$`, 'u').test(folded(kept));
}

/** What remains of a text when compatibility forms and letter case do not count. */
const folded = (text: string): string => {
  const small = text.normalize('NFKD').toLowerCase().toUpperCase().toLowerCase();
  // Whether a sigma is a final one depends on what is around it, and some make of İ what it has as a dot anyway.
  return small.replaceAll('ς', 'σ').normalize('NFKD').replaceAll('i\u0307', 'i');
};

/**
 * Where a name that was kept first differs from the one that was sent, but for letter case, as a clause: `first different at character 17,
 * where U+00E9 (Latin-1 Supplement) became U+0065 (Basic Latin)`.
 */
export function tellDifference(sent: string, kept: string): string {
  const [one, other] = [[...sent], [...kept]];
  const at = one.findIndex((char, index) => char.toLowerCase() !== other[index]?.toLowerCase());
  if (at < 0) return `with ${tellCodePoint(other[one.length] ?? '')} added at its end`;
  const became = other[at];
  const place = `first different at character ${at + 1}, where ${tellCodePoint(one[at] ?? '')}`;
  return became === undefined
    ? `${place} and all after it is gone`
    : `${place} became ${tellCodePoint(became)}`;
}

/** A name as it was sent, and as it is listed. */
export interface Kept {
  readonly sent: string;
  readonly kept: string;
}

/** Whether two names that go on with the same text behind their own letters do so as they are kept, too. */
export function isSameForm(one: Kept, other: Kept): boolean {
  if (one.sent.slice(PLAIN_LETTERS) !== other.sent.slice(PLAIN_LETTERS)) return true;
  const [end, otherEnd] = [one, other].map(({ sent, kept }) => {
    // An accent may have become one with the last of the own letters.
    const isAsSent = kept.slice(0, PLAIN_LETTERS).toLowerCase() === sent.slice(0, PLAIN_LETTERS);
    return isAsSent ? kept.slice(PLAIN_LETTERS) : undefined;
  });
  return end === undefined || otherEnd === undefined || end === otherEnd;
}
