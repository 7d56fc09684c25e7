import { Secret, spec, type Target, Undecided } from '../../lib/check.ts';
import { CONDITION } from './lookalikes.ts';
import { swappedCase } from '../neighbours.ts';

/** A password that is nearly the right one. */
interface WrongPassword {
  readonly id: string;
  /** Completes "The password …". */
  readonly what: string;
  readonly cause: string;
  /** Whether they are sent for the second account, if there is one: a fault may affect one account only. */
  readonly isSpare?: true;
  /**
   * The scopes of the logins, if not api alone: a faulty target may compare passwords only if certain scopes are
   * requested.
   */
  readonly scopes?: readonly string[];
  /** Whether they have a form that no validator refuses. */
  readonly isOfValidForm?: true;
  /**
   * Derives wrong passwords from the right one; none if it cannot be changed in this way.
   *
   * @throws Undecided if there is nothing to derive them from.
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
      'The password is compared by a case-insensitive collation, its letter case is folded before it is hashed, or logins for many scopes have code of their own.',
    scopes: spec.scopes,
    passwords: (target) => [
      // Only the first letter changes, so that a target that compares only the last characters accepts it as well.
      ...derive(target, 'FIRST_LETTER', (password) => password.replace(/\p{Ll}|\p{Lu}/u, swappedCase)),
      ...(target.settings.effort === 'thorough' ? derive(target, 'IN_OTHER_CASE', swappedCase) : []),
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
      'The password is truncated before it is compared, only its start is compared, or it is put into a query or a regular expression.',
    scopes: ['user', 'mutation'],
    passwords: (target) => {
      const fits = (end: string) => (password: string) =>
        Buffer.byteLength(password + end) < HASHED_BYTES ? `${password}${end}` : undefined;
      // An SQL injection, in case the password is put into a query.
      const extended = derive(target, 'EXTENDED', fits(CONDITION));
      return extended.length > 0 ? extended : derive(target, 'EXTENDED_BY_LETTERS', fits('qz'));
    },
  },
  {
    id: 'password-of-another',
    what: 'of another account',
    cause:
      'The password is looked up among the passwords of all accounts, not compared with the password of this one, or logins for some scopes have code of their own.',
    scopes: ['mutation_read'],
    isOfValidForm: true,
    passwords: (target) => {
      const { password } = target.second.credentials;
      if (mayBeSame(password.reveal(), target.credentials.password.reveal()))
        throw new Undecided('choice', 'both accounts have the same password');
      return [password];
    },
  },
];

/** The longest beginning of a password that every conforming target distinguishes from the whole. */
function cut(password: string): string | undefined {
  const characters = [...password];
  while (characters.pop() !== undefined) {
    const start = characters.join('');
    if (!mayBeSame(start, password)) return start;
  }
  return undefined;
}

/** bcrypt hashes only the first 72 bytes of a password, so longer ones with the same beginning are equal to it. */
const HASHED_BYTES = 72;

/**
 * The part of a password that a conforming target compares: its first 72 bytes, up to a NUL, in a normal form.
 * Passwords that do not differ in it may count as equal.
 */
const compared = (password: string): string => {
  const [start = ''] = password.normalize('NFKC').trim().split('\0');
  return Buffer.from(start.toWellFormed()).subarray(0, HASHED_BYTES).toString('hex');
};

/** Whether a conforming target may accept one password in place of the other. */
export const mayBeSame = (one: string, other: string): boolean =>
  compared(one) === compared(other) ||
  // A target may also normalise the text after it is cut.
  Buffer.from(one).subarray(0, HASHED_BYTES).equals(Buffer.from(other).subarray(0, HASHED_BYTES));
