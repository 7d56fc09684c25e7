import { reaches } from '../lib/effort.ts';
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
      ...(reaches(target.effort, 'thorough')
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
  readonly field: 'username' | 'password';
  /** `thorough`: asked with that effort only, because logins are few. */
  readonly values: readonly { readonly value: unknown; readonly from?: 'thorough' }[];
}[] = [
  { id: 'username-absent', what: 'without a username', field: 'username', values: [{ value: undefined }] },
  {
    id: 'username-garbled',
    what: 'with a username that is no text',
    field: 'username',
    values: [
      // A document database reads this as "not equal to null", which holds of every value.
      { value: { $ne: null } },
      { value: null, from: 'thorough' },
      { value: true, from: 'thorough' },
    ],
  },
  { id: 'password-absent', what: 'without a password', field: 'password', values: [{ value: undefined }] },
  { id: 'password-empty', what: 'with an empty password', field: 'password', values: [{ value: '' }] },
  {
    id: 'password-garbled',
    what: 'with a password that is no text',
    field: 'password',
    values: [
      { value: true },
      { value: [] },
      { value: { $ne: null } },
      { value: null, from: 'thorough' },
      { value: false, from: 'thorough' },
    ],
  },
];
