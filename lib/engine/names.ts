import { createHash, randomBytes } from 'node:crypto';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Stands at the start of every plain name, so that people can tell the suite's tags from their own. */
const PREFIX = 'ct';

/** Letters of a plain name. */
export const PLAIN_LETTERS = 16;

/** Whether a name is of the kind that only runs give: a plain one, or one that goes on behind that. */
export const isRunName = (name: string): boolean =>
  new RegExp(`^${PREFIX}[a-z]{${PLAIN_LETTERS - PREFIX.length}}`).test(name);

/**
 * Makes the names of one run. The seed and the place that asks decide them, so that a run can be repeated; the nonce
 * is new in every run, so that the same seed can run twice on an account where names are unique.
 */
export class Names {
  readonly #seed: string;
  readonly #nonce: string;
  readonly #given = new Set<string>();

  constructor(seed: string, nonce: string = lettersOf(randomBytes(16), 6)) {
    this.#seed = seed;
    this.#nonce = nonce;
  }

  /** A plain name: 16 lower-case ASCII letters, unlike every other of the run. */
  plain(place: string): string {
    return this.#keep(`${PREFIX}${this.#nonce}${lettersOf(this.#digest(place), 8)}`);
  }

  /** 16 letters from a small alphabet of one's own, for names that must have no letter in common. */
  from(alphabet: string, place: string): string {
    return this.#keep(lettersOf(this.#digest(`${this.#nonce}/${place}`), 16, alphabet));
  }

  /** A number of nine digits, for names that are sent as JSON numbers. */
  number(place: string): number {
    const number = 100_000_000 + (this.#digest(`${this.#nonce}/${place}`).readUInt32BE(0) % 900_000_000);
    this.#keep(String(number));
    return number;
  }

  /** A name that has the form of a number: `#` in the form stands for nine digits, unlike all others of the run. */
  numeric(form: string, place: string): string {
    return this.#keep(form.replace('#', String(this.number(place))));
  }

  /** A plain name with a text of the check's own behind it, for names that are themselves under test. */
  with(text: string, place: string): string {
    return this.#keep(`${this.plain(place)}${text}`);
  }

  /** That name with a text behind it. */
  longer(name: string, text: string): string {
    return this.#keep(`${name}${text}`);
  }

  /** Takes a name of an earlier run for one of this run, which tidies up after it. */
  recall(name: string): void {
    this.#keep(name);
  }

  /** Whether a name is one that only this run can have given. */
  isOwn(name: string): boolean {
    return this.#given.has(name);
  }

  #keep(name: string): string {
    this.#given.add(name);
    return name;
  }

  #digest(place: string): Buffer {
    return createHash('sha256').update(`${this.#seed}\n${place}`).digest();
  }
}

function lettersOf(bytes: Buffer, count: number, alphabet: string = LETTERS): string {
  return Array.from(bytes.subarray(0, count), (byte) => alphabet[byte % alphabet.length]).join('');
}
