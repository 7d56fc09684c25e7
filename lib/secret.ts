import { inspect } from 'node:util';

/** A value that shows a label when it is printed, joined into a string or serialised. Only `reveal()` returns it. */
export class Secret {
  readonly #value: string;
  /** Stands for the value in evidence, as a shell variable such as `$TOKEN`. */
  readonly label: string;

  constructor(value: string, label: string) {
    this.#value = value;
    this.label = label;
  }

  /** The value, for sending and for masking. */
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
