import { randomInt } from 'node:crypto';

/** The form in which a target issues its ids, as far as it can be told from some of them. */
export type IdForm = 'integer' | 'uuid' | 'ulid' | 'hex' | 'other';

const FORMS: readonly (readonly [IdForm, RegExp])[] = [
  ['integer', /^\d+$/],
  ['uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  ['ulid', /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i],
  ['hex', /^([0-9a-f]{8,}|[0-9A-F]{8,})$/],
];

export function idForm(issued: readonly string[]): IdForm {
  return (
    FORMS.find(([, pattern]) => issued.length > 0 && issued.every((id) => pattern.test(id)))?.[0] ?? 'other'
  );
}

/** Far enough from live integers that nobody is given it during the run, and still a 32-bit number where they are. */
const FAR = 900_000_000n;

/**
 * An id of the form of the issued ones that is none of them.
 *
 * @param issued ids of the run, at least one.
 * @param live all ids that are known to exist; the result is none of these.
 */
export function inventId(issued: readonly string[], live: ReadonlySet<string>): string {
  const model = issued[0] ?? '1';
  if (idForm(issued) === 'integer') {
    const highest = [...issued, ...live]
      .filter((id) => /^\d+$/.test(id))
      .map(BigInt)
      .reduce((one, other) => (one > other ? one : other));
    const far = highest < 1_000_000_000n ? highest + FAR : highest - highest / 10n;
    return String(far).padStart(model.length, '0');
  }
  const alphabet = [...new Set(issued.join(''))];
  for (;;) {
    const invented = varied(model, alphabet);
    if (!live.has(invented) && !issued.includes(invented)) return invented;
  }
}

/** The second half made anew, each character by one of its kind that the target has been seen to use. */
function varied(model: string, alphabet: readonly string[]): string {
  return [...model]
    .map((char, at) => {
      const kind = [/\d/, /[a-z]/, /[A-Z]/].find((pattern) => pattern.test(char));
      if (at < model.length / 2 || kind === undefined) return char;
      const choices = alphabet.filter((other) => kind.test(other));
      return choices[randomInt(choices.length)] ?? char;
    })
    .join('');
}
