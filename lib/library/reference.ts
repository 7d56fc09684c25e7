import { freshAccounts } from '../../fixtures/reference/accounts.ts';
import { Reference } from '../../fixtures/reference/reference.ts';
import { serve } from '../../fixtures/reference/serve.ts';
import type { Options } from './options.ts';

/** An account of the reference. */
export interface ReferenceAccount {
  readonly username: string;
  readonly password: string;
  /** Names of the tags that it has at first; by default none. */
  readonly tags?: readonly string[];
}

export interface ServeOptions {
  /** The port on loopback; by default any free one. */
  readonly port?: number;
  /** Whether to serve HTTPS, with a certificate of its own. The default is HTTPS. */
  readonly tls?: boolean;
  /** By default two accounts with a few tags and with new passwords. */
  readonly accounts?: readonly [ReferenceAccount, ...ReferenceAccount[]];
}

/** A reference server that runs in this process. */
export interface ServedReference {
  /** Such as `https://127.0.0.1:49152`. */
  readonly url: string;
  /** The certificate to trust, as PEM text; undefined without TLS. */
  readonly certificate: string | undefined;
  readonly accounts: readonly ReferenceAccount[];
  /** A token of the first account with the scope `api`, as its control panel would show it. */
  readonly accessToken: string;
  /** What `certify` needs to certify it with every requirement; those about two accounts need two. */
  readonly options: Options & { readonly baseUrl: string };
  /** Ends all connections, and frees the port. */
  readonly close: () => Promise<void>;
}

/**
 * Serves the reference, a conforming implementation in memory, on loopback. Clients can be tested against it.
 *
 * @throws Error with a code if the port is taken.
 */
export async function serveReference({
  port = 0,
  tls = true,
  accounts,
}: ServeOptions = {}): Promise<ServedReference> {
  const seeds = accounts?.map(({ tags = [], ...account }) => ({ ...account, tags })) ?? freshAccounts();
  const [first, second] = seeds;
  if (first === undefined) throw new TypeError('accounts is expected to hold at least one account.');
  const reference = new Reference(seeds).seeded();
  const accessToken = await reference.issueToken({ username: first.username, scopes: ['api'] });
  const serving = await serve(reference, { port, tls });
  const { url, certificate } = serving;
  const { username, password } = first;
  return {
    url,
    certificate,
    accounts: seeds,
    accessToken,
    options: {
      baseUrl: url,
      ca: certificate,
      username,
      password,
      accessToken,
      secondUsername: second?.username,
      secondPassword: second?.password,
    },
    close: () => serving.close(),
  };
}
