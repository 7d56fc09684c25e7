import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connectionFindings } from './connection.ts';

test('a connection that comes too late is closed', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const connected = new Promise<Socket>((resolve) => server.once('connection', resolve));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const findings = connectionFindings(new URL(`http://127.0.0.1:${address.port}`), {}, 1_000);
  // The time runs out before the next event of the socket.
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  vi.advanceTimersByTime(1_000);
  await expect(findings).resolves.toMatchObject([
    { state: 'wrong', says: 'no connection was made within 1000 ms' },
  ]);
  const socket = await connected;
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
  await new Promise((resolve) => server.close(resolve));
});
