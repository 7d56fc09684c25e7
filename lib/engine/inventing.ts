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

/** Integers closer than this to a live one could be given out during the run. */
const APART = 100_000n;

/** So often an id is made up from characters of the issued ones before others of their kind are taken, too. */
const ATTEMPTS = 50;

/**
 * An id of the form of the issued ones that is none of them.
 *
 * @param issued ids of the run, at least one.
 * @param live all ids that are known to exist; the result is none of these.
 */
export function inventId(issued: readonly string[], live: ReadonlySet<string>): string {
  const model = issued[0] ?? '1';
  const taken = new Set([...issued, ...live]);
  if (idForm(issued) === 'integer') return inventInteger(model, taken);
  const seen = [...new Set(issued.join(''))];
  for (let attempt = 0; ; attempt++) {
    const alphabet = attempt < ATTEMPTS ? seen : EVERYTHING;
    const invented =
      attempt < 2 * ATTEMPTS ? varied(model, alphabet) : `${model}${'0'.repeat(attempt - 2 * ATTEMPTS + 1)}`;
    if (!taken.has(invented)) return invented;
  }
}

function inventInteger(model: string, taken: ReadonlySet<string>): string {
  const numbers = [...taken].filter((id) => /^\d+$/.test(id)).map(BigInt);
  const highest = numbers.reduce((one, other) => (one > other ? one : other), 0n);
  let far = highest < 1_000_000_000n ? highest + FAR : highest - highest / 10n;
  const isNear = (number: bigint): boolean => number - far < APART && far - number < APART;
  while (numbers.some(isNear)) far -= 3n * APART;
  return model.startsWith('0') ? String(far).padStart(model.length, '0') : String(far);
}

const EVERYTHING = [...'0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** From here on the characters of an id are made anew: behind the version and the variant where it is a UUID. */
const startOf = (model: string): number =>
  idForm([model]) === 'uuid' ? model.lastIndexOf('-') : model.length / 2;

/** The second half made anew, each character by one of its kind from the alphabet. */
function varied(model: string, alphabet: readonly string[]): string {
  const isHex = /^[0-9a-f-]+$/i.test(model);
  return [...model]
    .map((char, at) => {
      const kind = [/\d/, isHex ? /[a-f]/ : /[a-z]/, isHex ? /[A-F]/ : /[A-Z]/].find((pattern) =>
        pattern.test(char),
      );
      if (at < startOf(model) || kind === undefined) return char;
      const choices = alphabet.filter((other) => kind.test(other));
      return choices[randomInt(choices.length)] ?? char;
    })
    .join('');
}
