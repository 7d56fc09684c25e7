import { Secret } from '../secret.ts';
import { SUITE } from '../suite.ts';
import type { Ask } from './exchange.ts';
import type { Wire } from './transport.ts';

/** Some proxies refuse requests without it (RFC 9110, 10.1.5). */
export const USER_AGENT = ['User-Agent', `${SUITE.name}/${SUITE.version}`] as const;

const reveal = (value: string | Secret): string => (value instanceof Secret ? value.reveal() : value);

/** A request as it goes out, with its secrets revealed. */
export function onTheWire(ask: Ask): Wire {
  return {
    method: ask.method,
    path: ask.path,
    headers: [USER_AGENT, ...ask.headers.map(([name, value]) => [name, reveal(value)] as const)],
    ...(ask.body === undefined ? {} : { body: ask.body instanceof Secret ? ask.body.reveal() : ask.body }),
  };
}
