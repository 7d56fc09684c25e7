import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { generate } from 'selfsigned';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Answer, Failure } from './exchange.ts';
import { connect, finish, MAX_CONTENT_BYTES, type Transport, type Wire } from './transport.ts';

const GET: Wire = { method: 'GET', path: '/x', headers: [] };

/** Listens on loopback until the test is over. */
async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

function connected(url: string, ca?: string): Transport {
  const transport = connect(new URL(url), 2, ca);
  onTestFinished(() => transport.close());
  return transport;
}

/** A transport to a server that does this. */
const serving = async (listener: RequestListener): Promise<Transport> =>
  connected(`http://127.0.0.1:${await listening(createServer(listener))}`);

/** What comes from a server that writes these bytes to whoever asks, and then does this. */
async function written(
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

const text = (came: Answer | Failure): string =>
  'kind' in came ? came.message : Buffer.from(came.bytes).toString();

describe('a request', () => {
  test('goes out as it is', async () => {
    const seen: unknown[] = [];
    const server = await serving((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method, url, rawHeaders } = request;
        seen.push({ method, url, rawHeaders, body: Buffer.concat(chunks).toString('latin1') });
        response.end();
      });
    });
    const headers = [
      ['aCCept', 'application/json'],
      ['X-Twice', '1'],
      ['X-Twice', '2'],
    ] as const;
    const path = '/api/v2/tagging/a%2Fb/../%2e?tag=%41+b';
    await server.send({ method: 'POST', path, headers, body: '{"é":1}' }, 5_000);
    await server.send({ method: 'PUT', path: '/', headers: [], body: Uint8Array.of(0xff, 0) }, 5_000);
    expect(seen).toMatchObject([
      { method: 'POST', url: path, body: Buffer.from('{"é":1}').toString('latin1') },
      { method: 'PUT', body: '\u00ff\u0000' },
    ]);
    expect((seen[0] as { rawHeaders: string[] }).rawHeaders).toEqual(expect.arrayContaining(headers.flat()));
  });

  test('goes below the path of the base URL', async () => {
    const port = await listening(createServer((request, response) => response.end(request.url)));
    const transport = connected(`http://127.0.0.1:${port}/tenant/`);
    expect(text(await transport.send(GET, 5_000))).toBe('/tenant/x');
  });

  test('is answered with a redirect where the target redirects, which is not followed', async () => {
    let asked = 0;
    const server = await serving((_request, response) => {
      asked++;
      response.writeHead(302, { location: '/elsewhere' }).end('{"message":"no"}');
    });
    const answer = await server.send(GET, 5_000);
    expect(answer).toMatchObject({ status: 302, json: { value: { message: 'no' } } });
    expect(asked).toBe(1);
  });
});

describe('an answer', () => {
  test('has its header names in lower case, in the order received, doubled ones included', async () => {
    const answer = await written(
      'HTTP/1.1 200 OK\r\nX-One: 1\r\nSET-COOKIE: a\r\nx-One: 2\r\nSet-Cookie: b\r\nContent-Length: 2\r\n\r\n{}',
    );
    expect(answer).toMatchObject({
      status: 200,
      headers: [
        ['x-one', '1'],
        ['set-cookie', 'a'],
        ['x-one', '2'],
        ['set-cookie', 'b'],
        ['content-length', '2'],
      ],
      json: { value: {} },
    });
  });

  test.each([
    ['chunks', 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
    ['up to the end of the connection', '\r\n{}'],
  ])('may come in %s', async (_how, rest) => {
    expect(text(await written(`HTTP/1.1 200 OK\r\n${rest}`))).toBe('{}');
  });

  test('comes also from a server that closes after each answer without having said so', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'));
    });
    const transport = connected(`http://127.0.0.1:${await listening(server)}`);
    const answers = [];
    for (let time = 0; time < 20; time++) answers.push(text(await transport.send(GET, 5_000)));
    expect(answers).toEqual(Array<string>(20).fill('{}'));
  });

  test('is not mixed up with the one before on the same connection', async () => {
    const server = await serving((request, response) => response.end(request.url));
    const paths = Array.from({ length: 20 }, (_, at) => `/${at}`);
    const answers = await Promise.all(paths.map((path) => server.send({ ...GET, path }, 5_000)));
    expect(answers.map(text)).toEqual(paths);
  });
});

describe('no answer', () => {
  test.each(['127.0.0.1', 'localhost'])('comes where nobody listens at %s', async (host) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    await expect(connected(`http://${host}:${port}`).send(GET, 5_000)).resolves.toEqual({
      kind: 'unreachable',
      message: 'no connection could be made (ECONNREFUSED)',
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
        /^the answer holds what the HTTP client of this suite cannot read: .+ \(RFC 9110, [\d.]+\)$/,
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

describe('a content coding', () => {
  const plain = Buffer.from('{"a":1}');

  test.each([
    ['gzip', gzipSync(plain)],
    ['x-GZIP', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['identity', plain],
    ['gzip, br', brotliCompressSync(gzipSync(plain))],
    ['gzip, identity', gzipSync(plain)],
  ])('is undone: %s', async (coding, content) => {
    const answer = await finish(200, [['content-encoding', coding]], content);
    expect(text(answer)).toBe('{"a":1}');
  });

  test('is undone over a connection, and the headers stay as they came', async () => {
    const server = await serving((_request, response) =>
      response.setHeader('Content-Encoding', 'gzip').end(gzipSync(plain)),
    );
    expect(await server.send(GET, 5_000)).toMatchObject({
      headers: expect.arrayContaining([['content-encoding', 'gzip']]) as unknown,
      json: { value: { a: 1 } },
    });
  });

  test.each([
    ['zstd', plain],
    ['constructor', plain],
    ['gzip', plain],
    ['gzip', gzipSync(plain).subarray(0, -4)],
    ['br', plain],
  ])(
    'that is not known or does not fit leaves the content as it is, with a problem: %s',
    async (coding, content) => {
      await expect(finish(200, [['content-encoding', coding]], content)).resolves.toMatchObject({
        bytes: content,
        framing: `the content is not in the coding that Content-Encoding names, "${coding}"`,
      });
    },
  );

  test('is none where there is no content', async () => {
    const answer = await finish(204, [['content-encoding', 'gzip']], new Uint8Array());
    expect(answer).toMatchObject({ status: 204, bytes: new Uint8Array() });
    expect(answer).not.toHaveProperty('framing');
  });

  test.each([
    ['gzip', (content: Buffer) => gzipSync(content, { level: 1 })],
    ['deflate', (content: Buffer) => deflateSync(content, { level: 1 })],
    [
      'br',
      (content: Buffer) => brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
    ],
  ])('is undone up to a limit: %s', async (coding, pack) => {
    const bomb = pack(Buffer.alloc(MAX_CONTENT_BYTES + 1));
    expect(bomb.length).toBeLessThan(100_000);
    await expect(finish(200, [['content-encoding', coding]], bomb)).resolves.toMatchObject({
      kind: 'oversized',
    });
  });
});

describe('a transfer coding', () => {
  const content = Buffer.from('{}');

  test.each([[['chunked']], [['Chunked']], [['identity']], [['']], [['chunked;q=1']]])(
    'may be %j',
    async (values) => {
      const headers = values.map((value) => ['transfer-encoding', value] as const);
      expect(await finish(200, headers, content)).not.toHaveProperty('framing');
    },
  );

  test.each([
    [['chunked, chunked'], 'but content is chunked once at most'],
    [['chunked', 'chunked'], 'but content is chunked once at most'],
    [['gzip, chunked'], 'but the request allows no transfer coding beside chunked'],
    [['chunked, enigma'], 'but the request allows no transfer coding beside chunked'],
  ])('is a problem where it is %j', async (values, problem) => {
    const headers = values.map((value) => ['transfer-encoding', value] as const);
    await expect(finish(200, headers, content)).resolves.toMatchObject({
      framing: `Transfer-Encoding says "${values.join(', ')}", ${problem}`,
    });
  });

  test('that is doubled is a problem over a connection too', async () => {
    const answer = await written(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    );
    expect(answer).toMatchObject({ framing: expect.stringContaining('chunked once at most') as string });
  });
});

describe('a length that is stated', () => {
  const content = Buffer.from('{"a":1}');

  test.each<[string, Answer['headers']]>([
    ['the length of the content', [['content-length', '7']]],
    [
      'the same one, stated twice',
      [
        ['content-length', '7'],
        ['content-length', '7'],
      ],
    ],
    ['not stated at all', []],
    [
      'stated beside chunks, which say better',
      [
        ['content-length', '9'],
        ['transfer-encoding', 'chunked'],
      ],
    ],
  ])('is right where it is %s', async (_what, headers) => {
    expect(await finish(200, headers, content)).not.toHaveProperty('framing');
  });

  test.each<[string, Answer['headers']]>([
    ['another one', [['content-length', '9']]],
    [
      'stated twice otherwise',
      [
        ['content-length', '7'],
        ['content-length', '9'],
      ],
    ],
  ])('is a problem where it is %s', async (_what, headers) => {
    expect(await finish(200, headers, content)).toMatchObject({
      framing: 'Content-Length says "9", but the content has 7 bytes',
      json: { value: { a: 1 } },
    });
  });

  test('counts before the coding is undone', async () => {
    const packed = gzipSync(content);
    const headers = [
      ['content-encoding', 'gzip'],
      ['content-length', String(packed.length)],
    ] as const;
    expect(await finish(200, headers, packed)).not.toHaveProperty('framing');
  });
});

describe('a certificate', () => {
  let keys: { private: string; cert: string };
  beforeAll(async () => {
    keys = await generate([{ name: 'commonName', value: 'elsewhere.test' }], {
      keyType: 'ec',
      algorithm: 'sha256',
      extensions: [
        { name: 'basicConstraints', cA: true, critical: true },
        { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
      ],
    });
  });

  const overTls = (): Promise<number> =>
    listening(createHttpsServer({ key: keys.private, cert: keys.cert }, (_, response) => response.end('{}')));

  test('that nobody vouches for is not trusted, and nothing is sent', async () => {
    const transport = connected(`https://127.0.0.1:${await overTls()}`);
    await expect(transport.send(GET, 5_000)).resolves.toMatchObject({
      kind: 'untrusted',
      message: expect.stringMatching(/^the certificate does not verify \(.*SELF_SIGNED.*\)$/) as string,
    });
  });

  test('is trusted where its authority is given', async () => {
    const transport = connected(`https://127.0.0.1:${await overTls()}`, keys.cert);
    expect(text(await transport.send(GET, 5_000))).toBe('{}');
  });

  test('of another name is not trusted', async () => {
    const transport = connected(`https://localhost:${await overTls()}`, keys.cert);
    await expect(transport.send(GET, 5_000)).resolves.toMatchObject({
      kind: 'untrusted',
      message: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID') as string,
    });
  });

  test('is missing where plain http is spoken', async () => {
    const port = await listening(createServer((_, response) => response.end('{}')));
    await expect(connected(`https://127.0.0.1:${port}`).send(GET, 5_000)).resolves.toMatchObject({
      kind: 'unreachable',
      message: expect.stringMatching(/^no TLS connection could be made/) as string,
    });
  });
});
