import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Failure } from './exchange.ts';
import { connected, GET, listening, serving, text, written } from './server.test.double.ts';

describe('no answer', () => {
  test.each(['127.0.0.1', 'localhost'])('comes where nobody listens at %s', async (host) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    await expect(connected(`http://${host}:${port}`).send(GET, 5_000)).resolves.toEqual({
      kind: 'unreachable',
      message: 'nothing accepts connections at the address (ECONNREFUSED)',
    });
  });

  test.each([
    ['no answer begins', ''],
    ['the headers do not end', 'HTTP/1.1 200 OK\r\nX-One: 1\r\n'],
    ['the content does not end', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'],
  ])('comes in time where %s', async (_what, bytes) => {
    await expect(written(bytes, () => undefined, 25)).resolves.toEqual({
      kind: 'timeout',
      message: 'no complete answer came within 25 ms',
    });
  });

  test.each<[string, string, (socket: Socket) => void]>([
    ['is closed before the answer', '', (socket) => socket.end()],
    ['is reset before the answer', '', (socket) => socket.resetAndDestroy()],
    ['is reset in mid-answer', 'HTTP/1.1 200 OK\r\n', (socket) => socket.resetAndDestroy()],
    [
      'is closed before as much has come as Content-Length says',
      'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}',
      (socket) => socket.end(),
    ],
    [
      'is reset in mid-content after an answer that was to be the last',
      'HTTP/1.1 414 URI Too Long\r\nConnection: close\r\nContent-Length: 9\r\n\r\n{}',
      (socket) => setTimeout(() => socket.resetAndDestroy(), 20),
    ],
    [
      'is closed in mid-content after a refusal of the size',
      'HTTP/1.1 414 URI Too Long\r\nConnection: close\r\nContent-Length: 9\r\n\r\n{}',
      (socket) => socket.end(),
    ],
    [
      'is closed before the last chunk',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n',
      (socket) => socket.end(),
    ],
  ])('comes where the connection %s', async (_what, bytes, then) => {
    await expect(written(bytes, then)).resolves.toMatchObject({
      kind: 'closed',
      message: expect.stringMatching(
        /^the connection was closed before the answer was complete \(.+\)$/,
      ) as string,
    });
  });

  test.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['HTTP with a broken chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['HTTP with a length that is no number', 'HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n'],
  ])('comes where %s is answered', async (_what, bytes) => {
    await expect(written(bytes)).resolves.toMatchObject({
      kind: 'malformed',
      message: expect.stringMatching(/^the answer is not well-framed HTTP/) as string,
    });
  });

  test('shows the bytes that came where these are no HTTP, and none of the answer before', async () => {
    let times = 0;
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () =>
        socket.write(
          ++times === 1
            ? 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'
            : `HTTP/1.1 2x0 ${'x'.repeat(9_000)}`,
        ),
      );
    });
    const transport = connected(`http://127.0.0.1:${await listening(server)}`);
    expect(text(await transport.send(GET, 5_000))).toBe('{}');
    const { kind, bytes } = (await transport.send(GET, 5_000)) as Failure;
    expect(kind).toBe('malformed');
    expect(Buffer.from(bytes ?? []).toString()).toMatch(/^HTTP\/1\.1 2x0 x+$/);
    expect(bytes?.length).toBeLessThanOrEqual(4_096);
  });

  test.each([
    ['a 100 that nobody asked for', 'HTTP/1.1 100 Continue\r\n\r\n'],
    [
      'a 100 behind other interim answers',
      'HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n',
    ],
    ['a tab behind a Content-Length', 'HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 2\t\r\n\r\n{}'],
  ])('is not the fault of the target where the client cannot read %s', async (what, bytes) => {
    const rest = what.startsWith('a 100') ? 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}' : '';
    await expect(written(bytes + rest)).resolves.toMatchObject({
      kind: 'unreadable',
      message: expect.stringMatching(
        /^the HTTP client of this suite cannot read the answer, which has an? .+ \(RFC 9110, [\d.]+\)$/,
      ) as string,
    });
  });

  test.each([
    ['two lengths', 'Content-Length: 2\t\r\nContent-Length: 3\r\n\r\n{}'],
    ['a tab in mid-number', 'Content-Length: 2\t2\r\n\r\n{}'],
    [
      'a length beside chunks',
      'Transfer-Encoding: chunked\r\nContent-Length: 2\t\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    ],
  ])('is not excused where it has %s', async (_what, rest) => {
    await expect(written(`HTTP/1.1 200 OK\r\n${rest}`)).resolves.toMatchObject({ kind: 'malformed' });
  });

  test('is taken where the headers are too large', async () => {
    await expect(written(`HTTP/1.1 200 OK\r\nX-One: ${'x'.repeat(70_000)}\r\n\r\n`)).resolves.toEqual({
      kind: 'oversized',
      message: 'the header section is larger than 64 KB',
    });
  });

  test('is taken where the content does not end to grow', async () => {
    const block = Buffer.alloc(1024 * 1024);
    let sent = 0;
    const server = await serving((_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(block)) sent++;
      };
      response.on('drain', more);
      more();
    });
    await expect(server.send(GET, 10_000)).resolves.toEqual({
      kind: 'oversized',
      message: 'the answer is larger than 2 MB, where reading stopped',
    });
    expect(sent).toBeLessThan(64);
  });
});
