import type { Answer, Ask, Exchange, Failure } from './exchange.ts';
import { readJson } from './json.ts';
import type { Transport, Wire } from './transport.ts';

/** An answer as the transport hands it over. A body that is no text goes as JSON; headers as they are given. */
export function answerOf(status: number, body: unknown = {}, headers: Answer['headers'] = []): Answer {
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  return { status, headers, bytes, json: readJson(bytes) };
}

export const failure = (kind: Failure['kind'] = 'timeout', message = `it was ${kind}`): Failure => ({
  kind,
  message,
});

export const askOf = (parts: Partial<Ask> = {}): Ask => ({
  operation: 'list',
  method: 'GET',
  path: '/api/v2/tagging',
  headers: [],
  regular: true,
  ...parts,
});

/** The exchange of this request, by default a list, and what came of it. */
export const exchangeOf = (came: Answer | Failure, parts: Partial<Ask> = {}, number = 1): Exchange => ({
  number,
  ask: askOf(parts),
  ...('kind' in came ? { failure: came } : { answer: came }),
  startedAt: 0,
  durationMs: 1,
});

/** Hands each request to a function, and keeps it. */
export class FakeTransport implements Transport {
  readonly sent: Wire[] = [];
  readonly #answer: (wire: Wire, time: number) => Answer | Failure | Promise<Answer | Failure>;

  /** @param answer is given the request and how many there were, this one included. */
  constructor(answer: (wire: Wire, time: number) => Answer | Failure | Promise<Answer | Failure>) {
    this.#answer = answer;
  }

  async send(wire: Wire): Promise<Answer | Failure> {
    this.sent.push(wire);
    return this.#answer(wire, this.sent.length);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
