import { folded, type Names, ownLettersIn, PLAIN_LETTERS, TELLING_LETTERS } from '../account/names.ts';
import { saysNothing } from '../account/strangers.ts';
import type { Exchange } from '../http/exchange.ts';

/**
 * Distinguishes the names that a run gave its tags from other people's, which evidence leaves out. A target may keep a
 * name in another form: shortened, folded, escaped.
 */
export class OwnTexts {
  readonly #names: Pick<Names, 'isOwn'>;
  /** Every name that a request gave a tag, folded. */
  readonly #sent = new Set<string>();
  /** Parts of the random letters of these names. */
  readonly #parts = new Set<string>();

  constructor(names: Pick<Names, 'isOwn'>) {
    this.#names = names;
  }

  /** Learns the names in the body of a request. */
  learn({ ask: { body } }: Pick<Exchange, 'ask'>): void {
    if (typeof body !== 'string') return;
    for (const text of textsIn(body)) {
      const form = folded(text);
      if (this.#sent.has(form)) continue;
      this.#sent.add(form);
      for (const part of partsOf(form)) this.#parts.add(part);
    }
  }

  isOwn(text: string): boolean {
    if (this.#names.isOwn(text)) return true;
    const form = folded(text);
    return saysNothing(text) || this.#sent.has(form) || this.#hasOwnLetters(form);
  }

  #hasOwnLetters(form: string): boolean {
    for (let at = 0; at + TELLING_LETTERS <= form.length; at++)
      if (this.#parts.has(form.slice(at, at + TELLING_LETTERS))) return true;
    return false;
  }
}

/** The parts of the random letters or digits in a name. The prefix that all names of all runs share does not count. */
function partsOf(form: string): string[] {
  const letters = ownLettersIn(form)?.slice(-PLAIN_LETTERS + 2) ?? /\d{9}/.exec(form)?.[0] ?? '';
  return Array.from({ length: Math.max(0, letters.length - TELLING_LETTERS + 1) }, (_, at) =>
    letters.slice(at, at + TELLING_LETTERS),
  );
}

/** The texts that a target may make from the values in a JSON text; the text itself if it is not JSON. */
function textsIn(text: string): string[] {
  const found: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') found.push(value);
    // Some targets keep a number or a boolean as text, some a boolean as a number.
    else if (typeof value === 'number') found.push(String(value));
    else if (typeof value === 'boolean') found.push(String(value), String(Number(value)));
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  try {
    collect(JSON.parse(text));
  } catch {
    found.push(text);
  }
  return found;
}
