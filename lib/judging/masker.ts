import type { Secret } from '../secret.ts';

/** Shorter secrets cannot be told from ordinary text, so they are masked only where they stand alone. */
const SHORT = 4;

/** Replaces every form in which a known secret could stand in text by the secret's label. */
export class Masker {
  readonly #forms = new Map<string, string>();
  #pattern: RegExp | undefined;

  add(secret: Secret): void {
    for (const form of formsOf(secret.reveal())) this.#forms.set(form, secret.label);
    this.#pattern = undefined;
  }

  text(text: string): string {
    if (this.#forms.size === 0) return text;
    return text.replace(this.#compiled(), (form) => this.#forms.get(form) ?? '[secret]');
  }

  /** A copy of plain data with every string in it masked, keys included. */
  deep<T>(value: T): T {
    return this.#deep(value) as T;
  }

  #deep(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.#deep(item));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [this.text(key), this.#deep(item)]),
      );
    }
    return value;
  }

  /** Longest first, so that a part never hides the whole. */
  #compiled(): RegExp {
    this.#pattern ??= new RegExp(
      [...this.#forms.keys()]
        .toSorted((one, other) => other.length - one.length)
        .map((form) =>
          form.length < SHORT ? `(?<![\\p{L}\\p{N}])${escape(form)}(?![\\p{L}\\p{N}])` : escape(form),
        )
        .join('|'),
      'gu',
    );
    return this.#pattern;
  }
}

const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** The secret as it is, escaped for JSON and URLs, in base64, and the parts of a JWT that give it away. */
function formsOf(secret: string): Set<string> {
  if (secret === '') return new Set();
  const bytes = Buffer.from(secret);
  const encoded = encodeURIComponent(secret.toWellFormed());
  const json = JSON.stringify(secret).slice(1, -1);
  const forms = [
    secret,
    json,
    json.replaceAll('/', '\\/'),
    encoded,
    encoded.replaceAll('%20', '+'),
    encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  ];
  if (secret.length >= SHORT)
    forms.push(
      bytes.toString('base64'),
      bytes.toString('base64').replace(/=+$/, ''),
      bytes.toString('base64url'),
    );
  const parts = secret.replace(/^Bearer /i, '').split('.');
  if (parts.length === 3) forms.push(...parts.slice(1).filter((part) => part.length >= 8));
  return new Set(forms.filter((form) => form !== ''));
}
