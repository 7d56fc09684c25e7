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

/** Where ids are padded with zeros to a length with room for so many more, the invented one has that length too. */
const ROOM = 2_000n;

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
  const counter = counterIn(issued);
  if (counter !== undefined) {
    const { before, digits, after } = counter;
    const numbers = [...taken]
      .filter((id) => id.startsWith(before) && id.endsWith(after) && id.length > before.length + after.length)
      .map((id) => id.slice(before.length, id.length - after.length));
    return before + inventInteger(digits, numbers) + after;
  }
  const seen = [...new Set(issued.join(''))];
  for (let attempt = 0; ; attempt++) {
    const alphabet = attempt < ATTEMPTS && !isHex(model) ? seen : EVERYTHING;
    const invented =
      attempt < 2 * ATTEMPTS ? varied(model, alphabet) : `${model}${'0'.repeat(attempt - 2 * ATTEMPTS + 1)}`;
    if (!taken.has(invented)) return invented;
  }
}

/** An id that counts, as `tag-0007` does: the number, and the text around it that all ids share. */
interface Counter {
  readonly before: string;
  readonly digits: string;
  readonly after: string;
}

/** Where ids count: the one run of digits in which they differ. Some other small number there may be the next id. */
function counterIn(issued: readonly string[]): Counter | undefined {
  const form = idForm(issued);
  if (form !== 'integer' && form !== 'other') return undefined;
  // Runs of digits stand at the odd places.
  const [model = [], ...others] = [...new Set(issued)].map((id) => id.split(/(\d+)/));
  const differing = model.flatMap((part, at) => (others.some((other) => other[at] !== part) ? at : []));
  // A single id does not show where the next one differs: most likely in a number at its end.
  const endsInNumber = model.length > 1 && !/\p{L}/u.test(model.at(-1) ?? '');
  const atEnd = endsInNumber ? [model.length - 2] : [];
  const [place, ...more] = others.length === 0 ? atEnd : differing;
  const isAlike = others.every((other) => other.length === model.length);
  if (!isAlike || place === undefined || place % 2 === 0 || more.length > 0) return undefined;
  return {
    before: model.slice(0, place).join(''),
    digits: model[place] ?? '',
    after: model.slice(place + 1).join(''),
  };
}

/** @param taken texts, of which those that are digits count. */
function inventInteger(model: string, taken: readonly string[]): string {
  const numbers = taken.filter((id) => /^\d+$/.test(id)).map(BigInt);
  const highest = numbers.reduce((one, other) => (one > other ? one : other), 0n);
  let far = highest < 1_000_000_000n ? highest + FAR : highest - highest / 10n;
  const isNear = (number: bigint): boolean => number - far < APART && far - number < APART;
  while (numbers.some(isNear)) far -= 3n * APART;
  if (!/^0\d/.test(model)) return String(far);
  const room = 10n ** BigInt(model.length) - 1n - highest;
  if (String(far).length > model.length && room >= ROOM) far = highest + room - room / 10n;
  return String(far).padStart(model.length, '0');
}

const EVERYTHING = [...'0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** From here on the characters of an id are made anew: behind the version and the variant where it is a UUID. */
const startOf = (model: string): number =>
  idForm([model]) === 'uuid' ? model.lastIndexOf('-') : model.length / 2;

const isHex = (model: string): boolean => /^[0-9a-f-]+$/i.test(model);

/**
 * The second half made anew, each character by one of its kind from the alphabet, and the first of them by another
 * one: where ids count, it stands for a large number, and nobody is given that id during the run.
 */
function varied(model: string, alphabet: readonly string[]): string {
  const kinds = isHex(model) ? [/\d/, /[a-f]/, /[A-F]/] : [/\d/, /[a-z]/, /[A-Z]/];
  let isFirst = true;
  return [...model]
    .map((char, at) => {
      const kind = kinds.find((pattern) => pattern.test(char));
      if (at < startOf(model) || kind === undefined) return char;
      const choices = alphabet.filter((other) => kind.test(other));
      const others = isFirst ? choices.filter((other) => other !== char) : choices;
      isFirst = false;
      const from = others.length > 0 ? others : choices;
      return from[randomInt(from.length)] ?? char;
    })
    .join('');
}
