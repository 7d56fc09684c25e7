import { setTimeout as sleep } from 'node:timers/promises';
import type { Change } from '../fixtures/fixture.ts';
import { environmentOf, freshAccounts } from '../fixtures/reference/accounts.ts';
import { Reference, type AccountSeed } from '../fixtures/reference/reference.ts';
import { serve } from '../fixtures/reference/serve.ts';

/** One request as it was received. */
export interface Recorded {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | undefined;
}

/** A request with this header gets the recorded answer with the number in its value, from 0. */
export const REPLAY = 'x-again';

/** A reference that records its requests and answers. With a latency, it delays every answer. */
export class Recorder extends Reference {
  readonly requests: Recorded[] = [];
  /** `performance.now()` at the first request. */
  firstAt: number | undefined;
  readonly #answers: { readonly status: number; readonly headers: Headers; readonly body: string }[] = [];
  readonly #latencyMs: number;

  constructor(accounts: readonly AccountSeed[], latencyMs: number) {
    super(accounts);
    this.#latencyMs = latencyMs;
  }

  override async fetch(request: Request): Promise<Response> {
    const replayed = request.headers.get(REPLAY);
    if (replayed !== null) {
      const known = this.#answers[Number(replayed)];
      return new Response(known?.body ?? '', known ?? { status: 500 });
    }
    this.firstAt ??= performance.now();
    const at = this.requests.length;
    const { pathname, search } = new URL(request.url);
    const body = request.body === null ? undefined : await request.clone().text();
    this.requests.push({
      method: request.method,
      path: pathname + search,
      headers: [...request.headers],
      body,
    });
    if (this.#latencyMs > 0) await sleep(this.#latencyMs);
    const response = await super.fetch(request);
    const { status, headers } = response;
    this.#answers[at] = { status, headers, body: await response.clone().text() };
    return response;
  }
}

export interface Served {
  readonly server: Recorder;
  /** The environment variables for certifying the server with every requirement. The other tools use the credentials. */
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

/**
 * Serves a recorder on loopback, over plain HTTP.
 *
 * @param latencyMs the delay of every answer.
 * @param change how the server differs from the reference.
 */
export async function served(latencyMs = 0, change: Change = (Base) => Base): Promise<Served> {
  const accounts = freshAccounts();
  const Changed = change(
    class extends Recorder {
      constructor(all: readonly AccountSeed[]) {
        super(all, latencyMs);
      }
    },
  );
  const server = new Changed(accounts).seeded() as Recorder;
  const serving = await serve(server, { tls: false });
  return {
    server,
    environment: environmentOf(
      serving.url,
      accounts,
      await server.issueToken({ username: accounts[0].username, scopes: ['api'] }),
    ),
    close: () => serving.close(),
  };
}
