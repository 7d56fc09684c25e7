import { type Pair, Secret, type Target } from '../../lib/check.ts';
import { GARBLED } from './mistyped.ts';

interface WrongPasswordPair extends Pair {
  /** The wrong password that was sent. */
  readonly password: Secret;
}

/** A login with a wrong password for the right username; sent once in a run. */
export function wrongPassword(target: Target): Promise<WrongPasswordPair> {
  return target.shared('wrong-password', 0, async (shared) => {
    const password = new Secret(`${shared.name()}X1!`, '$WRONG_PASSWORD');
    return { ...(await loginWith(shared, { username: shared.credentials.username, password })), password };
  });
}

/** A login with a username that nobody has, of the same form as the right one; sent once in a run. */
export function unknownUsername(target: Target): Promise<Pair> {
  return target.shared('unknown-username', 0, (shared) => {
    const [, domain] = /^[^@]*(@.*)?$/.exec(shared.credentials.username) ?? [];
    const password = new Secret(`${shared.name()}X1!`, '$WRONG_PASSWORD');
    return loginWith(shared, { username: `${shared.name()}${domain ?? ''}`, password });
  });
}

/** A login with these credentials beside the right one. A field that is undefined is left out. */
export function loginWith(
  target: Target,
  fields: { readonly username: unknown; readonly password: unknown },
): Promise<Pair> {
  const revealed = (value: unknown): unknown => (value instanceof Secret ? value.reveal() : value);
  const masked = (value: unknown): unknown => (value instanceof Secret ? value.label : value);
  const body = (written: (value: unknown) => unknown): string =>
    JSON.stringify({
      username: written(fields.username),
      password: written(fields.password),
      scopes: ['api'],
    });
  const areStrings = [fields.username, fields.password].every(
    (value) => (typeof value === 'string' && value !== '') || value instanceof Secret,
  );
  const login = new Secret(body(revealed), body(masked));
  return target.pair({
    accepted: () => target.login(),
    // The specification leaves open how an incomplete login is answered.
    refused: () => (areStrings ? target.sendLogin(login) : target.sendLogin(login, { open: true })),
  });
}

/** The logins of one row of `GARBLED`; sent once in a run. */
export function garbledLogins(target: Target, row: string): Promise<readonly Pair[]> {
  return target.shared(`garbled ${row}`, 0, async (shared) => {
    const { username, password } = shared.credentials;
    const logins = GARBLED.filter(({ id }) => id === row).flatMap(({ field, values }) =>
      values.map((value) => ({ username, password, [field]: value })),
    );
    return Promise.all(logins.map((fields) => loginWith(shared, fields)));
  });
}
