import { Undecided } from '../outcome.ts';
import { Client, type ClientLimits } from './client.ts';
import { answerOf, askOf, FakeTransport } from './exchange.test.double.ts';
import type { Answer, Ask, Exchange, Failure } from './exchange.ts';
import type { Wire } from './transport.ts';

export const GET = askOf();
export const POST = askOf({ operation: 'create', method: 'POST', body: '{}' });
export const LOGIN = askOf({ operation: 'login', method: 'POST', path: '/api/v2/auth/login' });

/** A client whose requests are answered by a function, and what it has sent and told of. */
export function clientOn(
  answer: (wire: Wire, time: number) => Answer | Failure | Promise<Answer | Failure>,
  limits: Partial<ClientLimits> = {},
): { client: Client; sent: Wire[]; log: Exchange[] } {
  const transport = new FakeTransport(answer);
  const budget = { requests: 100, writes: 100, logins: 10, failedLogins: 5 };
  const all = { timeoutMs: 1_000, concurrency: 4, ...budget, ...limits };
  const client = new Client(transport, all);
  const log: Exchange[] = [];
  client.listeners.push({
    heard: (exchange) => void log.push(exchange),
    retracted: (exchange) => void log.splice(log.indexOf(exchange), log.includes(exchange) ? 1 : 0),
  });
  return { client, sent: transport.sent, log };
}

export const ok = (): Answer => answerOf(200);
export const retryAfter = (status: number, value: string): Answer =>
  answerOf(status, {}, [['retry-after', value]]);

/** Sends several at once, and tells of each the status, the failure or why it was not sent. */
export async function all(client: Client, asks: readonly Ask[]): Promise<(number | string | undefined)[]> {
  return Promise.all(
    asks.map(async (ask) => {
      try {
        const { answer, failure } = await client.send(ask);
        return answer?.status ?? failure?.kind;
      } catch (error) {
        if (error instanceof Undecided) return error.message;
        throw error;
      }
    }),
  );
}
