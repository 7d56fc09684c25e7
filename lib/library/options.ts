import type { Effort } from '../effort.ts';

/**
 * The target, the account and the limits of a run. They have the names and defaults of the settings, `CONFORMANCE_...`.
 */
export interface Options {
  /** Address of the target, without `/api/v2`. */
  readonly baseUrl?: string | URL | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** A token from the control panel: checked beside the login, or used instead of it if no account is given. */
  readonly accessToken?: string | undefined;
  /** Another account, for requirements about two accounts. */
  readonly secondUsername?: string | undefined;
  readonly secondPassword?: string | undefined;
  /** Extra headers by name, for instance for an access proxy. Their values are secret. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Certificates to trust beside those of the system, as PEM text. */
  readonly ca?: string | undefined;
  /** Files with a client certificate and its private key, as PEM. */
  readonly clientCertFile?: string | undefined;
  readonly clientKeyFile?: string | undefined;
  readonly clientKeyPassphrase?: string | undefined;
  /** Folder for the reports and the ledger. */
  readonly reportDir?: string | undefined;
  readonly effort?: Effort | undefined;
  readonly seed?: string | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxTimeS?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly maxRps?: number | undefined;
  readonly settleMs?: number | undefined;
  readonly maxLiveTags?: number | undefined;
  /** Allows plain http to a target on another machine. */
  readonly allowHttp?: boolean | undefined;
}
