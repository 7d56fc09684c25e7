import { randomInt, randomUUID } from 'node:crypto';

/**
 * Random letters spell no word, and no abbreviation that people take for one: a target may refuse names that hold an
 * indecent word anywhere. So there is no vowel, and none of the consonants in `wtf`, `fck`, `kkk` and `xxx` but c and t.
 */
const ALPHABET = 'bcdghjlmnpqrtvz';

/** Every plain name starts with it, so that people can tell the suite's tags from their own. */
const PREFIX = 'ct';

/** The number of letters in a plain name. */
export const PLAIN_LETTERS = 14;

/** The letters of a plain name, all in one letter case or with a capital first: they are random, and so nobody else's. */
const RANDOM = (() => {
  const count = PLAIN_LETTERS - PREFIX.length;
  const lower = `[${PREFIX.slice(0, 1)}${PREFIX.slice(0, 1).toUpperCase()}]${PREFIX.slice(1)}[a-z]{${count}}`;
  return new RegExp(`${lower}|${PREFIX.toUpperCase()}[A-Z]{${count}}`);
})();

/** The random letters in a name, which nobody else gives. */
export const randomLettersIn = (name: string): string | undefined => RANDOM.exec(name)?.[0];

/** This many random letters or digits of a name in a row are nobody else's. */
export const TELLING_LETTERS = 6;

/** Folds what targets fold that keep names in a form of their own: letter case, accents, blanks, format characters. */
export const folded = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\p{M}\p{C}\p{Z}]/gu, '')
    // This way ß becomes ss, too.
    .toUpperCase()
    .toLowerCase();

/** Whether a name starts like a plain name. */
export const isRunName = (name: string): boolean => RANDOM.exec(name)?.index === 0;

/** The letters of a plain name of a run inside a longer name, in whatever letter case; undefined if it has none. */
export const ownLettersIn = (name: string): string | undefined => INSIDE.exec(name)?.[0];

const INSIDE = new RegExp(`${PREFIX}[a-z]{${PLAIN_LETTERS - PREFIX.length}}`, 'i');

/** A letter case in which some targets keep all names: functions that agree about plain names, but not about others. */
type NameForm = readonly ((name: string) => string)[];

const titled =
  (first: RegExp) =>
  (name: string): string =>
    name.toLowerCase().replace(first, (letter) => letter.toUpperCase());

const FORMS: readonly NameForm[] = [
  [(name) => name.toUpperCase()],
  // The first character, the first letter of each word, and each letter behind anything else.
  [titled(/^./su), titled(/(?<!\S)\p{L}/gu), titled(/(?<!\p{L})\p{L}/gu)],
];

/** The letter case in which a target keeps a plain name, if it is not the one that was sent. */
export const formOf = (kept: unknown, sent: string): NameForm | undefined =>
  kept === sent ? undefined : FORMS.find((form) => form[0]?.(sent) === kept);

/**
 * Makes the names of one run, each unlike every other in any letter case. Their letters are random in every run and do
 * not follow from the seed, so that two runs with one seed can share an account if names are unique. Names share no
 * text but the prefix, so that a filter by similarity or by a part of a name tells them apart. They fit if names
 * have at most 15 letters.
 */
export class Names {
  readonly #given = new Set<string>();
  #forms: NameForm = [(name) => name];

  /** From now on, plain names are given in the letter case in which the target keeps them. */
  keepIn(form: NameForm): void {
    this.#forms = form;
  }

  /** The forms that a name may have in the letter case in which the target keeps names, the likeliest first. */
  inKeptCase(name: string): string[] {
    return this.#forms.map((form) => form(name));
  }

  #kept(name: string): string {
    return this.inKeptCase(name)[0] ?? name;
  }

  /** A plain name: 14 ASCII letters, in lower case unless the target keeps names in another one. */
  plain(): string {
    return this.#keep(() => this.#kept(`${PREFIX}${randomLetters(PLAIN_LETTERS - PREFIX.length)}`));
  }

  /** 14 letters of this alphabet. */
  lettersOf(alphabet: string): string {
    return this.#keep(() => this.#kept(randomLetters(PLAIN_LETTERS, alphabet)));
  }

  /** A plain name followed by this text. */
  endingIn(text: string): string {
    return this.extended(this.plain(), text);
  }

  /** A name of the run followed by a text, by default by a letter. */
  extended(name: string, text?: string): string {
    const extended = text === undefined ? this.#kept(`${name}z`) : `${name}${text}`;
    this.#given.add(extended);
    return extended;
  }

  /** A plain name between two texts. */
  around(before: string, after: string): string {
    return this.#keep(() => `${before}${this.plain()}${after}`);
  }

  /** A random UUID, which is a name of the run. */
  uuid(): string {
    return this.#keep(() => randomUUID());
  }

  /** A number of nine digits, whose text is a name of the run. */
  number(): number {
    return Number(this.numeric('#'));
  }

  /** A name in the form of a number: `#`, or another placeholder, stands in the form for nine digits. */
  numeric(form: string, placeholder = '#'): string {
    return this.#keep(() => form.replace(placeholder, randomDigits(9)));
  }

  /** Treats a name of an earlier run as one of this run, which removes the tags of that run. */
  recall(name: string): void {
    this.#given.add(name);
  }

  /** Whether this run gave the name. */
  isOwn(name: string): boolean {
    return this.#given.has(name);
  }

  /** Whether somebody else could give the name, too: it holds nothing random of this run. */
  isCommon(name: string): boolean {
    return !this.isOwn(name) && ownLettersIn(name) === undefined;
  }

  #keep(make: () => string): string {
    let name = make();
    while (this.#given.has(name)) name = make();
    this.#given.add(name);
    // A list may show it in lower case.
    this.#given.add(name.toLowerCase());
    return name;
  }
}

/** The digits of a number: the first one is no zero. */
const randomDigits = (count: number): string =>
  randomLetters(1, '123456789') + randomLetters(count - 1, '0123456789');

/** No letter stands twice in a row: a target may refuse names with repeated letters. */
function randomLetters(count: number, alphabet: string = ALPHABET): string {
  let letters = '';
  while (letters.length < count) {
    const letter = alphabet[randomInt(alphabet.length)] ?? '';
    if (!letters.endsWith(letter)) letters += letter;
  }
  return letters;
}
