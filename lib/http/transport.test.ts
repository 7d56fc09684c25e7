import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { generate } from 'selfsigned';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { connected, GET, listening, serving, text, written } from './server.test.double.ts';

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

  test('goes over a used connection, or over a new one where it is to be the first', async () => {
    const ports: (number | undefined)[] = [];
    const server = await serving((request, response) => {
      ports.push(request.socket.remotePort);
      response.end();
    });
    for (const opensConnection of [false, false, true, false])
      await server.send({ ...GET, opensConnection }, 5_000);
    const [first, , third] = ports;
    expect(third).not.toBe(first);
    expect(ports).toEqual([first, first, third, third]);
  });

  test('has its body in two pieces if it asks for that, the second one behind what came with the headers', async () => {
    const reads: string[] = [];
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        reads.push(bytes.toString());
        if (reads.join('').endsWith('"name":"x"}'))
          socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
      });
    });
    const transport = connected(`http://127.0.0.1:${await listening(server)}`);
    const wire = { method: 'PUT', path: '/', headers: [], body: '{"a":1,"name":"x"}', isInPieces: true };
    expect(await transport.send(wire, 5_000)).toMatchObject({ status: 200 });
    expect(reads.at(-1)).toBe('ame":"x"}');
    expect(reads.join('')).toContain('\r\ncontent-length: 18\r\n');
    expect(reads.join('')).not.toMatch(/chunked/i);
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

  test.each([
    ['without notice', ''],
    ['with 408', 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'],
  ])(
    'is lost once at most where the target closes idle connections after a time, %s',
    async (_how, notice) => {
      // A machine that is busy would be idle for longer than it was to be.
      let now = 0;
      const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
      onTestFinished(() => clock.mockRestore());
      let closing = 0;
      const server = createTcpServer((socket) => {
        let last: number | undefined;
        socket.on('error', () => undefined);
        socket.on('data', () => {
          const idleMs = last === undefined ? 0 : performance.now() - last;
          last = performance.now();
          // The request meets the closing, as the network delays the news of it.
          if (idleMs > 30) closing += 1;
          if (idleMs > 30) socket.end(notice);
          else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
        });
      });
      const transport = connected(`http://127.0.0.1:${await listening(server)}`);
      const came = [];
      for (const idleMs of [0, 50, 50, 40, 35]) {
        await new Promise((resolve) => setImmediate(resolve));
        now += idleMs;
        came.push(text(await transport.send(GET, 5_000)));
      }
      expect(came.filter((one) => one !== '{}')).toEqual([expect.stringContaining('closed')]);
      expect(closing).toBe(1);
    },
  );

  test('is not mixed up with the one before on the same connection', async () => {
    const server = await serving((request, response) => response.end(request.url));
    const paths = Array.from({ length: 20 }, (_, at) => `/${at}`);
    const answers = await Promise.all(paths.map((path) => server.send({ ...GET, path }, 5_000)));
    expect(answers.map(text)).toEqual(paths);
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
