import { z } from 'zod';
import { open } from '../../lib/check.ts';

// These questions are answered at the end of the run, from what the other checks met.

export const rateLimit = open({
  id: 'open/rate-limit',
  section: '8',
  sentences: ['8/rate'],
  when: 'throughout',
  text: 'Does the target limit the rate of requests?',
  key: 'rateLimit',
  answers: z.enum(['met', 'not met']),
  // Whether a run meets the limit depends on its own speed, too.
  gates: false,
  tell: (answer) =>
    answer === 'met' ? 'The target asked the run for slower requests.' : 'The run met no rate limit.',
  ask: async (target) => {
    await target.othersDone;
    return {
      answer: target.signs('throttled').length > 0 ? ('met' as const) : ('not met' as const),
      exchanges: [],
    };
  },
});

export const readAfterWrite = open({
  id: 'open/read-after-write',
  section: '4',
  sentences: ['4/json-accepted'],
  when: 'throughout',
  text: 'Does an acknowledged change show in the next read?',
  key: 'readAfterWrite',
  answers: z.enum(['at once', 'late']),
  tell: (answer) =>
    answer === 'at once'
      ? 'An acknowledged change shows in the next read.'
      : 'An acknowledged change shows late.',
  ask: async (target) => {
    await target.othersDone;
    const late = target.signs('late-effect').flatMap(({ exchanges }) => exchanges);
    return {
      answer: late.length === 0 ? ('at once' as const) : ('late' as const),
      exchanges: late.slice(0, 3),
    };
  },
});
