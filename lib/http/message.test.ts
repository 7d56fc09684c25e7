import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Answer } from './exchange.ts';
import { finish, MAX_CONTENT_BYTES } from './message.ts';
import { GET, serving, text, written } from './server.test.double.ts';

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
    [['chunked, chunked'], 'but content may be chunked only once'],
    [['chunked', 'chunked'], 'but content may be chunked only once'],
    [['gzip, chunked'], 'but the request permits no transfer coding other than chunked'],
    [['chunked, enigma'], 'but the request permits no transfer coding other than chunked'],
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
    expect(answer).toMatchObject({ framing: expect.stringContaining('chunked only once') as string });
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
