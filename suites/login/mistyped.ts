import fc from 'fast-check';
import { type Credentials, type Position, reaches, type Target } from '../../lib/check.ts';
import { drawn } from './lookalikes.ts';

/** A document database reads this as conditions, each of which nearly every string meets. */
const CONDITIONS = { $ne: null, $gt: '', $regex: '' };

/** Values of a field that cannot mean the right one. Each row is one requirement. */
export const GARBLED: readonly {
  readonly id: string;
  /** Completes "A login …". */
  readonly what: string;
  /** The sentence about the field that such a login contradicts. */
  readonly sentence: Position;
  readonly field: 'username' | 'password';
  readonly values: readonly unknown[];
  /** Whether they are sent for the first account: those of the second one need as few right logins between as possible. */
  readonly isOfFirst?: true;
}[] = [
  {
    id: 'username-absent',
    what: 'without a username',
    sentence: '4.1/username-meaning',
    field: 'username',
    values: [undefined],
  },
  {
    id: 'username-garbled',
    what: 'with a username that is not a string',
    sentence: '4.1/username-type',
    field: 'username',
    values: [CONDITIONS],
    // An account that is found by conditions is likely to be the oldest one.
    isOfFirst: true,
  },
  {
    id: 'password-absent',
    what: 'without a password',
    sentence: '4.1/password-meaning',
    field: 'password',
    values: [undefined],
  },
  {
    id: 'password-empty',
    what: 'with an empty password',
    sentence: '4.1/password-meaning',
    field: 'password',
    values: [''],
    isOfFirst: true,
  },
  {
    id: 'password-garbled',
    what: 'with a password that is not a string',
    sentence: '4.1/password-type',
    field: 'password',
    values: [true, CONDITIONS],
  },
];

/** A login with a value that is not a string in one of its fields. */
interface Mistyped {
  readonly field: 'username' | 'password';
  readonly value: unknown;
}

/** Efforts below `thorough` send one of these. */
const USERNAMES: readonly Mistyped[] = [
  // MySQL compares a string with a number as numbers, and most strings count as 0.
  { field: 'username', value: 0 },
  // Code that skips falsy values also skips the comparison.
  { field: 'username', value: null },
  { field: 'username', value: false },
  // A query with an empty list may have no condition.
  { field: 'username', value: [] },
];

const EXAMPLES: readonly Mistyped[] = [
  ...USERNAMES,
  // PHP before version 8 compares as MySQL does, and code that skips falsy values skips this one.
  { field: 'password', value: 0 },
  { field: 'password', value: [] },
  { field: 'password', value: { $gt: '' } },
];

/** The mistyped logins that are sent before the generated ones. */
export function mistypedFirst(target: Target, credentials: Credentials): readonly Mistyped[] {
  const { effort, path } = target.settings;
  // A path has to lead to the same case with every effort.
  const isWhole = path !== undefined || reaches(effort, 'thorough');
  return (isWhole ? EXAMPLES : drawn(target, USERNAMES)).filter(
    (one) => !couldMean(one.value, rightIn(credentials, one)),
  );
}

const FIELDS = ['username', 'password'] as const;

/** Conditions that nearly every string meets, if a document database or a query builder gets them as a query. */
const OPERATORS: readonly Readonly<Record<string, unknown>>[] = [
  ...[null, '', 0, false].map(($ne) => ({ $ne })),
  ...['', null].flatMap((least) => [{ $gt: least }, { $gte: least }]),
  { $lt: '\uffff' },
  { $lte: '\uffff' },
  { $exists: true },
  // `$in` with the right value is not among them: a target may take such a list for the value itself.
  ...[[], ['']].map(($nin) => ({ $nin })),
  ...[{ $exists: false }, { $eq: '' }, { $in: [] }].map(($not) => ({ $not })),
  ...['', '.*', '^'].map(($regex) => ({ $regex })),
  { $type: 'string' },
  { not: '' },
  { contains: '' },
];

/** Nested arrays that contain nothing but empty objects. */
const { hollow } = fc.letrec<{ hollow: unknown }>((tie) => ({
  hollow: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>([], {}),
    fc.array(tie('hollow'), { minLength: 1, maxLength: 2 }),
  ),
}));

/** Generates mistyped logins other than those above, and none that a conforming server could accept. */
export function mistyped(credentials: Credentials): fc.Arbitrary<Mistyped> {
  // The keys of an absent field and a null one differ: `undefined` and `null`.
  const key = ({ field, value }: Mistyped): string => `${field} ${JSON.stringify(value)}`;
  const garbled = GARBLED.flatMap(({ field, values }) => values.map((value) => ({ field, value })));
  const known = new Set([...garbled, ...EXAMPLES].map(key));
  return fc
    .oneof(
      {
        weight: 6,
        arbitrary: fc.record<Mistyped>({
          field: fc.constantFrom(...FIELDS),
          value: fc.oneof(
            { weight: 2, arbitrary: fc.constantFrom<unknown>(null, false, true, 0) },
            { weight: 1, arbitrary: hollow },
            { weight: 3, arbitrary: fc.constantFrom<unknown>(...OPERATORS) },
          ),
        }),
      },
      {
        weight: 1,
        // A MySQL driver writes an object as `column = value` pairs, so that the column is compared with itself.
        arbitrary: fc.constantFrom<Mistyped>(...FIELDS.map((field) => ({ field, value: { [field]: 1 } }))),
      },
    )
    .filter((one) => !known.has(key(one)) && !couldMean(one.value, rightIn(credentials, one)));
}

const rightIn = ({ username, password }: Credentials, { field }: Mistyped): string =>
  field === 'username' ? username : password.reveal();

/** How other languages than JSON write these values. */
const SPELLINGS: ReadonlyMap<unknown, readonly string[]> = new Map([
  [null, ['none', 'nil', 'undefined']],
  [true, ['1', 'yes', 'on']],
  [false, ['0', 'no', 'off']],
]);

/** Whether a conforming server could take the value, or a part of it, for this string: some convert every value to one. */
function couldMean(value: unknown, text: string): boolean {
  const spellings = [JSON.stringify(value), String(value), ...(SPELLINGS.get(value) ?? [])];
  if (spellings.some((spelling) => spelling.toLowerCase() === text.toLowerCase())) return true;
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value)
      .flat()
      .some((inner) => couldMean(inner, text))
  );
}
