import { randomInt } from 'node:crypto';

/** The form of the ids that a target issues, judged from some of them. */
type IdForm = 'integer' | 'uuid' | 'ulid' | 'hex' | 'other';

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

/** Hexadecimal ids with fewer digits may be numbers that count up, so neighbouring ids may exist. */
const LONG_HEX = 16;

/**
 * Whether ids are sparse, as UUIDs, ULIDs and long hexadecimal ids are: almost no text of their form is the id of a
 * tag, so an invented or differently spelled id does not address a stranger's tag. In contrast, a neighbour of a short
 * id such as `1c9` may well exist.
 */
export function areSparse(ids: readonly string[]): boolean {
  const form = idForm(ids);
  return (
    form === 'uuid' || form === 'ulid' || (form === 'hex' && ids.every(({ length }) => length >= LONG_HEX))
  );
}

/** Texts that differ in at least this many places are random. */
const MANY_PLACES = 8;

/** Integers with at least this difference are random. */
const WIDE_GAP = 100_000n;

/** Whether all pairs of ids differ so much that ids must be random in a large range. */
export const differWidely = (ids: readonly string[]): boolean =>
  ids.every((one, at) => ids.slice(at + 1).every((other) => areFarApart(one, other)));

function areFarApart(one: string, other: string): boolean {
  if (idForm([one, other]) === 'integer') {
    const gap = BigInt(one) - BigInt(other);
    return gap >= WIDE_GAP || -gap >= WIDE_GAP;
  }
  return [...one].filter((char, at) => char !== other[at]).length >= MANY_PLACES;
}

/** The digits of base 36 and base 62, in the usual orders. */
const [DIGITS, LOWER, UPPER] = [
  '0123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
] as const;
const ALPHABETS = [DIGITS + LOWER, DIGITS + UPPER, DIGITS + LOWER + UPPER, DIGITS + UPPER + LOWER];

/** The greatest difference between ids that count up in letters and digits, within a few requests. */
const NEAR = 200n;

/**
 * Whether each id is a higher number than the one before. Ids with letters are read in a usual base, and must be close
 * together.
 */
export function countUp(ids: readonly string[]): boolean {
  const last = ids.map((id) => /[a-z\d]*$/i.exec(id)?.[0] ?? '');
  if (last.includes('')) return false;
  const areIntegers = last.every((id) => /^\d+$/.test(id));
  return (areIntegers ? [DIGITS] : ALPHABETS).some((alphabet) => {
    const numbers = last.map((id) => numberIn(id, alphabet));
    return numbers.every((number, at) => {
      if (number === undefined) return false;
      const before = numbers[at - 1];
      return before === undefined || (number > before && (areIntegers || number - before <= NEAR));
    });
  });
}

function numberIn(text: string, alphabet: string): bigint | undefined {
  const digits = [...text].map((char) => alphabet.indexOf(char));
  if (digits.includes(-1)) return undefined;
  return digits.reduce((sum, digit) => sum * BigInt(alphabet.length) + BigInt(digit), 0n);
}

/** Whether an invented id has the form of the issued ones. If not, the answer to a delete of it is open. */
export function hasIssuedForm(invented: string, issued: readonly string[]): boolean {
  const [model = ''] = issued;
  const form = idForm(issued);
  if (form === 'other' || idForm([invented]) !== form) return false;
  const isPadded = form === 'integer' && issued.some((id) => /^0\d/.test(id));
  return (form === 'integer' && !isPadded) || invented.length === model.length;
}

/** The least distance of an invented integer from the highest existing one, too great to be reached during the run. */
const FAR = 900_000_000n;

/**
 * The number of integers from which an invented one is chosen, so that two runs on one account choose different ones.
 */
const CHOICES = 50_000;

/**
 * The difference between choices. It keeps the last digits those of an existing id, because some targets compare only
 * these.
 */
const STEP = 1_000n;

const SPREAD = STEP * BigInt(CHOICES);

/** Integers closer than this to an existing one could be issued during the run. */
const APART = 100_000n;

/** The highest integers of common column types and languages. */
const CEILINGS = [2n ** 31n - 1n, 2n ** 53n - 1n, 2n ** 63n - 1n] as const;

/** The number of random characters that make an invented id longer than any issued one. */
const MORE = 24;

/**
 * Invents an id that no tag has. If issued ids are sparse, it has their form. If they are integers, it is one far from
 * all existing ones. Otherwise it is much longer than they are, because any text of their length may be the id of a
 * stranger's tag.
 *
 * @param issued at least one id of the run's tags.
 * @param live all ids that are known to exist.
 */
export function inventId(issued: readonly string[], live: ReadonlySet<string> = new Set()): string {
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
  const invent = areSparse(issued) ? varied : (id: string) => id + randomText(lettersIn(issued), MORE);
  let invented = invent(model);
  while (taken.has(invented)) invented = invent(model);
  return invented;
}

const LETTERS_AND_DIGITS = [...'0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The letters and digits that the ids use, or all letters and digits if the ids use hardly any. */
function lettersIn(ids: readonly string[]): readonly string[] {
  const used = LETTERS_AND_DIGITS.filter((char) => ids.some((id) => id.includes(char)));
  return used.length > 1 ? used : LETTERS_AND_DIGITS;
}

const randomText = (chars: readonly string[], length: number): string =>
  Array.from({ length }, () => chars[randomInt(chars.length)]).join('');

/** An id of another form than the issued ones, and much longer unless these are sparse. */
export const foreignId = (issued: readonly string[]): string =>
  idForm(issued) === 'integer' ? 'no-such-tag' : areSparse(issued) ? '900000001' : `9${'0'.repeat(25)}1`;

/** An id with so many letters appended that it cannot be another tag's id, however short the ids are. */
export const withLetters = (id: string): string => `${id}abcdefghijklmnopqrst`;

/** The parts of an id that counts, such as `tag-0007`: the number, and the text around it that all ids share. */
interface Counter {
  readonly before: string;
  readonly digits: string;
  readonly after: string;
}

/** The one number in which the ids differ, if they count. The target may issue numbers near it next. */
function counterIn(issued: readonly string[]): Counter | undefined {
  const form = idForm(issued);
  if (form !== 'integer' && form !== 'other') return undefined;
  // The numbers are at the odd indexes.
  const [model = [], ...others] = [...new Set(issued)].map((id) => id.split(/(\d+)/));
  const differing = model.flatMap((part, at) => (others.some((other) => other[at] !== part) ? at : []));
  // A single id does not show which of its numbers counts. It is probably the one at the end.
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
 * Invents an integer above all that are taken, or between them if the highest ones are close to the maximum of their
 * type.
 *
 * @param model an issued integer. If it has leading zeros, all ids have its length.
 * @param taken ids; those that are not integers are ignored.
 */
function inventInteger(model: string, taken: readonly string[]): string {
  const numbers = taken.filter((id) => /^\d+$/.test(id)).map(BigInt);
  const highest = numbers.reduce((one, other) => (one > other ? one : other), 0n);
  const ceiling = CEILINGS.find((most) => highest <= most) ?? 10n * highest;
  const room = ceiling - highest;
  const tenth = highest / 10n - ((highest / 10n) % STEP);
  const distance = tenth > FAR ? tenth : FAR;
  const more = STEP * BigInt(randomInt(CHOICES));
  const most = room - (room % STEP);
  let far =
    room > distance + SPREAD
      ? highest + distance + more
      : room > 4n * SPREAD
        ? highest + most - more
        : highest - tenth - more;
  const isNear = (number: bigint): boolean => number - far < APART && far - number < APART;
  while (numbers.some(isNear)) far -= 3n * APART;
  // Ids that are padded with zeros all have the same length. A longer number is still no tag's id.
  return /^0\d/.test(model) ? String(far).padStart(model.length, '0') : String(far);
}

/** The kinds of characters in hexadecimal ids, and in ULIDs. */
const HEX_KINDS = ['0123456789', 'abcdef', 'ABCDEF'];
const KINDS = ['0123456789', 'ABCDEFGHJKMNPQRSTVWXYZ', 'abcdefghjkmnpqrstvwxyz'];

/**
 * Replaces each character of the second half by a random one of its kind, and the first of them by a different one. If
 * ids count up, that is a high digit, which no id of the run will reach. The version and the variant of a UUID stay
 * unchanged.
 */
function varied(model: string): string {
  const start = idForm([model]) === 'uuid' ? model.lastIndexOf('-') : model.length / 2;
  const kinds = idForm([model]) === 'ulid' ? KINDS : HEX_KINDS;
  let isFirst = true;
  return [...model]
    .map((char, at) => {
      const kind = kinds.find((chars) => chars.includes(char));
      if (at < start || kind === undefined) return char;
      const choices = [...kind].filter((other) => !isFirst || other !== char);
      isFirst = false;
      return randomText(choices, 1);
    })
    .join('');
}
