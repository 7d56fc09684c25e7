import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect as connectSocket, type Socket } from 'node:net';
import { generate } from 'selfsigned';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Secret } from '../secret.ts';
import type { Failure } from './exchange.ts';
import type { Proxy, Route } from './route.ts';
import { GET, listening, text } from './server.test.double.ts';
import { connect, type Transport } from './transport.ts';

let keys: { private: string; cert: string };
let client: { private: string; cert: string };
const certificate = (name: string): Promise<{ private: string; cert: string }> =>
  generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: name },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
beforeAll(async () => {
  [keys, client] = await Promise.all([certificate('target.test'), certificate('client.test')]);
});

function reached(url: string, route: Route): Transport {
  const transport = connect(new URL(url), 1, route);
  onTestFinished(() => transport.close());
  return transport;
}

/** A target behind a name that only the proxy can resolve. */
const target = (options: object = {}): Promise<number> =>
  listening(
    createHttpsServer({ key: keys.private, cert: keys.cert, ...options }, (request, response) =>
      response.end(`${request.headers.host} ${request.url}`),
    ),
  );

interface Seen {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
}

/** A proxy that leads every name to a port of this machine. */
async function proxying(
  port: number,
  refusal?: number,
): Promise<{ readonly proxy: Proxy; readonly seen: Seen[] }> {
  const seen: Seen[] = [];
  const note = ({ method, url, headers }: IncomingMessage): void =>
    void seen.push({ line: `${method} ${url}`, headers });
  const server = createServer((request, response) => {
    note(request);
    response.writeHead(refusal ?? 200).end('{"from":"proxy"}');
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    note(request);
    socket.on('error', () => undefined);
    if (refusal !== undefined) return void socket.end(`HTTP/1.1 ${refusal} No\r\nContent-Length: 0\r\n\r\n`);
    const onward = connectSocket(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  const origin = `http://127.0.0.1:${await listening(server)}`;
  return { proxy: { origin, variable: 'HTTPS_PROXY' }, seen };
}

describe('a proxy', () => {
  test('opens a tunnel, behind which the target has its own certificate', async () => {
    const { proxy, seen } = await proxying(await target());
    const transport = reached('https://target.test/tenant', { ca: keys.cert, proxy });
    expect(text(await transport.send(GET, 5_000))).toBe('target.test /tenant/x');
    expect(text(await transport.send(GET, 5_000))).toBe('target.test /tenant/x');
    expect(seen.map(({ line }) => line)).toEqual(['CONNECT target.test:443']);
  });

  test('does not make a certificate of another name or authority trusted', async () => {
    const { proxy } = await proxying(await target());
    const other = reached('https://other.test', { ca: keys.cert, proxy });
    await expect(other.send(GET, 5_000)).resolves.toMatchObject({
      kind: 'untrusted',
      message: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID') as string,
    });
    await expect(reached('https://target.test', { proxy }).send(GET, 5_000)).resolves.toMatchObject({
      kind: 'untrusted',
    });
  });

  test('gets its credentials, and the target does not', async () => {
    const { proxy, seen } = await proxying(await target());
    const authorization = new Secret('Basic bmFtZTpwYXNz', '$PROXY_AUTHORIZATION');
    const transport = reached('https://target.test', { ca: keys.cert, proxy: { ...proxy, authorization } });
    await transport.send(GET, 5_000);
    expect(seen[0]?.headers['proxy-authorization']).toBe('Basic bmFtZTpwYXNz');
  });

  test('gets the whole address of a target that speaks plain http', async () => {
    const { proxy, seen } = await proxying(0);
    const transport = reached('http://target.test:8080/tenant', { proxy });
    expect(text(await transport.send({ ...GET, headers: [['X-One', '1']] }, 5_000))).toBe('{"from":"proxy"}');
    expect(seen).toMatchObject([
      { line: 'GET http://target.test:8080/tenant/x', headers: { host: 'target.test:8080', 'x-one': '1' } },
    ]);
  });

  test.each([
    ['https', 407, 'demands credentials (407); give them in HTTPS_PROXY'],
    ['http', 407, 'demands credentials (407); give them in HTTPS_PROXY'],
    ['https', 403, 'answered 403 instead of connecting to target.test:443'],
  ])('that refuses %s with %i is no answer of the target', async (scheme, status, message) => {
    const { proxy } = await proxying(0, status);
    await expect(reached(`${scheme}://target.test`, { proxy }).send(GET, 5_000)).resolves.toEqual({
      kind: 'unreachable',
      message: expect.stringContaining(`the proxy ${proxy.origin} ${message}`) as string,
    });
  });

  test('that refuses its credentials is no answer of the target, and its message does not show them', async () => {
    const { proxy } = await proxying(0, 407);
    const authorization = new Secret('Basic bmFtZTpwYXNz', '$PROXY_AUTHORIZATION');
    const route = { proxy: { ...proxy, authorization } };
    await expect(reached('https://target.test', route).send(GET, 5_000)).resolves.toEqual({
      kind: 'unreachable',
      message: `the proxy ${proxy.origin} refuses the credentials in HTTPS_PROXY (407)`,
    });
  });

  test.each(['https', 'http'])('that is not there is named, with the variable, for %s', async (scheme) => {
    const server = createServer();
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
    );
    await new Promise((resolve) => server.close(resolve));
    const proxy = { origin: `http://127.0.0.1:${port}`, variable: 'HTTPS_PROXY' };
    await expect(reached(`${scheme}://target.test`, { proxy }).send(GET, 5_000)).resolves.toEqual({
      kind: 'unreachable',
      message: `no connection could be made to the proxy ${proxy.origin} (ECONNREFUSED); check HTTPS_PROXY, or name the target in NO_PROXY`,
    });
  });

  test('that cannot reach the target opens no tunnel', async () => {
    const closed = createServer();
    const port = await new Promise<number>((resolve) =>
      closed.listen(0, '127.0.0.1', () => resolve((closed.address() as { port: number }).port)),
    );
    await new Promise((resolve) => closed.close(resolve));
    const { proxy } = await proxying(port);
    const came = (await reached('https://target.test', { proxy }).send(GET, 5_000)) as Failure;
    expect(came.kind).toBe('unreachable');
    expect(came.message).toContain(`the proxy ${proxy.origin} opened no tunnel to target.test:443`);
  });
});

describe('a target that demands a client certificate', () => {
  const demanding = (): Promise<number> =>
    target({ requestCert: true, rejectUnauthorized: true, ca: client.cert });

  test('answers a client that shows one', async () => {
    const transport = reached(`https://127.0.0.1:${await demanding()}`, {
      ca: keys.cert,
      clientCertificate: { certificate: client.cert, key: client.private },
    });
    expect(text(await transport.send(GET, 5_000))).toMatch(/\/x$/);
  });

  test('answers one behind a proxy, too', async () => {
    const { proxy } = await proxying(await demanding());
    const transport = reached('https://target.test', {
      ca: keys.cert,
      proxy,
      clientCertificate: { certificate: client.cert, key: client.private },
    });
    expect(text(await transport.send(GET, 5_000))).toBe('target.test /x');
  });

  test.each(['TLSv1.2', 'TLSv1.3'])(
    'answers no other client by %s, and the failure says why',
    async (maxVersion) => {
      const port = await target({ requestCert: true, rejectUnauthorized: true, ca: client.cert, maxVersion });
      const transport = reached(`https://127.0.0.1:${port}`, { ca: keys.cert });
      await expect(transport.send(GET, 5_000)).resolves.toMatchObject({
        kind: 'unreachable',
        message: expect.stringMatching(
          /^the target refused the TLS connection \(ERR_SSL_.*\); it may demand a client certificate/,
        ) as string,
      });
    },
  );
});
