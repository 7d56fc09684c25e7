import list from 'big-list-of-naughty-strings/blns.json' with { type: 'json' };

/**
 * Further letters and signs, by tier. A name carries them if the target accepts long names: characters that fonts,
 * keyboards, one-byte encodings or tables of lookalikes replace by others.
 */
export const MORE_CHARACTERS: Readonly<Record<string, readonly string[]>> = {
  latin: 'ș ț đ ħ ŧ ŋ ő ű ğ ş ą ę ū ŵ ơ ư ə ɓ ƙ © ® ™ « ‹ ‑ − × ÷ ¿ µ'.split(' '),
  scripts: 'а о е ї є ґ ў љ ά ϊ ς գ گ پ ی ے ة அ അ ක མ က አ ក ᠠ অ'.split(' '),
  emoji: ['👩🏽‍💻', '🏳️‍🌈', '#️⃣', '☺︎', '♥', '\u{10428}', '\u{f0001}'],
};

/** The bytes of such names in UTF-8: some targets count the length of names in bytes. More might fit into no query. */
export const MOST_BYTES = 390;

/** As many of these texts, from the first on, as have no more bytes. */
export function fitting(texts: readonly string[], bytes: number): string[] {
  let left = bytes;
  const tooMany = texts.findIndex((text) => (left -= Buffer.byteLength(text)) < 0);
  return tooMany < 0 ? [...texts] : texts.slice(0, tooMany);
}

/** The Big List of Naughty Strings by Max Woolf: strings that have made programs fail. The empty one is left out. */
export const NAUGHTY: readonly string[] = [...new Set(list)].filter((text) => text !== '');
