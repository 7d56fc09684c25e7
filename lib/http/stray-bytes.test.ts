import { createServer } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { connected, GET, listening, serving } from './server.test.double.ts';
import type { Transport } from './transport.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';

/** A transport to a server that answers its first request and writes this as well, at once or later. */
async function followedBy(
  more: string,
  isLater: boolean,
): Promise<{ transport: Transport; ended: () => boolean }> {
  let hasEnded = false;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('close', () => (hasEnded = true));
    socket.once('data', () => {
      if (!isLater) return socket.write(OK + more);
      return socket.write(OK, () => setImmediate(() => socket.write(more)));
    });
  });
  return { transport: connected(`http://127.0.0.1:${await listening(server)}`), ended: () => hasEnded };
}

describe('bytes that come to no request', () => {
  test.each([
    ['with an answer', OK, false, true],
    ['after an answer', OK, true, true],
    [
      'after an answer, with 408, before the target closes the connection',
      OK.replace('200', '408'),
      true,
      false,
    ],
    ['after an answer, with 103', 'HTTP/1.1 103 Early Hints\r\n\r\n', true, false],
  ])('%s are told apart from notices', async (_when, more, isLater, isStray) => {
    const { transport, ended } = await followedBy(more, isLater);
    expect(await transport.send(GET, 5_000)).toMatchObject({ status: 200 });
    await vi.waitUntil(ended);
    expect(transport.hasStrayBytes).toBe(isStray);
  });
});

test('The place of an answer among those of its connection is known, also where the connection was closed between.', async () => {
  let count = 0;
  const transport = await serving((_request, response) => {
    if (++count === 3) response.setHeader('Connection', 'close');
    response.end();
  });
  const places: (number | undefined)[] = [];
  for (const opensConnection of [false, false, false, false, true]) {
    await transport.send({ ...GET, opensConnection }, 5_000);
    places.push(transport.placeOfLast);
  }
  expect(places).toEqual([1, 2, 3, 1, 1]);
});
