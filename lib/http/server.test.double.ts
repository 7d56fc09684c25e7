import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Answer, Failure } from './exchange.ts';
import { connect, type Transport, type Wire } from './transport.ts';

export const GET: Wire = { method: 'GET', path: '/x', headers: [] };

/** Listens on loopback until the test is over. */
export async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

export function connected(url: string, ca?: string): Transport {
  const transport = connect(new URL(url), 2, { ca });
  onTestFinished(() => transport.close());
  return transport;
}

/** A transport to a server that does this. */
export const serving = async (listener: RequestListener): Promise<Transport> =>
  connected(`http://127.0.0.1:${await listening(createServer(listener))}`);

/** What comes from a server that writes these bytes to whoever asks, and then does this. */
export async function written(
  bytes: string | Uint8Array,
  then: (socket: Socket) => void = (socket) => socket.end(),
  timeoutMs = 5_000,
): Promise<Answer | Failure> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(bytes, () => then(socket)));
  });
  return connected(`http://127.0.0.1:${await listening(server)}`).send(GET, timeoutMs);
}

export const text = (came: Answer | Failure): string =>
  'kind' in came ? came.message : Buffer.from(came.bytes).toString();
