import { createServer } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { connected, GET, listening, written } from './server.test.double.ts';
import type { Transport } from './transport.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';

/** A transport to a server that answers its first request, and writes more with the answer or when told to. */
async function followedBy(
  more: string,
  isLater: boolean,
): Promise<{ transport: Transport; writeMore: () => void; ended: () => boolean }> {
  let hasEnded = false;
  let writeMore = (): void => undefined;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('close', () => (hasEnded = true));
    socket.once('data', () => socket.write(isLater ? OK : OK + more));
    if (isLater) writeMore = () => void socket.write(more);
  });
  const transport = connected(`http://127.0.0.1:${await listening(server)}`);
  return { transport, writeMore: () => writeMore(), ended: () => hasEnded };
}

describe('bytes that come to no request', () => {
  test.each([
    ['with an answer', OK, false, true],
    ['after an answer', OK, true, true],
    ['after an answer, in no form of HTTP', 'and more', true, true],
    [
      'after an answer, with 408, before the target closes the connection',
      OK.replace('200', '408'),
      true,
      false,
    ],
    ['after an answer, with 103', 'HTTP/1.1 103 Early Hints\r\n\r\n', true, false],
  ])('%s are told apart from notices', async (_when, more, isLater, isStray) => {
    const { transport, writeMore, ended } = await followedBy(more, isLater);
    expect(await transport.send(GET, 5_000)).toMatchObject({ status: 200 });
    writeMore();
    await vi.waitUntil(ended);
    expect(transport).toMatchObject({ hasStrayBytes: isStray, hasUnasked: isStray && isLater });
  });
});

test('An answer that more bytes follow has a finding about its framing.', async () => {
  await expect(written(`${OK}and more`)).resolves.toMatchObject({
    framing: 'bytes that belong to no request follow the answer',
  });
  await expect(written(`${OK}\r\n`)).resolves.not.toHaveProperty('framing');
});

test.each([
  ['', 0],
  [', also if this process was busy when it came', 50],
])('After such bytes, no request is given an answer that came before it%s.', async (_when, busyMs) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    setImmediate(() => {
      const since = performance.now();
      while (performance.now() - since < busyMs);
      socket.write(OK.replace('{}', '[]'));
    });
    socket.on('data', () => socket.write(OK));
  });
  const transport = connected(`http://127.0.0.1:${await listening(server)}`);
  await transport.send(GET, 5_000);
  await vi.waitUntil(() => transport.hasStrayBytes === true);
  await expect(transport.send(GET, 5_000)).resolves.toMatchObject({ kind: 'malformed' });
});
