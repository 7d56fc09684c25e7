import type { Failure } from './exchange.ts';
import { ProxyError } from './route.ts';
import { unreadable } from './unreadable.ts';

/** The largest header section that is read, in bytes. */
export const MAX_HEADER_BYTES = 64 * 1024;

export const tooLarge = (limit: number): Failure => ({
  kind: 'oversized',
  message: `the answer is larger than ${limit / 1024 / 1024} MB, where reading stopped`,
});

/** Error codes of Node.js for certificates that do not verify. */
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|HOSTNAME_MISMATCH/;
/** A TLS alert of the target, such as the one for a client without a certificate (RFC 8446, 6.2). */
const ALERT = /^ERR_SSL_\w+_ALERT_/;
/** Codes of connections that could not be made, with what each of them means. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing accepts connections at the address',
  ENOTFOUND: 'the host name does not resolve',
  EAI_AGAIN: 'the name server does not answer',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network of the host',
  EACCES: 'this machine does not permit the connection',
  UND_ERR_CONNECT_TIMEOUT: 'no connection was made in time',
};

/** Bytes came on a connection before its first request. */
export class EarlyBytesError extends Error {}

export const isAlert = (error: Error): boolean => ALERT.test((error as NodeJS.ErrnoException).code ?? '');

/**
 * Whether the other end reset the connection. What had not arrived by then is lost, as when a server closes without reading
 * the rest of a request (RFC 9112, 9.6).
 */
export const isReset = (error: Error): boolean => (error as NodeJS.ErrnoException).code === 'ECONNRESET';

/**
 * Converts an error of the HTTP client to a failure.
 *
 * @param came `bytes` are the first bytes that came in place of an answer.
 */
export function failureOf(
  error: unknown,
  came: { readonly timedOut: boolean; readonly timeoutMs: number; readonly bytes: Uint8Array },
): Failure {
  if (error instanceof ProxyError) return { kind: 'unreachable', message: error.message };
  if (error instanceof EarlyBytesError)
    return { kind: 'malformed', message: 'bytes came on a new connection before any request' };
  const { code = '', name, message } = rootOf(error);
  if (ALERT.test(code))
    return {
      kind: 'unreachable',
      message: `the target refused the TLS connection (${code}); it may demand a client certificate, which CONFORMANCE_CLIENT_CERT_FILE gives`,
    };
  if (UNTRUSTED.test(code))
    return { kind: 'untrusted', message: `the certificate does not verify (${message}, ${code})` };
  const unreachable = UNREACHABLE[code];
  if (unreachable !== undefined) return { kind: 'unreachable', message: `${unreachable} (${code})` };
  if (came.timedOut)
    return { kind: 'timeout', message: `no complete answer came within ${came.timeoutMs} ms` };
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return {
      kind: 'unreachable',
      message: `no TLS connection could be made (${code}); the target may speak plain http`,
    };
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return { kind: 'oversized', message: `the header section is larger than ${MAX_HEADER_BYTES / 1024} KB` };
  const isMalformed =
    // undici asserts that a status has three digits.
    code === 'ERR_ASSERTION' ||
    code.startsWith('HPE_') ||
    name === 'HTTPParserError' ||
    code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';
  if (isMalformed || message === 'bad response') {
    const limitation = unreadable(came.bytes);
    if (limitation !== undefined)
      return {
        kind: 'unreadable',
        message: `the HTTP client of this suite cannot read the answer, which has ${limitation}`,
        bytes: came.bytes,
      };
  }
  if (isMalformed && !isCutRefusalOfSize(code, came.bytes)) {
    // undici reports this mismatch wherever its parser stops after a Content-Length, even inside the header section.
    const why =
      code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
        ? 'parsing failed before the number of bytes in Content-Length had come'
        : message;
    return { kind: 'malformed', message: `the answer is not well-framed HTTP (${why})`, bytes: came.bytes };
  }
  return {
    kind: 'closed',
    // A code of the HTTP client itself says nothing to anybody else.
    message: `the connection was closed before the answer was complete (${code === '' || code.startsWith('UND_ERR') ? message : code})`,
  };
}

/**
 * Whether an answer that refuses the size of a request ended too early. A server that closes without reading the rest of the
 * request may lose the end of its answer (RFC 9112, 9.6).
 */
const isCutRefusalOfSize = (code: string, bytes: Uint8Array): boolean =>
  code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' &&
  /^HTTP\/1\.[01] (?:413|414|431) /.test(Buffer.from(bytes).toString('latin1'));

/** Node.js tries all addresses of a host and throws one AggregateError: its first error is the reason. */
function rootOf(error: unknown): { code?: string; name?: string; message: string } {
  if (error instanceof AggregateError && error.errors.length > 0) return rootOf(error.errors[0]);
  return error instanceof Error ? error : { message: String(error) };
}
