// Sends recorded requests again with bare undici: the cost of a run that checks nothing.
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { sentAgain } from './collection.ts';
import { REPLAY, type Recorded } from './server.ts';

const { BENCH_REQUESTS = '', CONFORMANCE_BASE_URL = '' } = process.env;
const CONCURRENCY = 8;
const requests = JSON.parse(readFileSync(BENCH_REQUESTS, 'utf8')) as readonly Recorded[];
const pool = new Pool(CONFORMANCE_BASE_URL, { connections: CONCURRENCY });
let next = 0;

async function sendRequests(): Promise<void> {
  for (let at = next++; at < requests.length; at = next++) {
    const { method, path, headers, body } = requests[at] as Recorded;
    const response = await pool.request({
      method,
      path,
      headers: [...sentAgain(headers).flat(), REPLAY, String(at)],
      body: body ?? null,
    });
    JSON.parse((await response.body.text()) || 'null');
  }
}

await Promise.all(Array.from({ length: CONCURRENCY }, sendRequests));
await pool.close();
