import list from 'big-list-of-naughty-strings/blns.json' with { type: 'json' };
import { variedLetters } from './sizes.ts';

/** The most UTF-8 bytes of a long name, because some targets count bytes. A longer one might not fit into a query. */
export const MOST_BYTES = 390;

/** The letters of one piece of a long plain name. */
const LETTERS_EACH = 26;

/**
 * Further texts, by tier, which names contain if the target accepts long ones. Most are characters that keyboards, one-byte
 * encodings or tables of similar characters replace by others.
 */
export const MORE_TEXTS: Readonly<Record<string, readonly string[]>> = {
  // A fault of long names is found with plain ones too, so that no other kind of name is blamed for it.
  letters: Array.from({ length: MOST_BYTES / LETTERS_EACH }, () => variedLetters(LETTERS_EACH)),
  latin: 'ș ț đ ħ ŧ ŋ ő ű ğ ş ą ę ū ŵ ơ ư ə ɓ ƙ © ® ™ « ‹ ‑ − × ÷ ¿ µ ① Ⅳ'.split(' '),
  scripts: 'а о е ї є ґ ў љ ά ϊ ς գ گ پ ی ے ة அ അ ක མ က አ ក ᠠ অ'.split(' '),
  emoji: ['👩🏽‍💻', '🏳️‍🌈', '#️⃣', '☺︎', '♥', '\u{10428}', '\u{f0001}'],
};

/** As many of these texts, from the first on, as fit into this number of bytes. */
export function fitting(texts: readonly string[], bytes: number): string[] {
  let left = bytes;
  const tooMany = texts.findIndex((text) => (left -= Buffer.byteLength(text)) < 0);
  return tooMany < 0 ? [...texts] : texts.slice(0, tooMany);
}

/** The Big List of Naughty Strings by Max Woolf: strings that have made programs fail. The empty one is left out. */
export const NAUGHTY: readonly string[] = [...new Set(list)].filter((text) => text !== '');
