import type { Socket } from 'node:net';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { buildConnector, Client } from 'undici';
import type { Secret } from '../secret.ts';

/** A client certificate with its key, both as PEM. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly key: string | Secret;
  readonly passphrase?: Secret | undefined;
}

/** A proxy for all requests. */
export interface Proxy {
  /** Such as `http://proxy.example.com:3128`, without credentials. */
  readonly origin: string;
  /** The value of `Proxy-Authorization`. */
  readonly authorization?: Secret | undefined;
  /** The variable that names the proxy, for messages. */
  readonly variable: string;
}

/** How to connect to a target. */
export interface Route {
  /** A certificate authority to trust beside those of the system, as PEM. */
  readonly ca?: string | undefined;
  readonly clientCertificate?: ClientCertificate | undefined;
  readonly proxy?: Proxy | undefined;
}

/** The request did not reach the target because of the proxy. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
}

const TUNNEL_TIMEOUT_MS = 10_000;

type Connector = buildConnector.connector;

/** Connects to the target directly, or through a tunnel of the proxy (RFC 9110, 9.3.6). */
export function connectorOf({ ca, clientCertificate, proxy }: Route): Connector {
  const trust = ca === undefined ? {} : { ca: [...rootCertificates, ca] };
  const toTarget = tlsConnector({
    ...trust,
    ...(clientCertificate === undefined
      ? {}
      : {
          cert: clientCertificate.certificate,
          key: revealed(clientCertificate.key),
          passphrase: clientCertificate.passphrase?.reveal(),
        }),
  });
  if (proxy === undefined) return toTarget;
  const toProxy = namingTheProxy(tlsConnector(trust), proxy);
  return (options, callback) => {
    // A request over plain http goes to the proxy itself.
    if (options.protocol !== 'https:' || isOriginOf(proxy, options)) return toProxy(options, callback);
    const authority = `${options.hostname}:${options.port || '443'}`;
    void tunnel(proxy, authority, toProxy, (tunnelled) =>
      tunnelled instanceof Error
        ? callback(tunnelled, null)
        : toTarget({ ...options, httpSocket: tunnelled }, callback),
    );
  };
}

/** How to send requests over plain http: with a proxy, they go to the proxy with the whole URL (RFC 9112, 3.2.2). */
export function forwarding(
  base: URL,
  proxy: Proxy | undefined,
): {
  readonly origin: string;
  /** Precedes the path of a request. */
  readonly prefix: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The message for a 407, which only a proxy answers (RFC 9110, 15.5.8). */
  readonly refusal?: string;
} {
  if (proxy === undefined || base.protocol === 'https:')
    return { origin: base.origin, prefix: '', headers: [] };
  return {
    origin: proxy.origin,
    prefix: base.origin,
    headers: [['Host', base.host], ...credentialsFor(proxy)],
    refusal: demandsCredentials(proxy).message,
  };
}

const demandsCredentials = ({ origin, variable, authorization }: Proxy): ProxyError =>
  new ProxyError(
    authorization === undefined
      ? `the proxy ${origin} demands credentials (407); give them in ${variable}, as in http://name:password@host:port`
      : `the proxy ${origin} refuses the credentials in ${variable} (407)`,
  );

// The context is created once: reading all root certificates takes longer than the rest of a handshake.
function tlsConnector(context: Parameters<typeof createSecureContext>[0] & object): Connector {
  const given = Object.values(context).some((value) => value !== undefined);
  const secureContext: SecureContext | undefined = given ? createSecureContext(context) : undefined;
  return buildConnector(secureContext === undefined ? {} : { secureContext });
}

const revealed = (value: string | Secret): string => (typeof value === 'string' ? value : value.reveal());

const isOriginOf = (proxy: Proxy, { hostname, port }: buildConnector.Options): boolean => {
  const url = new URL(proxy.origin);
  return url.hostname === hostname && url.port === (port ?? '');
};

function namingTheProxy(connector: Connector, { origin, variable }: Proxy): Connector {
  return (options, callback) =>
    connector(options, (...[error, socket]) => {
      if (error === null) return callback(null, socket);
      const { code = error.message } = error as NodeJS.ErrnoException;
      callback(
        new ProxyError(
          `no connection could be made to the proxy ${origin} (${code}); check ${variable}, or name the target in NO_PROXY`,
        ),
        null,
      );
    });
}

/** Opens a tunnel through the proxy and gives its socket to `done`, or the error. */
async function tunnel(
  proxy: Proxy,
  authority: string,
  connect: Connector,
  done: (tunnelled: Socket | Error) => void,
): Promise<void> {
  const client = new Client(proxy.origin, { connect, headersTimeout: TUNNEL_TIMEOUT_MS });
  try {
    const headers = Object.fromEntries([['Host', authority], ...credentialsFor(proxy)]);
    const { statusCode, socket } = await client.connect({ path: authority, headers });
    if (statusCode >= 200 && statusCode < 300) return done(socket as Socket);
    socket.on('error', () => undefined).destroy();
    done(refusalOf(proxy, statusCode, authority));
  } catch (error) {
    await client.destroy();
    const { code = '', message } = error as NodeJS.ErrnoException;
    done(
      error instanceof ProxyError
        ? error
        : new ProxyError(`the proxy ${proxy.origin} opened no tunnel to ${authority} (${code || message})`, {
            cause: error,
          }),
    );
  }
}

const refusalOf = (proxy: Proxy, status: number, authority: string): ProxyError =>
  status === 407
    ? demandsCredentials(proxy)
    : new ProxyError(
        `the proxy ${proxy.origin} answered ${status} instead of connecting to ${authority}; ask its operators, or name the target in NO_PROXY`,
      );

const credentialsFor = ({ authorization }: Proxy): [name: string, value: string][] =>
  authorization === undefined ? [] : [['Proxy-Authorization', authorization.reveal()]];
