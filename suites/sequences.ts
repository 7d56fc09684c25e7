import { property, type Suite } from '../lib/check.ts';
import { play } from './sequences/play.ts';
import { cases } from './sequences/cases.ts';
import { script } from './sequences/script.ts';
import { TAGS, tell } from './sequences/steps.ts';

/** Long enough for what takes four steps to show, and short enough to be read; the last pattern may go on a little. */
const MOST_STEPS = 13;

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
        'What each operation does is stated of any tag (4.2 to 4.5), whatever was done before: so what a sequence of them leaves follows from its steps.',
      text: 'Any sequence of creates, updates, deletes and lists leaves the tags that its steps say.',
      cause: 'A cache, an index or a history by name or by tag_id is not kept up with every change.',
      lanes: 2,
      tagsEach: TAGS,
      runs: { standard: 4, thorough: 40 },
      cases: () => cases(MOST_STEPS),
      ask: play,
      tell,
      script,
    }),
  ],
};
