import { randomInt } from 'node:crypto';

/** The form of a target's ids, inferred from some of them. */
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

/** The distance from the highest existing integer: too far to be issued during the run, and still within 32 bits. */
const FAR = 900_000_000n;

/** An integer closer than this to an existing one could be issued during the run. */
const APART = 100_000n;

/** If zero-padded ids of the same length leave room for this many more, the invented id has that length too. */
const ROOM = 2_000n;

/** How many ids are made up of the characters of issued ones, before other characters of their kind are used too. */
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

/** The parts of a sequential id such as `tag-0007`: the number, and the text around it that all ids share. */
interface Counter {
  readonly before: string;
  readonly digits: string;
  readonly after: string;
}

/** Finds the one run of digits in which sequential ids differ. Another small number there could be the next id. */
function counterIn(issued: readonly string[]): Counter | undefined {
  const form = idForm(issued);
  if (form !== 'integer' && form !== 'other') return undefined;
  // The split puts runs of digits at odd indexes.
  const [model = [], ...others] = [...new Set(issued)].map((id) => id.split(/(\d+)/));
  const differing = model.flatMap((part, at) => (others.some((other) => other[at] !== part) ? at : []));
  // A single id does not show where the next one differs. Most likely that is a number at its end.
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

/** @param taken strings; those that are not all digits are ignored. */
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

/** The index from which characters of an id are replaced: in a UUID after the version and the variant. */
const startOf = (model: string): number =>
  idForm([model]) === 'uuid' ? model.lastIndexOf('-') : model.length / 2;

const isHex = (model: string): boolean => /^[0-9a-f-]+$/i.test(model);

/**
 * Replaces each character of the second half by one of its kind from the alphabet. The first is always replaced by
 * another one: in a sequential id it is a high digit, so that nobody is given the new id during the run.
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
