import type { Secret } from '../secret.ts';

/** A shorter secret has no form in base64 that would tell it from other text. */
const SHORT = 4;

/**
 * Secrets that may be words, or numbers, of any message: they are masked only where they stand alone, and never as the
 * name of a member or a parameter.
 */
const ORDINARY = /^(.{1,3}|[\p{L}_]{1,15}|\d{1,15})$/su;

/** A longer form is replaced by itself, because the pattern of all forms would become too long. */
const LONG = 2_000;

/** A form of a secret, and where it is replaced. */
interface Form {
  readonly secret: Secret;
  readonly isOrdinary: boolean;
}

/** Gives what stands in the place of a form of a secret. */
export type Replacement = (secret: Secret, form: string) => string;

const byLabel: Replacement = ({ label }) => label;

/** Replaces every form in which a known secret could stand in text, by default by the secret's label. */
export class Masker {
  readonly #forms = new Map<string, Form>();
  #pattern: RegExp | undefined;
  #namePattern: RegExp | undefined;

  add(secret: Secret): void {
    const text = secret.reveal();
    for (const form of formsOf(text)) {
      const isOrdinary = (form === text || form.length < SHORT) && ORDINARY.test(text);
      this.#forms.set(form, { secret, isOrdinary });
    }
    this.#pattern = undefined;
    this.#namePattern = undefined;
  }

  text(text: string, replacement = byLabel): string {
    this.#pattern ??= this.#compiled(() => true);
    return this.#masked(text, this.#pattern, replacement);
  }

  /** Masks a name that the run or the protocol gave, such as that of a header: ordinary words stay. */
  name(name: string, replacement = byLabel): string {
    this.#namePattern ??= this.#compiled(({ isOrdinary }) => !isOrdinary);
    return this.#masked(name, this.#namePattern, replacement);
  }

  /** Masks the start of a text of which the rest is missing. Removes from its end what may be the start of a secret. */
  startOf(text: string): string {
    const masked = this.text(text);
    const half = Math.max(0, ...[...this.#forms.keys()].map((form) => overlap(masked, form)));
    return masked.slice(0, masked.length - half);
  }

  /** Copies plain data and masks every string in it, but not the names of members. */
  deep<T>(value: T, replacement = byLabel): T {
    return this.#deep(value, replacement) as T;
  }

  #deep(value: unknown, replacement: Replacement): unknown {
    if (typeof value === 'string') return this.text(value, replacement);
    if (Array.isArray(value)) return value.map((item) => this.#deep(item, replacement));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, this.#deep(item, replacement)]),
    );
  }

  #masked(text: string, pattern: RegExp, replacement: Replacement): string {
    if (this.#forms.size === 0) return text;
    let masked = text;
    for (const [form, { secret }] of this.#forms)
      if (form.length > LONG) masked = masked.replaceAll(form, () => replacement(secret, form));
    return masked.replace(pattern, (form) => {
      const secret = this.#forms.get(form)?.secret;
      return secret === undefined ? '[secret]' : replacement(secret, form);
    });
  }

  /** Longer forms come first, so that a secret that contains another one is masked as a whole. */
  #compiled(isWanted: (form: Form) => boolean): RegExp {
    const patterns = [...this.#forms]
      .filter(([form, kind]) => form.length <= LONG && isWanted(kind))
      .toSorted(([one], [other]) => other.length - one.length)
      .map(([form, { isOrdinary }]) => patternOf(form, isOrdinary));
    // An empty alternative would match everywhere.
    return new RegExp(patterns.length === 0 ? '(?!)' : patterns.join('|'), 'gu');
  }
}

/** Where a form of a secret is masked. */
function patternOf(form: string, isOrdinary: boolean): string {
  const text = escape(form);
  // Blanks are a secret only where they are the whole of a value.
  if (form.trim() === '') return String.raw`(?<=["'])${text}(?=\\*["'])|^${text}$`;
  if (!isOrdinary) return text;
  const isMember = String.raw`(?=\\*"\s*:)`;
  const isParameter = String.raw`(?<=[?&]${text})(?==)`;
  return String.raw`(?<![\p{L}\p{N}_])${text}(?![\p{L}\p{N}_])(?!${isMember})(?!${isParameter})`;
}

/** The most characters at the end of a text with which a form of a secret begins. */
function overlap(text: string, form: string): number {
  let length = Math.min(text.length, form.length - 1);
  while (!text.endsWith(form.slice(0, length))) length--;
  return length;
}

const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** How HTML writes its special characters, by name and by number. */
const HTML: readonly Readonly<Record<string, string>>[] = [
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' },
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' },
  { '&': '&#38;', '<': '&#60;', '>': '&#62;', '"': '&#34;', "'": '&#39;' },
];

/** A text as it is, and as common JSON writers escape it: solidi escaped or not, non-ASCII characters escaped or not. */
function inJson(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return [text, ...[json, ascii].flatMap((form) => [form, form.replaceAll('/', '\\/')])];
}

/** A text as URLs and forms encode it: more or fewer characters encoded, hexadecimal digits in either case. */
function inUrl(text: string): string[] {
  const encoded = encodeURIComponent(text);
  const form = new URLSearchParams({ a: text }).toString().slice('a='.length);
  return [encoded, encoded.replaceAll('%20', '+'), form, form.replaceAll('+', '%20')].flatMap((one) => [
    one,
    one.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  ]);
}

/** The base64 of the bytes at each position that they may have in something longer, such as Basic credentials. */
function insideBase64(bytes: Buffer): string[] {
  if (bytes.length < 6) return [];
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const inner = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** The secret as it is, escaped for JSON, HTML and URLs, in base64, and the payload and signature of a JWT. */
function formsOf(secret: string): Set<string> {
  if (secret === '') return new Set();
  const bytes = Buffer.from(secret);
  const written = HTML.map((entities) => secret.replace(/[&<>"']/g, (char) => entities[char] ?? char));
  const forms = [
    ...[secret, ...written].flatMap(inJson),
    // JSON inside a JSON string: some servers repeat a body that they could not parse.
    ...inJson(secret).flatMap(inJson),
    ...inUrl(secret.toWellFormed()),
  ];
  if (secret.length >= SHORT)
    forms.push(
      bytes.toString('base64'),
      bytes.toString('base64').replace(/=+$/, ''),
      bytes.toString('base64url'),
      ...insideBase64(bytes),
    );
  const parts = secret.replace(/^Bearer /i, '').split('.');
  if (parts.length === 3) forms.push(...parts.slice(1).filter((part) => part.length >= 8));
  return new Set(forms.filter((form) => form !== ''));
}
