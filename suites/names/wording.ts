import { generated, quote } from '../../lib/check.ts';
import { describeCodePoint } from './blocks.ts';

/** A quotation of at most this many characters also has their code points. */
const FEW = 3;

/** A text of more characters than this is described by its length and its start. */
const MANY = 100;

/** The characters of a long text that are quoted. */
const START = 20;

/** A text in quotation marks, with the code points of a short one; of a long one the start. */
export function describeText(text: string): string {
  const characters = [...text];
  if (characters.length > MANY)
    return `${characters.length} characters that begin with ${quote(characters.slice(0, START).join(''))}`;
  return characters.length > FEW
    ? quote(text)
    : `${quote(text)}, ${characters.map(describeCodePoint).join(' ')}`;
}

/** A name in quotation marks, with the code points of the characters around its random letters if they are few. */
export function describeName(name: string): string {
  const characters = [...name];
  if (characters.length > MANY)
    return `the name of ${characters.length} characters that begins with ${quote(characters.slice(0, generated.plainLetters + FEW).join(''))}`;
  const letters = generated.ownLettersIn(name) ?? characters.slice(0, generated.plainLetters).join('');
  const others = [...name.replace(letters, '')];
  const codePoints =
    others.length === 0 || others.length > FEW ? '' : ` with ${others.map(describeCodePoint).join(' ')}`;
  return `the name ${quote(name)}${codePoints}`;
}

/** A name as the target shows it, whatever its JSON type. */
export const describeKeptName = (name: unknown): string =>
  typeof name === 'string' && [...name].length > MANY ? `one of ${[...name].length} characters` : quote(name);
