import { type RequestOverrides, Secret } from '../lib/check.ts';

/**
 * A request with another Authorization header than that of the run.
 *
 * @param label stands for the credential in evidence, such as `Bearer $TOKEN_CUT`.
 */
export const withCredential = (credential: string, label: string) =>
  ({
    token: 'none',
    headers: { Authorization: new Secret(credential, label) },
  }) as const satisfies RequestOverrides;
