import { randomInt } from 'node:crypto';

const KINDS = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'] as const;
const [LETTERS] = KINDS;

const oneOf = (chars: string): string => chars[randomInt(chars.length)] ?? '';

/** Another character of the same kind that also differs from the character before it. Punctuation stays as it is. */
function like(char: string, before: string | undefined): string {
  const kind = KINDS.find((chars) => chars.includes(char));
  if (kind !== undefined) return oneOf(kind.replace(char, '').replace(before ?? '', ''));
  const code = char.codePointAt(0) ?? 0;
  const isSameKind = [/\p{Ll}/u, /\p{Lu}/u, /\p{Lo}/u].find((one) => one.test(char));
  // Letters of one kind are adjacent in Unicode.
  const others = Array.from({ length: 16 }, (_, at) => String.fromCodePoint((code & ~15) + at)).filter(
    (other) => other !== char && isSameKind?.test(other) === true,
  );
  return others.length === 0 ? char : (others[randomInt(others.length)] ?? char);
}

/**
 * A random text with the length and the kinds of characters of a given one, because a target may refuse any other form
 * before it compares credentials.
 *
 * @param isSame whether a text counts as the given one.
 */
export function madeUpLike(text: string, isSame: (made: string) => boolean): string {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const made: string[] = [];
    for (const char of text) made.push(like(char, made.at(-1)));
    if (!isSame(made.join(''))) return made.join('');
  }
  // A text of blanks or punctuation has no character that could be replaced.
  return Array.from({ length: Math.max([...text].length, FEWEST) }, () => oneOf(LETTERS)).join('');
}

const ATTEMPTS = 20;
const FEWEST = 8;

/** A username of the form of a given one. In a mail address, the domain stays. */
export function usernameLike(username: string, isTaken: (made: string) => boolean): string {
  const [, local = username, domain = ''] = /^(.*?)(@.*)?$/s.exec(username) ?? [];
  return `${madeUpLike(local, (made) => isTaken(`${made}${domain}`))}${domain}`;
}

/** A text with its characters in another order. */
export function shuffled(text: string, isSame: (made: string) => boolean): string | undefined {
  const characters = [...text];
  for (let by = 1; by < characters.length; by++) {
    const turned = [...characters.slice(by), ...characters.slice(0, by)].join('');
    if (!isSame(turned)) return turned;
  }
  return undefined;
}

/** A username that differs in one letter or digit in its middle. */
export function oneCharacterOff(username: string): string | undefined {
  const local = username.replace(/@.*$/s, '');
  const places = [...local].flatMap((char, at) => (like(char, undefined) === char ? [] : [at]));
  const at = places[Math.floor(places.length / 2)];
  return at === undefined
    ? undefined
    : username.slice(0, at) + like(username[at] ?? '', username[at - 1]) + username.slice(at + 1);
}
