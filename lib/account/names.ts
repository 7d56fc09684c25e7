import { createHash, randomBytes } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

/** Every plain name starts with it, so that people can tell the suite's tags from their own. */
const PREFIX = 'ct';

/** The number of letters in a plain name. */
export const PLAIN_LETTERS = 16;

/** Whether a name starts like a plain name, which only a run of this suite gives. */
export const isRunName = (name: string): boolean =>
  new RegExp(`^${PREFIX}[a-z]{${PLAIN_LETTERS - PREFIX.length}}`).test(name);

/**
 * Makes the names of one run, each unlike every other. They hold a nonce, which is new in every run and does not follow
 * from the seed, so that two runs with one seed can share an account where names are unique.
 */
export class Names {
  readonly #nonce: string;
  readonly #given = new Set<string>();
  #count = 0;

  constructor(nonce: string = lettersFrom(randomBytes(16), 6)) {
    this.#nonce = nonce;
  }

  /** A plain name: 16 lower-case ASCII letters. */
  plain(): string {
    return this.#keep(() => `${PREFIX}${this.#nonce}${this.#letters(8)}`);
  }

  /** 16 letters of this alphabet. */
  lettersOf(alphabet: string): string {
    return this.#keep(() => this.#letters(PLAIN_LETTERS, alphabet));
  }

  /** A plain name followed by this text. */
  endingIn(text: string): string {
    return this.extended(this.plain(), text);
  }

  /** A name of the run followed by a text, by default by two letters. */
  extended(name: string, text = 'zz'): string {
    this.#given.add(`${name}${text}`);
    return `${name}${text}`;
  }

  /** A number of nine digits, whose text is a name of the run. */
  number(): number {
    return Number(this.numeric('#'));
  }

  /** A name in the form of a number: `#` in the form stands for nine digits. */
  numeric(form: string): string {
    const digits = (): number => 100_000_000 + (this.#hash().readUInt32BE(0) % 900_000_000);
    return this.#keep(() => form.replace('#', String(digits())));
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

  #letters(count: number, alphabet: string = ALPHABET): string {
    return lettersFrom(this.#hash(), count, alphabet);
  }

  #hash(): Buffer {
    return createHash('sha256').update(`${this.#nonce}/${++this.#count}`).digest();
  }
}

const lettersFrom = (bytes: Buffer, count: number, alphabet: string = ALPHABET): string =>
  Array.from(bytes.subarray(0, count), (byte) => alphabet[byte % alphabet.length]).join('');
