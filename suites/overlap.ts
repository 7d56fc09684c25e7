import fc from 'fast-check';
import { type Outcome, property, spec, type Suite, type Target } from '../lib/check.ts';
import { useBothAccounts } from './overlap/accounts.ts';
import { createAtOnce, MOST } from './overlap/creates.ts';
import { readCases, readMeanwhile } from './overlap/reads.ts';
import { writeAtOnce, writeCases, WRITTEN } from './overlap/writes.ts';

const AT_ONCE =
  'Each operation is described by itself (4.2 to 4.5), so operations at the same time have the result of some order of them.';

/**
 * Runs one case at a time. A target that serves one request at a time may refuse others meanwhile, even those that only
 * set up or clean up.
 */
const oneAtATime =
  <T>(ask: (target: Target, one: T) => Promise<Outcome>) =>
  (target: Target, one: T): Promise<Outcome> =>
    target.run('exclusively', () => ask(target, one));

/** Generates `most` in most cases, and shrinks to `least`. */
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
      text: 'Each of several creates at the same time makes one tag, and is answered with the tag_id of that tag.',
      cause: 'Concurrent requests share a counter, a list, a transaction or the answer.',
      tagsEach: MOST + 1,
      runs: { standard: 2, thorough: 20 },
      cases: () => count(2, MOST),
      ask: oneAtATime(createAtOnce),
      tell: (one) => `${one} creates at once${one < MOST ? '' : ', and one without a name'}`,
    }),
    property({
      id: 'overlap/explained-by-an-order',
      effort: 'standard',
      section: '4.4',
      sentences: ['4.4/status-200-tagging'],
      level: 'derived',
      derivation: AT_ONCE,
      text: 'Updates and deletes of the same tags at the same time leave the same tags as in some order.',
      cause: 'A tag is read, changed and written back, which undoes changes in between.',
      tagsEach: WRITTEN,
      runs: { standard: 2, thorough: 20 },
      cases: () => writeCases,
      ask: oneAtATime(writeAtOnce),
      tell: (all) => all.map(({ tag, do: what }) => `${spec.nameOf(what)} tag ${tag + 1}`).join(', '),
    }),
    property({
      id: 'overlap/accounts',
      effort: 'standard',
      section: '1',
      sentences: ['1/account'],
      level: 'derived',
      derivation:
        'The API is for one account (1), so that requests of another account at the same time make no difference to it.',
      text: 'Two accounts that are used at the same time each show only their own tags.',
      cause: 'The current user is kept in a variable that requests share.',
      tagsEach: 4,
      runs: { standard: 1, thorough: 15 },
      cases: () => count(1, 2),
      ask: oneAtATime(useBothAccounts),
      tell: (one) => `${one} creates and an update in each of two accounts at once`,
    }),
    property({
      id: 'overlap/reads-explained-by-an-order',
      effort: 'standard',
      section: '4.4',
      sentences: ['4.4/status-200-tagging'],
      level: 'advisory',
      text: 'What lists show of a tag during updates agrees with one order of the updates and the lists.',
      cause: 'Lists are read from several copies, or show updates that are not committed.',
      tagsEach: 1,
      runs: { standard: 1, thorough: 15 },
      cases: () => readCases,
      ask: oneAtATime(readMeanwhile),
      tell: ({ renames, looks }) =>
        `${renames.length} lanes of updates (${renames.join(', ')}) beside ${looks.map((all) => all.join(', ')).join(' and ')}`,
    }),
  ],
};
