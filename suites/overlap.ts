import fc from 'fast-check';
import { type Outcome, property, type Suite, type Target } from '../lib/check.ts';
import { workInBoth } from './overlap/accounts.ts';
import { createAtOnce } from './overlap/creates.ts';
import { hands, readMeanwhile } from './overlap/reads.ts';
import { writeAtOnce, writes, WRITTEN } from './overlap/writes.ts';

const AT_ONCE =
  'What each operation does is stated without regard to others (4.2 to 4.5): done at the same time, they leave what they would in some order.';

/**
 * Asks while no other case here is under way: a target that does one thing at a time may refuse what comes meanwhile,
 * also what only sets up or tidies up.
 */
const undisturbed =
  <T>(ask: (target: Target, one: T) => Promise<Outcome>) =>
  (target: Target, one: T): Promise<Outcome> =>
    target.exclusively(() => ask(target, one));

/** Many, but when a case is shrunk few. */
const count = (least: number, most: number): fc.Arbitrary<number> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: 1, arbitrary: fc.constant(least) },
    { weight: 30, arbitrary: fc.constant(most) },
  );

export const overlap: Suite = {
  topic: 'overlap',
  requirements: [
    property({
      id: 'overlap/creates',
      effort: 'standard',
      section: '4.4',
      sentences: ['4.4/status-200-tagging'],
      level: 'derived',
      derivation: AT_ONCE,
      text: 'Of creates at the same time each makes one tag with a tag_id of its own, and is answered with that.',
      cause: 'A counter, a list or the answer is shared by requests that are under way together.',
      tagsEach: 4,
      runs: { standard: 2, thorough: 20 },
      cases: () => count(2, 4),
      ask: undisturbed(createAtOnce),
      tell: (one) => `${one} creates at once`,
    }),
    property({
      id: 'overlap/explained-by-an-order',
      effort: 'standard',
      section: '4.4',
      sentences: ['4.4/status-200-tagging'],
      level: 'derived',
      derivation: AT_ONCE,
      text: 'Updates and deletes of the same tags at the same time end as they would in some order.',
      cause: 'A tag is read, changed and written back, and what happened to it in between is undone.',
      tagsEach: WRITTEN,
      runs: { standard: 2, thorough: 20 },
      cases: () => writes,
      ask: undisturbed(writeAtOnce),
      tell: (all) => all.map(({ tag, do: what }) => `${what} tag ${tag + 1}`).join(', '),
    }),
    property({
      id: 'overlap/accounts',
      effort: 'standard',
      section: '1',
      sentences: ['1/account'],
      level: 'derived',
      derivation:
        'The service is an API for an account (1): what is done in one at the same time as in another is none of its business.',
      text: 'Of what is done in two accounts at the same time each shows its own.',
      cause: 'Who asks is kept in a place that requests share.',
      tagsEach: 4,
      runs: { standard: 1, thorough: 15 },
      cases: () => count(1, 2),
      ask: undisturbed(workInBoth),
      tell: (one) => `${one} creates and an update in each of two accounts at once`,
    }),
    property({
      id: 'overlap/reads-explained-by-an-order',
      effort: 'standard',
      section: '4.4',
      sentences: ['4.4/status-200-tagging'],
      level: 'advisory',
      text: 'What lists show of a tag while it is updated is explained by one order of the updates and the lists.',
      cause: 'Lists are read from several copies, or show what is not finished.',
      tagsEach: 1,
      runs: { standard: 1, thorough: 15 },
      cases: () => hands,
      ask: undisturbed(readMeanwhile),
      tell: ({ renames, looks }) =>
        `${renames.length} lanes of updates (${renames.join(', ')}) beside ${looks.map((all) => all.join(', ')).join(' and ')}`,
    }),
  ],
};
