import fc from 'fast-check';
import { type Requirement, type Target } from '../../lib/check.ts';
import { spareAccount } from '../spare-account.ts';

/** A document database reads this as query conditions, which nearly every string meets. */
const CONDITIONS = { $ne: null, $gt: '', $regex: '' };

/** Values of a field that cannot mean the right one. Each row is one requirement. */
export const GARBLED: readonly {
  readonly id: string;
  /** Completes "A login …". */
  readonly what: string;
  /** The sentence about the field that such a login contradicts. */
  readonly sentence: Requirement['sentences'][number];
  readonly field: 'username' | 'password';
  readonly values: readonly unknown[];
  /** Whether they are sent for the first account, which saves right logins of the second one between failed ones. */
  readonly isOfFirst?: true;
}[] = [
  {
    id: 'username-absent',
    what: 'without a username',
    sentence: '4.1/username-meaning',
    field: 'username',
    values: [undefined],
    // An account that is found without a condition is likely to be the oldest one.
    isOfFirst: true,
  },
  {
    id: 'username-garbled',
    what: 'with a username that is not a string',
    sentence: '4.1/username-type',
    field: 'username',
    values: [CONDITIONS],
    // Conditions most likely find the oldest account.
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

const FIELDS = ['username', 'password'] as const;

/** A login in which one field holds no string, or in which both fields are absent, null or empty. */
interface Mistyped {
  readonly fields: readonly (typeof FIELDS)[number][];
  readonly value: unknown;
}

/** If no account is found, its password is absent as well: a comparison of both then holds. */
const WITHOUT_BOTH: Mistyped = { fields: FIELDS, value: undefined };

/** MySQL compares a string with a number as numbers, and most strings count as 0. */
const USERNAME_ZERO: Mistyped = { fields: ['username'], value: 0 };

const EXAMPLES: readonly Mistyped[] = [
  WITHOUT_BOTH,
  USERNAME_ZERO,
  // A target may take these for no credentials only if both fields have them.
  { fields: FIELDS, value: null },
  { fields: FIELDS, value: '' },
  // Code that ignores falsy values does not compare them.
  { fields: ['username'], value: null },
  { fields: ['username'], value: false },
  { fields: ['username'], value: true },
  // A query with an empty list may have no condition.
  { fields: ['username'], value: [] },
  // PHP before version 8 compares as MySQL does, and code that ignores falsy values does not compare this one. A run
  // sends few wrong passwords.
  { fields: ['password'], value: 0 },
  { fields: ['password'], value: [] },
  { fields: ['password'], value: { $gt: '' } },
];

/**
 * The account whose credentials are mistyped. If a wrong username finds any account, it is most likely the oldest one,
 * and the first account is probably older. Wrong passwords are spread over both accounts.
 */
export const accountOf = (target: Target, { fields }: Mistyped): Target =>
  fields.join() === 'username' ? target : spareAccount(target);

/** The mistyped logins that are sent before the generated ones: efforts below `thorough` send the first two. */
export function mistypedFirst(target: Target): readonly Mistyped[] {
  const { path } = target.settings;
  // The path of a case must lead to the same case with every effort.
  const isWhole = path !== undefined || target.settings.effort === 'thorough';
  return (isWhole ? EXAMPLES : [WITHOUT_BOTH, USERNAME_ZERO]).filter((one) => !couldBeRight(one, target));
}

/** Conditions that nearly every string meets if a document database or a query builder receives them as a query. */
const OPERATORS: readonly Readonly<Record<string, unknown>>[] = [
  ...[null, '', 0, false].map(($ne) => ({ $ne })),
  ...['', null].flatMap((least) => [{ $gt: least }, { $gte: least }]),
  { $lt: '\uffff' },
  { $lte: '\uffff' },
  { $exists: true },
  // `$in` with the right value is left out: a target may convert such a list to the value itself.
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

/** Generates mistyped logins other than those above. No conforming server could accept one of them. */
export function mistyped(target: Target): fc.Arbitrary<Mistyped> {
  // An absent field gives the key `undefined`, a null one `null`.
  const key = ({ fields, value }: Mistyped): string => `${fields.join()} ${JSON.stringify(value)}`;
  const garbled = GARBLED.flatMap(({ field, values }) => values.map((value) => ({ fields: [field], value })));
  const known = new Set([...garbled, ...EXAMPLES].map(key));
  return fc
    .oneof(
      {
        weight: 6,
        arbitrary: fc.record<Mistyped>({
          fields: fc.constantFrom(...FIELDS).map((field) => [field]),
          value: fc.oneof(
            { weight: 2, arbitrary: fc.constantFrom<unknown>(null, false, true, 0) },
            { weight: 1, arbitrary: hollow },
            { weight: 3, arbitrary: fc.constantFrom<unknown>(...OPERATORS) },
          ),
        }),
      },
      {
        weight: 1,
        // A MySQL driver writes an object as `column = value` pairs, which compares the column with itself.
        arbitrary: fc.constantFrom<Mistyped>(
          ...FIELDS.map((field) => ({ fields: [field], value: { [field]: 1 } })),
        ),
      },
    )
    .filter((one) => !known.has(key(one)) && !couldBeRight(one, target));
}

/** Whether a conforming server could take the value for what is right in each of the fields. */
function couldBeRight({ fields, value }: Mistyped, target: Target): boolean {
  const { username, password } = accountOf(target, { fields, value }).credentials;
  return (
    value !== undefined &&
    fields.every((field) => couldMean(value, field === 'username' ? username : password.reveal()))
  );
}

/** How programming languages write these values. */
const SPELLINGS: ReadonlyMap<unknown, readonly string[]> = new Map([
  [null, ['none', 'nil', 'undefined']],
  [true, ['1', 'yes', 'on']],
  [false, ['0', 'no', 'off']],
]);

/** Whether a conforming server could convert the value, or a part of it, to this string. */
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
