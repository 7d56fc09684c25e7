import { z } from 'zod';
import { accepted, type Exchange, open, RawBody, statusOf, Undecided, whatCame } from '../../lib/check.ts';
import { variedLetters } from '../names/sizes.ts';

/**
 * Finds the two sizes between which a limit lies. Tries the greatest size first, then uses bisection.
 *
 * @param sizes the sizes in ascending order.
 * @param send sends a request of a given size, or the shortest one for 0. The target accepts it if the limit allows that
 *   size.
 * @throws Undecided if a request was neither accepted nor refused, or if the shortest one is refused as well.
 */
async function findLimit(
  sizes: readonly number[],
  unit: string,
  send: (size: number) => Promise<Exchange>,
): Promise<{ answer: string; exchanges: readonly Exchange[] }> {
  const exchanges: Exchange[] = [];
  const fits = async (at: number): Promise<boolean> => {
    const exchange = await send(sizes[at] ?? 0);
    exchanges.push(exchange);
    // A timeout, a closed connection or a 5xx may have another cause than the size.
    if (exchange.answer === undefined || statusOf(exchange) >= 500)
      throw new Undecided('failure', `${sizes[at]} ${unit} ${whatCame(exchange)}`, exchange);
    return accepted(exchange);
  };
  if (await fits(sizes.length - 1)) return { answer: 'not met', exchanges };
  let [low, high] = [-1, sizes.length - 1];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await fits(middle)) low = middle;
    else high = middle;
  }
  const most = sizes[high] ?? 0;
  if (low >= 0) return { answer: `${sizes[low]} to ${most} ${unit}`, exchanges };
  // A full account may refuse every body, and a target that limits the rate may refuse every query.
  const shortest = await send(0);
  if (!accepted(shortest))
    throw new Undecided(
      'failure',
      `the shortest request ${whatCame(shortest)}, like a longer one`,
      ...exchanges,
      shortest,
    );
  return { answer: `under ${most} ${unit}`, exchanges };
}

/** @param of what is limited, such as `the size of a body`. */
const describeLimit = (of: string, answer: string): string =>
  answer === 'not met' ? `The run met no limit to ${of}.` : `The limit to ${of} is ${answer}.`;

export const bodyLimit = open({
  id: 'open/body-limit',
  section: '8',
  sentences: ['8/size'],
  when: 'perilous',
  text: 'How large may a body be?',
  key: 'bodyLimit',
  answers: z.string(),
  tags: 4,
  tell: (answer) => describeLimit('the size of a body', answer),
  ask: (target) =>
    findLimit([8, 16, 64, 100, 256, 1_000], 'KB', (size) => {
      const name = target.name();
      // White space does not change the meaning of a body (RFC 8259, 2). A limit of 8 KB includes a body of exactly 8
      // KB.
      const json = JSON.stringify({ name });
      return target.create(new RawBody(json.padEnd(size * 1_024)), { open: true }, [name]);
    }),
});

export const queryLimit = open({
  id: 'open/query-limit',
  section: '8',
  sentences: ['8/size'],
  text: 'How long may a query be?',
  key: 'queryLimit',
  answers: z.string(),
  tell: (answer) => describeLimit('the length of a query', answer),
  ask: (target) =>
    // Common limits are 2, 4 and 8 KB. Puma leaves a query over 10 KB without an answer, which would hold up the run.
    findLimit([1_500, 2_000, 4_000, 7_000, 9_000], 'bytes', (size) => {
      const query = `tag=${target.name()}`;
      return target.list({ query: query + variedLetters(size - query.length) });
    }),
});
