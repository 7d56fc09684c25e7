import { generated, Secret, type Target } from '../../lib/check.ts';
import { spareAccount } from '../spare-account.ts';
import { partsOf } from './partial-usernames.ts';

/**
 * An SQL injection. Appended to a text in a query, it ends the text and adds a condition that is always false. The
 * query finds what the text alone finds, so that it also works where a target expects exactly one account. One letter
 * is outside ASCII. As a regular expression, its end matches any text.
 */
export const CONDITION = "' OR '1'='1' AND 'é'='2|.*";

/** Texts that differ from the right username or password, but that a careless target may accept as equal. */
export interface Lookalike {
  readonly id: string;
  /** Completes "A login with …". */
  readonly what: string;
  readonly cause: string;
  readonly field: 'username' | 'password';
  /** The scopes of the logins. */
  readonly scopes: readonly string[];
  /** Whether the last login presents a valid token: a faulty target may then not compare the password. */
  readonly isLastBesideToken?: true;
  readonly values: (target: Target) => readonly (string | Secret)[];
}

const withoutEnd = (text: string): string => [...text].slice(0, -1).join('');

/** Some of several texts that are equally likely to be accepted. The seed decides which. */
const drawn = <T>(target: Target, count: number, texts: readonly T[]): readonly T[] => {
  const at = (generated.seedOf(`${target.settings.seed} lookalikes`) >>> 0) % texts.length;
  return [...texts.slice(at), ...texts.slice(0, at)].slice(0, count);
};

export const LOOKALIKES: readonly Lookalike[] = [
  {
    id: 'username-lookalike',
    what: 'the right password and a wildcard, a condition of a query or a part of the username as its username',
    cause:
      'The username is put into a query or a regular expression unescaped, or is compared by LIKE or as a prefix.',
    field: 'username',
    scopes: ['api'],
    values: (target) => {
      const { username } = target.credentials;
      return [
        `${username}${CONDITION}`,
        // The wildcards of databases (SQL) and of directories (LDAP).
        `${withoutEnd(username)}%`,
        `${withoutEnd(username)}*`,
        // Another check sends the first part.
        ...partsOf(username).slice(1),
        ...(target.settings.effort === 'thorough'
          ? [
              ...partsOf(username).slice(0, 1),
              '%',
              '*',
              '',
              `${username}' -- `,
              "' OR '1'='1' -- ",
              `${username}\0x`,
            ]
          : []),
      ];
    },
  },
  {
    id: 'password-lookalike',
    what: 'the username, or the right password with a wildcard, a blank or markup in it, as its password',
    cause:
      'An initial password is still accepted, the password is compared by LIKE or after it was sanitised, or a valid token takes its place.',
    field: 'password',
    scopes: ['mutation_read'],
    isLastBesideToken: true,
    values: (target) => {
      const { username, password } = target.credentials;
      const right = password.reveal();
      const half = Math.floor(right.length / 2);
      const around = (text: string): string => `${right.slice(0, half)}${text}${right.slice(half)}`;
      // A run sends few wrong passwords for one username. With one account, or where more is asked about letter case, this leaves
      // room for one of these.
      const isShort = spareAccount(target) === target || target.settings.effort === 'thorough';
      return [
        username,
        ...drawn(target, isShort ? 1 : 2, [
          new Secret(`${withoutEnd(right)}%`, '$PASSWORD_WITH_WILDCARD'),
          new Secret(around('<i></i>'), '$PASSWORD_WITH_MARKUP'),
          new Secret(around(' '), '$PASSWORD_WITH_BLANK'),
        ]),
      ];
    },
  },
];
