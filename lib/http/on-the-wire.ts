import { Secret } from '../secret.ts';
import { TAGGING_PATH } from '../spec/operations.ts';
import { SUITE } from '../suite.ts';
import type { Ask } from './exchange.ts';
import type { Wire } from './transport.ts';

/** Some proxies refuse requests without User-Agent (RFC 9110, 10.1.5). */
export const USER_AGENT = ['User-Agent', `${SUITE.name}/${SUITE.version}`] as const;

const reveal = (value: string | Secret): string => (value instanceof Secret ? value.reveal() : value);

/** A harmless request without a token. Any answer shows that the target is there. */
export const PROBE: Ask = {
  operation: 'list',
  method: 'GET',
  path: TAGGING_PATH,
  headers: [['Accept', 'application/json']],
  regular: false,
};

/** The header of a body in chunks (RFC 9112, 7.1). The HTTP library writes it itself. */
export const IN_CHUNKS = ['Transfer-Encoding', 'chunked'] as const;

/** The request to send, with its secrets revealed. */
export function onTheWire({
  method,
  path,
  headers,
  body,
  opensConnection = false,
  isInPieces = false,
}: Ask): Wire {
  const isInChunks = headers.some(([name]) => name === IN_CHUNKS[0]);
  const text = body instanceof Secret ? body.reveal() : body;
  return {
    method,
    path,
    headers: [
      USER_AGENT,
      ...headers
        .filter(([name]) => name !== IN_CHUNKS[0])
        .map(([name, value]) => [name, reveal(value)] as const),
    ],
    ...(text === undefined ? {} : { body: text }),
    ...(isInChunks ? { isInChunks } : {}),
    ...(opensConnection ? { opensConnection } : {}),
    ...(isInPieces ? { isInPieces } : {}),
  };
}
