import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { GET, listening } from './server.test.double.ts';
import { connect } from './transport.ts';

/** Serves one connection at a time: the others wait until it is closed. Returns the port. */
function singleServer(): Promise<number> {
  const waiting: Socket[] = [];
  let current: Socket | undefined;
  const serveNext = (): void => {
    current = waiting.shift();
    const socket = current;
    socket?.once('close', serveNext);
    socket?.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'));
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    waiting.push(socket);
    if (current === undefined) serveNext();
  });
  return listening(server);
}

test('A target that serves one connection at a time is soon asked over one.', async () => {
  const transport = connect(new URL(`http://127.0.0.1:${await singleServer()}`), 4);
  const ask = async (): Promise<number> => {
    const since = performance.now();
    const came = await transport.send(GET, 10_000);
    expect('status' in came && came.status).toBe(200);
    return performance.now() - since;
  };
  const slowest = async (): Promise<number> =>
    Math.max(...(await Promise.all(Array.from({ length: 12 }, ask))));
  await ask();
  expect(await slowest()).toBeGreaterThan(500);
  expect(await slowest()).toBeLessThan(500);
  await transport.close();
}, 15_000);
