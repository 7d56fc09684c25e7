import { Secret } from '../secret.ts';
import { FULL_ACCESS } from '../spec/operations.ts';

export interface Credentials {
  readonly username: string;
  readonly password: Secret;
}

/** The shell variable for a token. Like the labels of the passwords, it tells the accounts apart. */
export const labelOf = (scopes: readonly string[], passwordLabel: string): string => {
  const account = passwordLabel.startsWith('$SECOND_') ? '$SECOND_' : '$';
  return scopes.join() === FULL_ACCESS.join()
    ? `${account}TOKEN`
    : `${account}TOKEN_${scopes.join('_').toUpperCase()}`;
};

/** The body of a login, as a secret. */
export function loginBody({ username, password }: Credentials, scopes: readonly string[]): Secret {
  return new Secret(
    JSON.stringify({ username, password: password.reveal(), scopes }),
    JSON.stringify({ username, password: password.label, scopes }),
  );
}
