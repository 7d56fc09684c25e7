import { z } from 'zod';
import { open, type Target } from '../../lib/check.ts';

// These questions are answered at the end of the run, from what the other checks observed.

/**
 * Resolves when the other checks have ended and the target still answers.
 *
 * @throws Undecided if it does not. Then the run is incomplete.
 */
async function wholeRun(target: Target): Promise<void> {
  await target.run('after the others', () =>
    target.shared('the end of the run', 0, (shared) => shared.list()),
  );
}

export const rateLimit = open({
  id: 'open/rate-limit',
  section: '8',
  sentences: ['8/rate'],
  when: 'throughout',
  text: 'Does the target limit the rate of requests?',
  key: 'rateLimit',
  answers: z.enum(['met', 'not met']),
  // Whether a run reaches the limit also depends on the run's own speed.
  gates: false,
  tell: (answer) =>
    answer === 'met' ? 'The target asked the run for slower requests.' : 'The run met no rate limit.',
  ask: async (target) => {
    await wholeRun(target);
    return {
      answer: target.signs('throttled').length > 0 ? ('met' as const) : ('not met' as const),
      exchanges: [],
    };
  },
});

export const concurrency = open({
  id: 'open/concurrency',
  section: '8',
  sentences: ['8/rate'],
  when: 'throughout',
  text: 'Does the target serve requests that overlap?',
  key: 'concurrency',
  answers: z.enum(['served', 'refused']),
  // Which requests overlap also depends on the run's own speed.
  gates: false,
  tell: (answer) =>
    answer === 'served'
      ? 'Requests that overlap are served.'
      : 'Some requests that overlap are refused or fail, and are served one by one.',
  ask: async (target) => {
    await wholeRun(target);
    const crowded = target.signs('crowded').flatMap(({ exchanges }) => exchanges);
    return {
      answer: crowded.length === 0 ? ('served' as const) : ('refused' as const),
      exchanges: crowded.slice(0, 3),
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
    await wholeRun(target);
    const late = target.signs('late-effect').flatMap(({ exchanges }) => exchanges);
    return {
      answer: late.length === 0 ? ('at once' as const) : ('late' as const),
      exchanges: late.slice(0, 3),
    };
  },
});
