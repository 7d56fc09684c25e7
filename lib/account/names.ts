import { randomInt, randomUUID } from 'node:crypto';

/**
 * The letters of random names. They spell no word or abbreviation, because a target may refuse names that contain an
 * indecent one. There are no vowels, and of the consonants in `wtf`, `fck`, `kkk` and `xxx` only c and t.
 */
const ALPHABET = 'bcdghjlmnpqrtvz';

/** Letters that indecent words and their abbreviations need. */
const OF_WORDS = /[aeiouyfs]/gi;

/** Every plain name starts with this, so that people can tell the suite's tags from their own. */
const PREFIX = 'ct';

/** The number of letters in a plain name. */
export const PLAIN_LETTERS = 14;

/** Matches a plain name, in one letter case or with a capital first. Its letters are random, so nobody else uses it. */
const RANDOM = (() => {
  const count = PLAIN_LETTERS - PREFIX.length;
  const lower = `[${PREFIX.slice(0, 1)}${PREFIX.slice(0, 1).toUpperCase()}]${PREFIX.slice(1)}[a-z]{${count}}`;
  return new RegExp(`${lower}|${PREFIX.toUpperCase()}[A-Z]{${count}}`);
})();

/** The plain name inside a name, in one letter case or with a capital first; undefined if there is none. */
export const randomLettersIn = (name: string): string | undefined => RANDOM.exec(name)?.[0];

/** Whether a name has the form of `Names.lettersOf`: 14 letters, none of which words need. Nobody else uses such names. */
export const isOfLetters = (name: string): boolean =>
  name.length === PLAIN_LETTERS && /^[a-z]+$/i.test(name) && name.replace(OF_WORDS, '') === name;

/** This many random letters or digits in a row show that a name is the run's. */
export const TELLING_LETTERS = 6;

/** If another tag has this many random letters of a name of the run in a row, the target made that tag from the name. */
const PIECE = 7;

/** Names from a given alphabet with fewer letters have no such pieces: other runs may use the same ones by chance. */
const LEAST_FOR_PIECES = 16;

/** Folds letter case, accents, blanks and format characters, as targets do that keep names in another form. */
export const folded = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\p{M}\p{C}\p{Z}]/gu, '')
    // This way ß becomes ss, too.
    .toUpperCase()
    .toLowerCase();

/** Whether a name starts with a plain name. */
export const isRunName = (name: string): boolean => RANDOM.exec(name)?.index === 0;

/** The plain name inside a name, in any mixture of letter cases; undefined if there is none. */
export const ownLettersIn = (name: string): string | undefined => INSIDE.exec(name)?.[0];

const INSIDE = new RegExp(`${PREFIX}[a-z]{${PLAIN_LETTERS - PREFIX.length}}`, 'i');

/** A letter case in which some targets keep all names. The functions agree for plain names, but not for others. */
type NameForm = readonly ((name: string) => string)[];

const capitalised =
  (first: RegExp) =>
  (name: string): string =>
    name.replace(first, (letter) => letter.toUpperCase());

/** The first character, the first letter of each word, and each letter after anything else. */
const FIRST = [/^./su, /(?<!\S)\p{L}/gu, /(?<!\p{L})\p{L}/gu];

const FORMS: readonly NameForm[] = [
  [(name) => name.toUpperCase()],
  // The other letters are small, or stay as they were.
  [
    ...FIRST.map((first) => (name: string) => capitalised(first)(name.toLowerCase())),
    ...FIRST.map(capitalised),
  ],
];

/** The letter case in which a target keeps a plain name; undefined if it keeps the name as sent. */
export const formOf = (kept: unknown, sent: string): NameForm | undefined =>
  kept === sent ? undefined : FORMS.find((form) => form[0]?.(sent) === kept);

/** Forms in which targets are known to keep a name. */
const knownForms = (name: string): string[] => {
  const squished = (text: string): string => text.replace(/\s+/g, ' ').trim();
  // The regular expression `\s` also matches U+FEFF, which is a format character.
  const tidy = squished(name.replace(/(?!\s)\p{Cc}|\p{Cf}/gu, ''));
  const normalised = (['NFC', 'NFD', 'NFKC', 'NFKD'] as const).flatMap((form) => [
    name.normalize(form),
    tidy.normalize(form),
  ]);
  const inLowerCase = [name, tidy].flatMap((one) =>
    (['NFC', 'NFKC'] as const).flatMap((form) => [
      one.normalize(form).toLowerCase(),
      one.toLowerCase().normalize(form),
    ]),
  );
  return [
    name.trim(),
    squished(name),
    tidy,
    name.replace(/\p{C}/gu, ''),
    ...normalised,
    // Without accents.
    ...[name, tidy].map((one) => one.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC')),
    // Full case folding differs from lower case: ß becomes ss, and a final sigma another one.
    ...[name, tidy].flatMap((one) => [one.toLowerCase(), one.toUpperCase(), one.toUpperCase().toLowerCase()]),
    ...inLowerCase,
  ];
};

/**
 * Makes the names of one run, each different from every other in any letter case. Their letters are random and do not
 * depend on the seed, so two runs with the same seed can use one account even if names are unique. Names share no text but
 * the prefix, so a filter by similarity or by a part of a name tells them apart.
 */
export class Names {
  readonly #given = new Set<string>();
  /** Every piece of that length of the random letters of names. */
  readonly #pieces = new Set<string>();
  #forms: NameForm = [(name) => name];

  /** From now on, plain names have the letter case in which the target keeps them. */
  keepIn(form: NameForm): void {
    this.#forms = form;
  }

  /** The forms of a name in the letter case in which the target keeps names, the likeliest first. */
  inKeptCase(name: string): string[] {
    return this.#forms.map((form) => form(name));
  }

  /** The forms in which the target may keep a name: those in which it keeps others first. */
  likelyForms(name: string): string[] {
    return [...this.inKeptCase(name), ...knownForms(name)];
  }

  #kept(name: string): string {
    return this.inKeptCase(name)[0] ?? name;
  }

  /** A plain name: 14 ASCII letters, in lower case unless the target keeps names in another one. */
  plain(): string {
    return this.#keep(() => this.#kept(`${PREFIX}${this.#random(PLAIN_LETTERS - PREFIX.length)}`));
  }

  /** A name of 14 letters of this alphabet, but of none that words need: see `ALPHABET`. */
  lettersOf(alphabet: string): string {
    const letters = alphabet.replace(OF_WORDS, '');
    return this.#keep(() => this.#kept(this.#random(PLAIN_LETTERS, letters)));
  }

  /** A plain name followed by this text. */
  endingIn(text: string): string {
    return this.extended(this.plain(), text);
  }

  /** A name of the run followed by a text, by default the ending of a plural. */
  extended(name: string, text?: string): string {
    const extended = text === undefined ? this.#kept(`${name}s`) : `${name}${text}`;
    this.#give(extended);
    return extended;
  }

  /** A plain name between two texts. */
  around(before: string, after: string): string {
    return this.#keep(() => `${before}${this.plain()}${after}`);
  }

  /** A random UUID as a name. */
  uuid(): string {
    return this.#keep(() => randomUUID());
  }

  /** A number of nine digits, whose text counts as a name of the run. */
  number(): number {
    return Number(this.numeric('#'));
  }

  /** A name in the form of a number: nine digits replace `#`, or another placeholder, in the form. */
  numeric(form: string, placeholder = '#'): string {
    return this.#keep(() => form.replace(placeholder, randomDigits(9)));
  }

  /** Treats a name of an earlier run as a name of this run, which is to remove that run's tags. */
  recall(name: string): void {
    this.#given.add(name);
  }

  /** Whether this run made the name. */
  isOwn(name: string): boolean {
    return this.#given.has(name);
  }

  /** Whether strangers may use the name, too: it holds nothing random of this run. */
  isCommon(name: string): boolean {
    return !this.isOwn(name) && ownLettersIn(name) === undefined;
  }

  /** Whether a name, which another run did not make, holds a piece of the random letters of one of this run. */
  holdsPiece(name: string): boolean {
    const letters = folded(name);
    return (
      ownLettersIn(name) === undefined &&
      Array.from(letters, (_, at) => letters.slice(at, at + PIECE)).some((piece) => this.#pieces.has(piece))
    );
  }

  #random(count: number, alphabet?: string): string {
    const letters = randomLetters(count, alphabet);
    // A piece of few different letters may stand in a name of another run by chance.
    if (alphabet !== undefined && alphabet.length < LEAST_FOR_PIECES) return letters;
    for (let at = 0; at + PIECE <= count; at++) this.#pieces.add(letters.slice(at, at + PIECE).toLowerCase());
    return letters;
  }

  #keep(make: () => string): string {
    let name = make();
    while (this.#given.has(name)) name = make();
    this.#give(name);
    return name;
  }

  /**
   * Lists may show a name in lower case, in the letter case in which the target keeps all names, or with another blank
   * between its letters.
   */
  #give(name: string): void {
    const letters = ownLettersIn(folded(name)) ?? name;
    for (const form of [name, ...this.inKeptCase(name), name.toLowerCase(), letters]) this.#given.add(form);
  }
}

/** The digits of a number. The first one is not zero. */
const randomDigits = (count: number): string =>
  randomLetters(1, '123456789') + randomLetters(count - 1, '0123456789');

/** Random letters, no two alike in a row: a target may refuse names with repeated letters. */
function randomLetters(count: number, alphabet: string = ALPHABET): string {
  let letters = '';
  while (letters.length < count) {
    const letter = alphabet[randomInt(alphabet.length)] ?? '';
    if (!letters.endsWith(letter)) letters += letter;
  }
  return letters;
}
