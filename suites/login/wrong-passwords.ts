import { reaches, Secret, type Target, Undecided } from '../../lib/check.ts';
import { CONDITION } from './lookalikes.ts';
import { swappedCase } from '../neighbours.ts';

/** A password that is nearly the right one. */
interface WrongPassword {
  readonly id: string;
  /** Completes "The password …". */
  readonly what: string;
  readonly cause: string;
  /** Whether they are those of the second account, if there is one: passwords may be compared in one account only. */
  readonly isSpare?: true;
  /** The scopes that the logins ask for, where these are not api alone: passwords may be compared for some only. */
  readonly scopes?: readonly string[];
  /**
   * Makes the passwords from the right one; none if that cannot be changed in this way.
   *
   * @throws Undecided if there is nothing to make them from.
   */
  readonly passwords: (target: Target) => readonly Secret[];
}

/** @param what completes the label of the right password, such as `$PASSWORD`. */
const derive = (target: Target, what: string, change: (password: string) => string | undefined): Secret[] => {
  const { password } = target.credentials;
  const right = password.reveal();
  const wrong = change(right);
  return wrong === undefined || wrong === '' || mayBeSame(wrong, right)
    ? []
    : [new Secret(wrong, `${password.label}_${what}`)];
};

export const WRONG_PASSWORDS: readonly WrongPassword[] = [
  {
    id: 'password-letter-case',
    what: 'in another letter case',
    cause:
      'The password is compared by a case-insensitive collation, or its letter case is folded before it is hashed.',
    passwords: (target) => [
      // With the rest as it is, this is also another password for a target that compares the last characters only.
      ...derive(target, 'FIRST_LETTER', (password) => password.replace(/\p{Ll}|\p{Lu}/u, swappedCase)),
      ...(reaches(target.settings.effort, 'thorough') ? derive(target, 'IN_OTHER_CASE', swappedCase) : []),
    ],
  },
  {
    id: 'password-prefix',
    what: 'without its end',
    cause: 'Only the first characters are compared, or only as many as were sent.',
    isSpare: true,
    passwords: (target) => derive(target, 'CUT', cut),
  },
  {
    id: 'password-extended',
    what: 'with more characters behind it',
    cause:
      'The password is truncated before it is compared, only its start is compared, or it is put into a query.',
    scopes: ['user', 'mutation'],
    passwords: (target) => {
      const fits = (end: string) => (password: string) =>
        Buffer.byteLength(password + end) < HASHED_BYTES ? `${password}${end}` : undefined;
      // The extension is also one that a query made of the password would take for a condition.
      const extended = derive(target, 'EXTENDED', fits(CONDITION));
      return extended.length > 0 ? extended : derive(target, 'EXTENDED_BY_LETTERS', fits('qz'));
    },
  },
  {
    id: 'password-of-another',
    what: 'of another account',
    cause:
      'The password is looked up among the passwords of all accounts, not compared with the password of this one.',
    passwords: (target) => {
      const { password } = target.second.credentials;
      if (mayBeSame(password.reveal(), target.credentials.password.reveal()))
        throw new Undecided('choice', 'both accounts have the same password');
      return [password];
    },
  },
];

/** The longest start of a password that no conforming target takes for the whole of it. */
function cut(password: string): string | undefined {
  const characters = [...password];
  while (characters.pop() !== undefined) {
    const start = characters.join('');
    if (!mayBeSame(start, password)) return start;
  }
  return undefined;
}

/** bcrypt hashes the first 72 bytes of a password only: it takes a longer one for the same password. */
export const HASHED_BYTES = 72;

/**
 * What a conforming target may compare of a password: its first 72 bytes up to a NUL, in a normal form. Two passwords
 * that do not differ in it may count as the same one.
 */
const compared = (password: string): string => {
  const [start = ''] = password.normalize('NFKC').trim().split('\0');
  return Buffer.from(start.toWellFormed()).subarray(0, HASHED_BYTES).toString('hex');
};

/** Whether a conforming target may take one password for the other. */
export const mayBeSame = (one: string, other: string): boolean =>
  compared(one) === compared(other) ||
  // The normal form may also come after the cut.
  Buffer.from(one).subarray(0, HASHED_BYTES).equals(Buffer.from(other).subarray(0, HASHED_BYTES));
