import type { Target } from '../lib/engine/target.ts';
import { Undecided } from '../lib/outcome.ts';
import { Secret } from '../lib/secret.ts';

/** A password that is nearly the right one. */
export interface WrongPassword {
  readonly id: string;
  /** Completes "The password …". */
  readonly what: string;
  readonly cause: string;
  /** Throws Undecided where the right password has no such neighbour. */
  readonly password: (target: Target) => Secret | Promise<Secret>;
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
    password: (target) => derive(target, '$PASSWORD_IN_OTHER_CASE', otherCase),
  },
  {
    id: 'password-first-letter',
    what: 'with its first letter in the other case',
    cause: 'The slip of a telephone keyboard is forgiven.',
    password: (target) =>
      derive(target, '$PASSWORD_FIRST_LETTER', (password) => {
        const first = password.slice(0, 1);
        return `${first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase()}${password.slice(1)}`;
      }),
  },
  {
    id: 'password-prefix',
    what: 'without its last character',
    cause: 'Only the first characters are compared, or only as many as were sent.',
    password: (target) => derive(target, '$PASSWORD_CUT', (password) => password.slice(0, -1)),
  },
  {
    id: 'password-extended',
    what: 'with letters behind it',
    cause: 'The password is cut to a fixed length before it is compared, or compared by its start.',
    password: (target) =>
      derive(target, '$PASSWORD_EXTENDED', (password) =>
        Buffer.byteLength(password) + 2 <= HASHED_BYTES ? `${password}qz` : undefined,
      ),
  },
  {
    id: 'password-of-another',
    what: 'of another account',
    cause: 'The password is looked up among all accounts, and not compared with that of this one.',
    password: (target) => target.second.credentials.password,
  },
];

/** Values of a field that no reading makes the right one. */
export const GARBLED: readonly {
  readonly id: string;
  readonly what: string;
  readonly value: unknown;
  readonly fields: readonly ('username' | 'password')[];
}[] = [
  { id: 'absent', what: 'without a FIELD', value: undefined, fields: ['username', 'password'] },
  { id: 'null', what: 'with a FIELD that is null', value: null, fields: ['username', 'password'] },
  { id: 'empty', what: 'with a FIELD that is empty', value: '', fields: ['password'] },
  { id: 'boolean', what: 'with a FIELD that is true', value: true, fields: ['username', 'password'] },
  { id: 'array', what: 'with a FIELD that is an empty array', value: [], fields: ['password'] },
  // A document database reads this as "not equal to null", which holds of every value.
  {
    id: 'object',
    what: 'with a FIELD that is an object',
    value: { $ne: null },
    fields: ['username', 'password'],
  },
];
