import { generated, property, type Suite } from '../lib/check.ts';
import { play } from './sequences/play.ts';
import { cases, casesWithAllPatterns } from './sequences/cases.ts';
import { script } from './sequences/script.ts';
import { describeSteps, MOST_TAGS } from './sequences/steps.ts';

/**
 * The number of steps of a case: enough for faults that need four steps, few enough to read. The last pattern may
 * exceed it a little.
 */
const MOST_STEPS = 13;

/** The fewest cases that together contain all patterns. */
const CASES_FOR_ALL_PATTERNS = 3;

export const sequences: Suite = {
  topic: 'sequence',
  requirements: [
    property({
      id: 'sequence/agrees-with-model',
      effort: 'standard',
      section: '4.4',
      sentences: ['4.4/status-200-tagging'],
      level: 'derived',
      derivation:
        'Each operation is described for any tag (4.2 to 4.5), whatever was done before, so that the steps of a sequence decide which tags it leaves.',
      text: 'Any sequence of creates, updates, deletes and lists leaves the tags that follow from its steps.',
      cause: 'A cache, an index or a history by name or tag_id is not updated with every change.',
      lanes: 2,
      tagsEach: MOST_TAGS,
      examples: ({ settings }) =>
        casesWithAllPatterns(
          CASES_FOR_ALL_PATTERNS,
          MOST_STEPS,
          generated.seedOf(`${settings.seed}\nsequence/dealt`),
        ),
      runs: { standard: 0, thorough: 37 },
      cases: () => cases(MOST_STEPS),
      ask: play,
      tell: describeSteps,
      script,
    }),
  ],
};
