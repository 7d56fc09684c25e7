import { z } from 'zod';
import {
  accepted,
  type Exchange,
  generated,
  ifDecided,
  learn,
  open,
  statusOf,
  type Target,
  Undecided,
  whatCame,
} from '../../lib/check.ts';
import { variedLetters } from '../names/sizes.ts';

/**
 * Lengths around usual limits, in ASCII characters. A longer name might not fit into a query; if lists are paged, no
 * list could then show its tag.
 */
const LENGTHS: readonly number[] = [
  generated.plainLetters,
  20,
  30,
  32,
  40,
  50,
  60,
  64,
  80,
  100,
  120,
  128,
  150,
  191,
  200,
  250,
  255,
  256,
  500,
  512,
  1_000,
];

/** The likeliest limits, and lengths beyond them. They are tried first, which often saves some requests. */
const LIKELY: readonly number[] = [256, 255, 1_000];

/** The index of the length to try next, between two others. */
function nextBetween(fits: number, tooLong: number): number {
  const likely = LIKELY.map((length) => LENGTHS.indexOf(length)).find((at) => at > fits && at < tooLong);
  return likely ?? Math.floor((fits + tooLong) / 2);
}

/** Whether a create was accepted, or refused in a way that says that the name is too long. */
const isAnswer = (exchange: Exchange): boolean =>
  accepted(exchange) || [400, 402, 409, 413, 422, 507].includes(statusOf(exchange));

export const longestName = open({
  id: 'open/name-longest',
  section: '2',
  sentences: ['2/tag-name-length'],
  text: 'How long may a name be?',
  key: 'names.longest',
  answers: z.string(),
  tags: 6,
  tell: (answer) => `The longest name that is accepted has ${answer} characters.`,
  ask: async (target) => {
    const exchanges: Exchange[] = [];
    // The first is the length of a plain name, which every target has to accept.
    let [fits, tooLong] = [0, LENGTHS.length];
    while (tooLong - fits > 1) {
      const middle = nextBetween(fits, tooLong);
      const create = async (): Promise<Exchange> =>
        target.create({
          name: target.names.endingIn(
            variedLetters((LENGTHS[middle] ?? generated.plainLetters) - generated.plainLetters),
          ),
        });
      const first = await create();
      // A quota that strangers share may have been full for a moment.
      const exchange = isAnswer(first) ? first : await create();
      exchanges.push(exchange);
      if (!isAnswer(exchange))
        throw new Undecided('failure', `a create with a long name ${whatCame(exchange)}`, exchange);
      if (accepted(exchange)) fits = middle;
      else tooLong = middle;
    }
    const [most, more] = [LENGTHS[fits] ?? generated.plainLetters, LENGTHS[tooLong]];
    const answer =
      more === undefined ? `${most} or more` : more === most + 1 ? `${most}` : `${most} to ${more - 1}`;
    return { answer, exchanges };
  },
});

/** The greatest of these lengths that the target accepts, or undefined if that is not known. */
export async function longestAccepted(target: Target): Promise<number | undefined> {
  const answer = await ifDecided(() => learn(target, longestName));
  return answer === undefined ? undefined : Number.parseInt(answer, 10);
}
