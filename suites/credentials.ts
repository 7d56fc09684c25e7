import fc from 'fast-check';
import { type Credentials, type Position, reaches, Secret, type Target, Undecided } from '../lib/check.ts';

/** A password that is nearly the right one. */
export interface WrongPassword {
  readonly id: string;
  /** Completes "The password …". */
  readonly what: string;
  readonly cause: string;
  /** Throws Undecided where the right password has no such neighbour. */
  readonly passwords: (target: Target) => readonly Secret[];
}

/** Some hashes look at 72 bytes alone; a longer password would be the same one to them. */
const HASHED_BYTES = 72;

const derive = (target: Target, label: string, change: (password: string) => string | undefined): Secret => {
  const right = target.credentials.password.reveal();
  const wrong = change(right);
  if (wrong === undefined || wrong === right || wrong === '') {
    throw new Undecided('tester', 'the password that was given cannot be changed in this way');
  }
  return new Secret(wrong, label);
};

/** Every letter in its other case, as with Caps Lock: what passes over letter case takes that, too. */
const otherCase = (password: string): string =>
  password.replace(/\p{Ll}|\p{Lu}/gu, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

export const WRONG_PASSWORDS: readonly WrongPassword[] = [
  {
    id: 'password-letter-case',
    what: 'in another letter case',
    cause:
      'The password is compared by a collation that passes over letter case, or folded before it is hashed.',
    passwords: (target) => [
      derive(target, '$PASSWORD_IN_OTHER_CASE', otherCase),
      ...(reaches(target.settings.effort, 'thorough')
        ? [
            derive(
              target,
              '$PASSWORD_FIRST_LETTER',
              (password) => otherCase(password.slice(0, 1)) + password.slice(1),
            ),
          ]
        : []),
    ],
  },
  {
    id: 'password-prefix',
    what: 'without its last character',
    cause: 'Only the first characters are compared, or only as many as were sent.',
    passwords: (target) => [derive(target, '$PASSWORD_CUT', (password) => password.slice(0, -1))],
  },
  {
    id: 'password-extended',
    what: 'with letters behind it',
    cause: 'The password is cut to a fixed length before it is compared, or compared by its start.',
    passwords: (target) => [
      derive(target, '$PASSWORD_EXTENDED', (password) =>
        Buffer.byteLength(password) + 2 <= HASHED_BYTES ? `${password}qz` : undefined,
      ),
    ],
  },
  {
    id: 'password-of-another',
    what: 'of another account',
    cause: 'The password is looked up among all accounts, and not compared with that of this one.',
    passwords: (target) => [target.second.credentials.password],
  },
];

/** Forms of a field that no reading makes the right one; those of one id are one requirement. */
export const GARBLED: readonly {
  readonly id: string;
  /** Completes "A login …". */
  readonly what: string;
  /** The sentence about the field that such a login contradicts. */
  readonly sentence: Position;
  readonly field: 'username' | 'password';
  readonly values: readonly unknown[];
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
    what: 'with a username that is no text',
    sentence: '4.1/username-type',
    field: 'username',
    values: [
      // A document database reads this as "not equal to null", which holds of every value.
      { $ne: null },
    ],
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
  },
  {
    id: 'password-garbled',
    what: 'with a password that is no text',
    sentence: '4.1/password-type',
    field: 'password',
    values: [true, { $ne: null }],
  },
];

/** A login with a value that is no text in one of its fields. */
export interface Mistyped {
  readonly field: 'username' | 'password';
  readonly value: unknown;
}

/** The first is asked with every effort that asks for these at all, the others with the greatest one. */
const EXAMPLES: readonly [Mistyped, ...Mistyped[]] = [
  { field: 'password', value: [] },
  // MySQL compares a text as a number with a number, and then most are 0.
  { field: 'username', value: 0 },
  // Older versions of PHP do so, too, and where what counts as false is left out of the comparison, this is.
  { field: 'password', value: 0 },
  { field: 'password', value: { $gt: '' } },
];

/** Mistyped logins that are asked before those that are generated. */
export function mistypedFirst({ credentials, settings: { effort, path } }: Target): readonly Mistyped[] {
  // A path leads to the same case with each effort.
  const isWhole = path !== undefined || reaches(effort, 'thorough');
  return (isWhole ? EXAMPLES : [EXAMPLES[0]]).filter(
    (one) => !couldMean(one.value, rightIn(credentials, one)),
  );
}

const FIELDS = ['username', 'password'] as const;

/** Each holds of nearly every text, where a document database is handed it, or what writes queries by such objects. */
const OPERATORS: readonly Readonly<Record<string, unknown>>[] = [
  ...[null, '', 0, false].map(($ne) => ({ $ne })),
  ...['', null].flatMap((least) => [{ $gt: least }, { $gte: least }]),
  { $lt: '\uffff' },
  { $lte: '\uffff' },
  { $exists: true },
  // Its opposite is not among them: a list that holds the right text is one that may be taken for that text.
  ...[[], ['']].map(($nin) => ({ $nin })),
  ...[{ $exists: false }, { $eq: '' }, { $in: [] }].map(($not) => ({ $not })),
  ...['', '.*', '^'].map(($regex) => ({ $regex })),
  { $type: 'string' },
  { not: '' },
  { contains: '' },
];

/** Lists in one another with nothing in them but an empty object, perhaps. */
const { hollow } = fc.letrec<{ hollow: unknown }>((tie) => ({
  hollow: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>([], {}),
    fc.array(tie('hollow'), { minLength: 1, maxLength: 2 }),
  ),
}));

/** Generates mistyped logins that are not asked anyway, with none that an honest server could let in. */
export function mistyped(credentials: Credentials): fc.Arbitrary<Mistyped> {
  // A field that is left out is none with null in it, though JSON would write both alike.
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
        // A driver of MySQL writes an object as names with their values, and the column is compared with itself.
        arbitrary: fc.constantFrom<Mistyped>(...FIELDS.map((field) => ({ field, value: { [field]: 1 } }))),
      },
    )
    .filter((one) => !known.has(key(one)) && !couldMean(one.value, rightIn(credentials, one)));
}

const rightIn = ({ username, password }: Credentials, { field }: Mistyped): string =>
  field === 'username' ? username : password.reveal();

/** How values are written in languages that have other words for them than JSON. */
const SPELLINGS: ReadonlyMap<unknown, readonly string[]> = new Map([
  [null, ['none', 'nil', 'undefined']],
  [true, ['1', 'yes', 'on']],
  [false, ['0', 'no', 'off']],
]);

/** Whether a server in good faith may take a value, or what is in it, for this text: some make texts of all values. */
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
