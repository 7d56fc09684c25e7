import type { Secret } from '../secret.ts';
import { literalPattern } from '../patterns.ts';

/** A shorter secret has no base64 form to mask: that would also match ordinary text. */
const SHORT = 4;

/**
 * Matches secrets that may be words or numbers of any message: they are masked only as whole words, and never as the
 * name of a member or a parameter.
 */
const ORDINARY = /^(.{1,3}|[\p{L}_]{1,15}|\d{1,15})$/su;

/** The search for a form begins with at most this many of its characters. */
const START = 8;

/** The least share of a form that is masked where its end is missing, and the most characters that this takes. */
const LEAST_OF_CUT = { share: 0.6, characters: 12 };

/** How a form of a secret is replaced. */
interface Form {
  readonly secret: Secret;
  readonly isOrdinary: boolean;
  /** Matches the form only where it is to be masked; undefined if it is masked everywhere. */
  readonly where: RegExp | undefined;
}

/** The masked forms of texts up to this length are remembered, because such texts, like header lines, recur. */
const REMEMBERED_LENGTH = 80;
const MOST_REMEMBERED = 2_000;

/** Returns the replacement for a form of a secret, which is always the same for the same form. */
export type Replacement = (secret: Secret, form: string) => string;

const byLabel: Replacement = ({ label }) => label;

/** Stands for a secret whose end is missing. */
const CUT = '[part of a secret]';

/**
 * Replaces every form in which a known secret could stand in text, by default by the secret's label.
 *
 * A run knows hundreds of forms with hundreds of characters each. A pattern of them all would be compiled again for each new
 * token, and would try them one by one at each place of a text: a table tells whether a form can start there at all.
 */
export class Masker {
  readonly #forms = new Map<string, Form>();
  /** The forms that start with the same characters, longer ones first. */
  readonly #byStart = new Map<string, string[]>();
  /** Has a 1 at the place of every start of a form: see `placeOf`. */
  #starts: Uint8Array | undefined;
  /** The same for the first two characters: see `pairAt`. They rule out almost every place of a long text at once. */
  #pairs = new Uint8Array(PLACES);
  #startLengths: readonly number[] = [];
  #texts = new WeakMap<Replacement, Map<string, string>>();
  #names = new WeakMap<Replacement, Map<string, string>>();

  /** Whether a text is masked as a whole. */
  knows(text: string): boolean {
    return this.#forms.has(text);
  }

  add(secret: Secret): void {
    const text = secret.reveal();
    for (const form of formsOf(text)) {
      const isOrdinary = (form === text || form.length < SHORT) && ORDINARY.test(text);
      if (!this.#forms.has(form)) this.#addStart(form);
      this.#forms.set(form, { secret, isOrdinary, where: whereOf(form, isOrdinary) });
    }
    this.#texts = new WeakMap();
    this.#names = new WeakMap();
  }

  #addStart(form: string): void {
    const start = form.slice(0, START);
    const forms = this.#byStart.get(start) ?? [];
    if (forms.length === 0) this.#starts = undefined;
    this.#byStart.set(
      start,
      [...forms, form].toSorted((one, other) => other.length - one.length),
    );
  }

  text(text: string, replacement = byLabel): string {
    return remembered(this.#texts, replacement, text, () => this.#masked(text, () => true, replacement));
  }

  /** Masks a name from the run or the protocol, such as a header name: ordinary words stay. */
  name(name: string, replacement = byLabel): string {
    return remembered(this.#names, replacement, name, () =>
      this.#masked(name, ({ isOrdinary }) => !isOrdinary, replacement),
    );
  }

  /** Masks the start of a text of which the rest is missing. Removes from its end what may be the start of a secret. */
  startOf(text: string): string {
    const whole = this.text(text);
    const masked = whole.endsWith(CUT) ? whole.slice(0, -CUT.length) : whole;
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

  #masked(text: string, isWanted: (form: Form) => boolean, replacement: Replacement): string {
    if (this.#forms.size === 0) return text;
    const starts = this.#starts ?? this.#compiled();
    let masked = '';
    let end = 0;
    for (let at = 0; at < text.length; at++) {
      if (this.#pairs[pairAt(text, at)] === 0) continue;
      if (starts[placeOf(text, at, KEY)] === 0 && starts[placeOf(text, at, 1)] === 0) continue;
      const form = this.#formAt(text, at, isWanted);
      const length = form?.length ?? this.#cutAt(text, at);
      if (length === 0) continue;
      masked += text.slice(end, at) + (form === undefined ? CUT : this.#replaced(form, replacement));
      end = at + length;
      at = end - 1;
    }
    return end === 0 ? text : masked + text.slice(end);
  }

  #replaced(form: string, replacement: Replacement): string {
    const secret = this.#forms.get(form)?.secret;
    return secret === undefined ? '[secret]' : replacement(secret, form);
  }

  /** The longest form at this position, so that a secret that contains another one is masked as a whole. */
  #formAt(text: string, index: number, isWanted: (form: Form) => boolean): string | undefined {
    for (const length of this.#startLengths) {
      const forms = this.#byStart.get(text.slice(index, index + length)) ?? [];
      const form = forms.find((one) => this.#isAt(one, text, index, isWanted));
      if (form !== undefined) return form;
    }
    return undefined;
  }

  /** How much of the start of a form is at this position: some servers cut texts in their messages. 0 if it is too little. */
  #cutAt(text: string, index: number): number {
    const forms = this.#byStart.get(text.slice(index, index + START)) ?? [];
    const lengths = forms.map((form) => {
      // Without its signature, a JWT is no secret, and many begin alike.
      if (this.#forms.get(form)?.where !== undefined || form.startsWith('eyJ')) return 0;
      let length = START;
      while (length < form.length && form[length] === text[index + length]) length++;
      const least = Math.min(form.length * LEAST_OF_CUT.share, LEAST_OF_CUT.characters);
      return length < least ? 0 : length;
    });
    return Math.max(0, ...lengths);
  }

  #isAt(form: string, text: string, index: number, isWanted: (form: Form) => boolean): boolean {
    const kind = this.#forms.get(form);
    if (kind === undefined || !text.startsWith(form, index) || !isWanted(kind)) return false;
    if (kind.where === undefined) return true;
    kind.where.lastIndex = index;
    return kind.where.test(text);
  }

  /** Marks the places of all starts. */
  #compiled(): Uint8Array {
    const starts = [...this.#byStart.keys()];
    this.#startLengths = [...new Set(starts.map(({ length }) => length))].toSorted(
      (one, other) => other - one,
    );
    const marked = new Uint8Array(PLACES);
    this.#pairs = new Uint8Array(PLACES);
    for (const start of starts) {
      marked[placeOf(start, 0, start.length < KEY ? 1 : KEY)] = 1;
      // Any character may follow a form of one character.
      if (start.length === 1) this.#pairs.fill(1);
      else this.#pairs[pairAt(start, 0)] = 1;
    }
    return (this.#starts = marked);
  }
}

function remembered(
  texts: WeakMap<Replacement, Map<string, string>>,
  replacement: Replacement,
  text: string,
  masked: () => string,
): string {
  if (text.length > REMEMBERED_LENGTH) return masked();
  let known = texts.get(replacement);
  if (known === undefined || known.size > MOST_REMEMBERED) texts.set(replacement, (known = new Map()));
  let result = known.get(text);
  if (result === undefined) known.set(text, (result = masked()));
  return result;
}

/**
 * How many characters of a form are in the table of starts: enough to rule out most texts. A shorter form has only one.
 */
const KEY = 4;

/** A power of two. */
const PLACES = 1 << 16;

/**
 * The place of two characters in the table of pairs. Other pairs may have the same place. After the end of a text comes
 * 0.
 */
const pairAt = (text: string, index: number): number =>
  (text.charCodeAt(index) * 257 + text.charCodeAt(index + 1)) & (PLACES - 1);

/** The place of the characters from an index on in the table of starts. Others may have the same place. */
function placeOf(text: string, index: number, length: number): number {
  let place = length;
  for (let at = index; at < index + length; at++) place = (place * 31 + text.charCodeAt(at)) & (PLACES - 1);
  return place;
}

/** Matches a form where it is to be masked, if that depends on the text around it. */
function whereOf(form: string, isOrdinary: boolean): RegExp | undefined {
  const text = literalPattern(form);
  // Blanks are a secret only if they are the whole of a value.
  if (form.trim() === '') return new RegExp(String.raw`(?<=["'])${text}(?=\\*["'])|^${text}$`, 'uy');
  if (!isOrdinary) return undefined;
  const isMember = String.raw`(?=\\*"\s*:)`;
  const isParameter = String.raw`(?<=[?&]${text})(?==)`;
  const around = String.raw`[\p{L}\p{N}_]`;
  return new RegExp(`(?<!${around})${text}(?!${around})(?!${isMember})(?!${isParameter})`, 'uy');
}

/** The length of the longest end of a text with which a form of a secret begins. */
function overlap(text: string, form: string): number {
  let length = Math.min(text.length, form.length - 1);
  while (!text.endsWith(form.slice(0, length))) length--;
  return length;
}

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
  // A path may have its solidi as they are.
  const inPath = encoded.replaceAll('%2F', '/');
  return [encoded, encoded.replaceAll('%20', '+'), form, form.replaceAll('+', '%20'), inPath].flatMap(
    (one) => [one, one.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())],
  );
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
    // Header lines are read as Latin-1, whatever the target wrote.
    bytes.toString('latin1'),
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
