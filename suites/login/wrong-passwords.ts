import { reaches, Secret, type Target, Undecided } from '../../lib/check.ts';

/** A password that is nearly the right one. */
export interface WrongPassword {
  readonly id: string;
  /** Completes "The password …". */
  readonly what: string;
  readonly cause: string;
  /**
   * Makes the passwords from the right one.
   *
   * @throws Undecided if the right password cannot be changed in this way.
   */
  readonly passwords: (target: Target) => readonly Secret[];
}

/** bcrypt hashes the first 72 bytes of a password only: it takes a longer one for the same password. */
const HASHED_BYTES = 72;

const derive = (target: Target, label: string, change: (password: string) => string | undefined): Secret => {
  const right = target.credentials.password.reveal();
  const wrong = change(right);
  if (wrong === undefined || wrong === right || wrong === '') {
    throw new Undecided('tester', 'the given password cannot be changed in this way');
  }
  return new Secret(wrong, label);
};

/** Every letter in its other case, as with Caps Lock. */
const otherCase = (password: string): string =>
  password.replace(/\p{Ll}|\p{Lu}/gu, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

export const WRONG_PASSWORDS: readonly WrongPassword[] = [
  {
    id: 'password-letter-case',
    what: 'in another letter case',
    cause:
      'The password is compared by a case-insensitive collation, or its letter case is folded before it is hashed.',
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
    cause: 'The password is truncated before it is compared, or only its start is compared.',
    passwords: (target) => [
      derive(target, '$PASSWORD_EXTENDED', (password) =>
        Buffer.byteLength(password) + 2 <= HASHED_BYTES ? `${password}qz` : undefined,
      ),
    ],
  },
  {
    id: 'password-of-another',
    what: 'of another account',
    cause: 'The password is looked up among those of all accounts, not compared with that of this account.',
    passwords: (target) => [target.second.credentials.password],
  },
];
