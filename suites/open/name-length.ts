import { z } from 'zod';
import { PLAIN_LETTERS, accepted, type Exchange, open } from '../../lib/check.ts';

/**
 * Lengths about which limits lie, in ASCII characters. A longer name might fit into no query any more, so that nothing
 * could find it again where lists are paged.
 */
const LENGTHS: readonly number[] = [
  PLAIN_LETTERS,
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

export const longestName = open({
  id: 'open/name-longest',
  section: '2',
  sentences: ['2/tag-name-length'],
  text: 'How long may a name be?',
  key: 'names.longest',
  answers: z.string(),
  tags: 6,
  tell: (answer) => `The longest name has ${answer} characters.`,
  ask: async (target) => {
    const exchanges: Exchange[] = [];
    // The first is a plain name's length, which the whole run stands on.
    let [fits, tooLong] = [0, LENGTHS.length];
    while (tooLong - fits > 1) {
      const middle = Math.floor((fits + tooLong) / 2);
      const exchange = await target.create({
        name: target.names.endingIn('x'.repeat((LENGTHS[middle] ?? PLAIN_LETTERS) - PLAIN_LETTERS)),
      });
      exchanges.push(exchange);
      if (accepted(exchange)) fits = middle;
      else tooLong = middle;
    }
    const [most, more] = [LENGTHS[fits] ?? PLAIN_LETTERS, LENGTHS[tooLong]];
    const answer =
      more === undefined ? `${most} or more` : more === most + 1 ? `${most}` : `${most} to ${more - 1}`;
    return { answer, exchanges };
  },
});

/** The greatest of these lengths that is accepted, from the answer. */
export const mostCharacters = (answer: string): number => Number.parseInt(answer, 10);
