import { createHmac, randomBytes } from 'node:crypto';
import { readJson } from '../http/json.ts';
import type { Replacement } from '../judging/masker.ts';
import { isScope } from '../spec/operations.ts';

/** The kind of text that a stand-in replaces. It decides which parts of the text may be kept. */
export type Kind = 'token' | 'password' | 'text';

/** The length of a stand-in for a password is a multiple of this, so that it does not tell the length of the password. */
const LENGTH_CLASS = 8;

/**
 * Checks use names of these letters because hardly any other name holds one. A stand-in replaces such a letter only by
 * another of them.
 */
const RARE = 'jqxz';
const COMMON = 'abcdefghiklmnoprstuvwy';
const DIGITS = '0123456789';
const HEX = 'abcdef';

/** Members of a JWT that say nothing about anybody: how it is signed, and from when to when it is valid. */
const TELLING_HEADERS: ReadonlySet<string> = new Set(['alg', 'typ', 'cty', 'enc', 'zip']);
const TELLING_CLAIMS: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf']);

/**
 * Gives every secret of a run a stand-in: one for each, of the same kinds of characters. A JWT is replaced by one with
 * the same members. The stand-ins follow from a random key that is never stored, so nobody can derive the secrets from
 * them, and a secret gets another stand-in in each run.
 */
export class StandIns {
  readonly #key = randomBytes(32);
  /** A cache: a token is in nearly every exchange of a run. */
  readonly #made = new Map<string, string>();

  /** The stand-in for a whole secret, or for a text of a stranger. */
  of(secret: string, kind: Kind = 'token'): string {
    const key = `${kind} ${secret}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const made = this.#make(secret, kind);
    this.#made.set(key, made);
    return made;
  }

  /** Whether a text of a stranger was replaced before. */
  hasReplaced(text: string): boolean {
    return this.#made.has(`text ${text}`);
  }

  /** Replaces texts of strangers that were replaced before, wherever they stand in a text, also in UTF-16. */
  inUnreadable(text: string): string {
    const known = [...this.#made].flatMap(([key, made]): [string, string][] => {
      const of = key.startsWith('text ') ? key.slice('text '.length) : '';
      if (of.length < FEWEST_CHARACTERS) return [];
      return [
        [of, made],
        [inUtf16(of), inUtf16(made)],
      ];
    });
    return known
      .toSorted(([one], [other]) => other.length - one.length)
      .reduce((rest, [of, made]) => rest.replaceAll(of, () => made), text);
  }

  #make(secret: string, kind: Kind): string {
    if (secret === '') return '';
    if (kind === 'token') return this.#jwt(secret) ?? this.#alike(secret);
    const whole = [...secret].map((char) => (/[\p{L}\p{N} ]/u.test(char) || kind === 'text' ? char : '-'));
    if (kind === 'text') return this.#alike(whole.join(''));
    const length = Math.ceil(whole.length / LENGTH_CLASS) * LENGTH_CLASS;
    return this.#alike(Array.from({ length }, (_, at) => whole[at % whole.length]).join(''), secret);
  }

  /** Replaces forms of secrets in a text, for a `Masker`. */
  readonly inText: Replacement = (secret, form) => {
    const text = secret.reveal();
    const part = text.split('.').indexOf(form);
    const whole = this.of(text, kindOf(secret.label));
    if (part > 0) return whole.split('.')[part] ?? whole;
    // In JSON, the stand-in needs the escapes that the secret needed.
    return form !== text && isInJson(form, text) ? JSON.stringify(whole).slice(1, -1) : whole;
  };

  /** Replaces each letter and digit by another one of its kind. Other characters stay. */
  #alike(text: string, secret = text): string {
    const isHex = /^[\da-f]+$/.test(text);
    let left: readonly number[] = [];
    let block = 0;
    const pick = (choices: string): string => {
      if (left.length === 0)
        left = [...createHmac('sha256', this.#key).update(`${block++}\n${secret}`).digest()];
      const [byte = 0, ...rest] = left;
      left = rest;
      return choices[byte % choices.length] ?? '';
    };
    return [...text]
      .map((char) => {
        if (/\p{N}/u.test(char)) return pick(DIGITS);
        if (!/\p{L}/u.test(char)) return char;
        const letter = pick(isHex ? HEX : RARE.includes(char.toLowerCase()) ? RARE : COMMON);
        return char === char.toLowerCase() ? letter : letter.toUpperCase();
      })
      .join('');
  }

  /** A JWT (RFC 7519) with the same members, so that readers and checks still see its form and lifetime. */
  #jwt(token: string): string | undefined {
    const [header, payload, signature, ...more] = token.split('.');
    if (header === undefined || payload === undefined || signature === undefined || more.length > 0)
      return undefined;
    const [head, claims] = [objectIn(header), objectIn(payload)];
    if (head === undefined || claims === undefined) return undefined;
    return [
      encoded(this.#values(head, TELLING_HEADERS)),
      encoded(this.#values(claims, TELLING_CLAIMS)),
      this.#alike(signature),
    ].join('.');
  }

  /** Replaces the values in plain data, but for these members. */
  #values(value: unknown, kept: ReadonlySet<string>): unknown {
    if (typeof value === 'string') return isScopes(value) ? value : this.#alike(value);
    if (typeof value === 'number') return Number(this.#alike(String(Math.trunc(Math.abs(value) % 1e9))));
    if (Array.isArray(value)) return value.map((item) => this.#values(item, kept));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, kept.has(name) ? item : this.#values(item, kept)]),
    );
  }
}

/** A shorter text may be a part of any word. */
const FEWEST_CHARACTERS = 3;

/** A text in UTF-16 that was read as UTF-8, but for the first or the last byte. */
const inUtf16 = (text: string): string => [...text].join('\0');

/** Labels of secrets say what they are: see `Secret`. */
export const kindOf = (label: string): Kind => (label.includes('PASSWORD') ? 'password' : 'token');

/** Whether a form is the text as a JSON string holds it. */
function isInJson(form: string, text: string): boolean {
  try {
    return JSON.parse(`"${form}"`) === text;
  } catch {
    return false;
  }
}

/** Names of scopes are in the specification, and show what a token is for. */
const isScopes = (text: string): boolean => text.split(/[ ,]/).every(isScope);

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function objectIn(part: string): object | undefined {
  const { value } = readJson(Buffer.from(part, 'base64url'));
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}
