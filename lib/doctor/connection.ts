import { lookup } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { failureOf } from '../http/failures.ts';
import { connectorOf, type Route } from '../http/route.ts';
import { fine, inWords, note, wrong, type Finding } from './finding.ts';

/** A certificate that ends sooner is worth a note. */
const SOON_MS = 14 * 86_400_000;

/** What to do about a certificate that does not verify, by the code of Node.js. */
const ABOUT_CERTIFICATES: readonly (readonly [code: RegExp, todo: string])[] = [
  [/CERT_HAS_EXPIRED/, 'Renew the certificate of the target.'],
  [/CERT_NOT_YET_VALID/, 'Check the clock of this machine, or the start of validity of the certificate.'],
  [/ALTNAME|HOSTNAME/, 'Use the name that the certificate holds as CONFORMANCE_BASE_URL.'],
  [/./, 'Give the certificate of the authority that signed it as CONFORMANCE_CA_FILE.'],
];

/** Looks at the way to a target: its name, the proxy, the connection and the certificate. Sends no request. */
export async function connectionFindings(
  base: URL,
  route: Route,
  timeoutMs: number,
): Promise<readonly Finding[]> {
  const name = await nameFinding(base, route);
  if (name?.state === 'wrong') return [name];
  return [...(name === undefined ? [] : [name]), await socketFinding(base, route, timeoutMs)];
}

async function nameFinding({ hostname }: URL, { proxy }: Route): Promise<Finding | undefined> {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (proxy !== undefined) return fine('proxy', `${proxy.origin}, from ${proxy.variable}`);
  if (isIP(host) !== 0) return undefined;
  try {
    const addresses = await lookup(host, { all: true });
    return fine('DNS', `${host} is ${addresses.map(({ address }) => address).join(', ')}`);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    return wrong(
      'DNS',
      `the name ${host} has no address (${code})`,
      'Check the host in CONFORMANCE_BASE_URL, the name server, and whether HTTPS_PROXY is needed.',
    );
  }
}

async function socketFinding(base: URL, route: Route, timeoutMs: number): Promise<Finding> {
  const started = performance.now();
  const what = base.protocol === 'https:' ? 'TLS' : 'connection';
  const came = await opened(base, route, timeoutMs);
  if (!('destroy' in came)) {
    const { message, code } = came;
    const about = ABOUT_CERTIFICATES.find(([pattern]) => pattern.test(code))?.[1] ?? '';
    const todo = message.startsWith('the certificate')
      ? about
      : 'Check that the target is running, the scheme, host and port in CONFORMANCE_BASE_URL, firewalls and HTTPS_PROXY.';
    return wrong(what, message, todo);
  }
  const took = `connected in ${Math.round(performance.now() - started)} ms`;
  try {
    return came instanceof TLSSocket ? certificateFinding(came, took) : fine(what, took);
  } finally {
    came.destroy();
  }
}

function certificateFinding(socket: TLSSocket, took: string): Finding {
  const { valid_to: end } = socket.getPeerCertificate();
  const leftMs = Date.parse(end) - Date.now();
  const says = `${socket.getProtocol() ?? 'TLS'}, ${took}, the certificate is valid for ${inWords(leftMs)}`;
  return leftMs < SOON_MS
    ? note('TLS', says, 'Renew the certificate of the target before it ends.')
    : fine('TLS', says);
}

/** A connection, or why there is none. */
function opened(
  base: URL,
  route: Route,
  timeoutMs: number,
): Promise<Socket | { readonly message: string; readonly code: string }> {
  const via = base.protocol === 'https:' || route.proxy === undefined ? base : new URL(route.proxy.origin);
  return new Promise((resolve) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      resolve({ message: `no connection was made within ${timeoutMs} ms`, code: 'TIMEOUT' });
    }, timeoutMs);
    const { hostname, host, port, protocol } = via;
    const bare = hostname.replace(/^\[|\]$/g, '');
    connectorOf(route)(
      { hostname: bare, host, port, protocol, ...(isIP(bare) === 0 ? { servername: bare } : {}) },
      (...[error, socket]) => {
        clearTimeout(timer);
        // An open connection would keep the process from ending.
        if (error === null) return isLate ? void socket.destroy() : resolve(socket);
        const { message } = failureOf(error, { timedOut: false, timeoutMs, bytes: new Uint8Array() });
        resolve({ message, code: (error as NodeJS.ErrnoException).code ?? '' });
      },
    );
  });
}
