import { randomInt } from 'node:crypto';

/** The form of the ids that a target issues, as far as some of them show it. */
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

/**
 * The distance of an invented integer from the highest live one: too far to be issued during the run, and small enough
 * for 32 bits where the live integers fit these.
 */
const FAR = 900_000_000n;

/** Integers closer than this to a live one could be issued during the run. */
const APART = 100_000n;

/** An invented id keeps the length of ids padded with zeros, if that leaves at least this many higher numbers. */
const ROOM = 2_000n;

/** The number of ids made up from characters of the issued ones before other characters are used, too. */
const ATTEMPTS = 50;

/**
 * Invents an id that has the form of the issued ones and that no tag has.
 *
 * @param issued ids of the run, at least one.
 * @param live all ids that are known to exist.
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
    const alphabet = attempt < ATTEMPTS && !isHex(model) ? seen : LETTERS_AND_DIGITS;
    const invented =
      attempt < 2 * ATTEMPTS ? varied(model, alphabet) : `${model}${'0'.repeat(attempt - 2 * ATTEMPTS + 1)}`;
    if (!taken.has(invented)) return invented;
  }
}

/** The parts of an id that counts, such as `tag-0007`: the number, and the text around it that all ids share. */
interface Counter {
  readonly before: string;
  readonly digits: string;
  readonly after: string;
}

/** The one number in which the ids differ, if they count: a number near it may be the next id. */
function counterIn(issued: readonly string[]): Counter | undefined {
  const form = idForm(issued);
  if (form !== 'integer' && form !== 'other') return undefined;
  // Numbers stand at the odd places.
  const [model = [], ...others] = [...new Set(issued)].map((id) => id.split(/(\d+)/));
  const differing = model.flatMap((part, at) => (others.some((other) => other[at] !== part) ? at : []));
  // A single id does not show in which number the next one differs: probably in one at its end.
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

/**
 * Invents an integer far from the taken ones.
 *
 * @param model an issued integer, whose zeros in front show the length of all.
 * @param taken texts; those that are no integers are ignored.
 */
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

const LETTERS_AND_DIGITS = [...'0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The place from which the characters of an id are replaced: behind the version and the variant of a UUID. */
const startOf = (model: string): number =>
  idForm([model]) === 'uuid' ? model.lastIndexOf('-') : model.length / 2;

const isHex = (model: string): boolean => /^[0-9a-f-]+$/i.test(model);

/**
 * Replaces each character of the second half by a random one of its kind from the alphabet, and the first of them by a
 * different one. If ids count, that digit is a high one: no id of the run will reach it.
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
