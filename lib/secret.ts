import { inspect } from 'node:util';

/** A value that cannot be printed, joined into a string or serialised: only `reveal()` gives it away. */
export class Secret {
  readonly #value: string;
  /** What stands in its place in evidence, such as `$TOKEN`. */
  readonly label: string;

  constructor(value: string, label: string) {
    this.#value = value;
    this.label = label;
  }

  /** The value itself: for the wire, and for masking. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return this.label;
  }

  toJSON(): string {
    return this.label;
  }

  [inspect.custom](): string {
    return this.label;
  }
}
