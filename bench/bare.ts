// Sends recorded requests again, with nothing but undici: what a run would cost that judges nothing.
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { AGAIN, type Recorded } from './server.ts';

const { BENCH_REQUESTS = '', CONFORMANCE_BASE_URL = '' } = process.env;
const LANES = 8;
const requests = JSON.parse(readFileSync(BENCH_REQUESTS, 'utf8')) as readonly Recorded[];
const pool = new Pool(CONFORMANCE_BASE_URL, { connections: LANES });
let next = 0;

async function lane(): Promise<void> {
  for (let at = next++; at < requests.length; at = next++) {
    const { method, path, headers, body } = requests[at] as Recorded;
    const kept = headers.filter(
      ([name]) => !/^(?:host|connection|content-length|transfer-encoding)$/.test(name),
    );
    const response = await pool.request({
      method,
      path,
      headers: [...kept.flat(), AGAIN, String(at)],
      body: body ?? null,
    });
    JSON.parse((await response.body.text()) || 'null');
  }
}

await Promise.all(Array.from({ length: LANES }, lane));
await pool.close();
