import { PLAIN_LETTERS, quote } from '../../lib/check.ts';
import { tellCodePoint } from './blocks.ts';

/** A text for people; few characters by their numbers, too. */
export function tellText(text: string): string {
  const characters = [...text];
  return characters.length > FEW ? quote(text) : `${quote(text)}, ${characters.map(tellCodePoint).join(' ')}`;
}

/** So many characters are told by their numbers. */
const FEW = 3;

/** More characters of a name are told by their number alone. */
const MANY = 100;

/** A name for people; few characters behind the own letters by their numbers, too. */
export function told(name: string): string {
  const all = [...name];
  if (all.length > MANY)
    return `the name of ${all.length} characters that begins with ${quote(all.slice(0, PLAIN_LETTERS + FEW).join(''))}`;
  const more = all.slice(PLAIN_LETTERS);
  const numbers = more.length === 0 || more.length > FEW ? '' : ` with ${more.map(tellCodePoint).join(' ')}`;
  return `the name ${quote(name)}${numbers}`;
}

/** A name as a target shows it. */
export const shown = (name: unknown): string =>
  typeof name === 'string' && [...name].length > MANY ? `one of ${[...name].length} characters` : quote(name);
