import { randomInt } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

/** Every plain name starts with it, so that people can tell the suite's tags from their own. */
const PREFIX = 'ct';

/** The number of letters in a plain name. */
export const PLAIN_LETTERS = 14;

/** Whether a name starts like a plain name: its random letters are nobody else's. */
export const isRunName = (name: string): boolean =>
  new RegExp(`^${PREFIX}[a-z]{${PLAIN_LETTERS - PREFIX.length}}`).test(name);

/**
 * Makes the names of one run, each unlike every other in any letter case. Their letters are random in every run and do
 * not follow from the seed, so that two runs with one seed can share an account where names are unique. Names share no
 * text but the prefix, so that a filter by similarity or by a part of a name tells them apart. They fit where names
 * have at most 15 letters.
 */
export class Names {
  readonly #given = new Set<string>();

  /** A plain name: 14 lower-case ASCII letters. */
  plain(): string {
    return this.#keep(() => `${PREFIX}${randomLetters(PLAIN_LETTERS - PREFIX.length)}`);
  }

  /** 14 letters of this alphabet. */
  lettersOf(alphabet: string): string {
    return this.#keep(() => randomLetters(PLAIN_LETTERS, alphabet));
  }

  /** A plain name followed by this text. */
  endingIn(text: string): string {
    return this.extended(this.plain(), text);
  }

  /** A name of the run followed by a text, by default by a letter. */
  extended(name: string, text = 'z'): string {
    this.#given.add(`${name}${text}`);
    return `${name}${text}`;
  }

  /** A number of nine digits, whose text is a name of the run. */
  number(): number {
    return Number(this.numeric('#'));
  }

  /** A name in the form of a number: `#` in the form stands for nine digits. */
  numeric(form: string): string {
    return this.#keep(() => form.replace('#', String(randomInt(100_000_000, 1_000_000_000))));
  }

  /** Treats a name of an earlier run as one of this run, which removes the tags of that run. */
  recall(name: string): void {
    this.#given.add(name);
  }

  /** Whether this run gave the name. */
  isOwn(name: string): boolean {
    return this.#given.has(name);
  }

  #keep(make: () => string): string {
    let name = make();
    while (this.#given.has(name)) name = make();
    this.#given.add(name);
    return name;
  }
}

/** No letter stands twice in a row: a target may refuse names with repeated letters. */
function randomLetters(count: number, alphabet: string = ALPHABET): string {
  let letters = '';
  while (letters.length < count) {
    const letter = alphabet[randomInt(alphabet.length)] ?? '';
    if (!letters.endsWith(letter)) letters += letter;
  }
  return letters;
}
