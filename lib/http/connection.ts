import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** The properties of a connection to the target. */
export interface Connection {
  /** The address family, such as `IPv4`. */
  readonly family: string;
  readonly tls?: {
    /** Such as `TLSv1.3`. */
    readonly version: string;
    readonly cipher: string;
    /** SHA-256 of the target's certificate (DER), in hexadecimal digits. */
    readonly certificate: string;
    readonly issuer: string;
    readonly validTo: string;
  };
}

/** Reads the properties of a new connection. */
export function connectionOver(socket: Socket): Connection {
  const family = socket.remoteFamily ?? 'unknown';
  const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
  if (!(socket instanceof TLSSocket) || certificate === undefined) return { family };
  return {
    family,
    tls: {
      version: socket.getProtocol() ?? 'unknown',
      cipher: socket.getCipher().name,
      certificate: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
      issuer: certificate.issuer.replaceAll('\n', ', '),
      validTo: new Date(certificate.validTo).toISOString(),
    },
  };
}
