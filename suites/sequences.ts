import { generated, type Outcome, property, type Suite, type Target } from '../lib/check.ts';
import { formsOfSequence } from './names/edge-forms.ts';
import { withForms } from './names/forms.ts';
import { withAllTokens } from './other-tokens.ts';
import { play } from './sequences/play.ts';
import { cases, casesWithAllPatterns } from './sequences/cases.ts';
import { script } from './sequences/script.ts';
import { describeSteps, MOST_TAGS, type Step } from './sequences/steps.ts';

/**
 * The number of steps of a case: enough for faults that need four steps, few enough to read. The last pattern may
 * exceed it a little.
 */
const MOST_STEPS = 13;

/** The fewest cases that together contain all patterns. */
const CASES_FOR_ALL_PATTERNS = 3;

/** The cases that every run sends. */
const dealt = ({ settings }: Target): readonly (readonly Step[])[] =>
  casesWithAllPatterns(
    CASES_FOR_ALL_PATTERNS,
    MOST_STEPS,
    generated.seedOf(`${settings.seed}\nsequence/dealt`),
  );

/** Plays a case, with names of unusual forms if it is one of those that every run sends. */
function playWithForms(target: Target, steps: readonly Step[], place: number): Promise<Outcome> {
  const at = dealt(target).findIndex((one) => describeSteps(one) === describeSteps(steps));
  const forms = formsOfSequence(target, at);
  const formsIn = (operation: Step['do']): string[] =>
    steps.flatMap((step) => (step.do === operation && 'name' in step ? (forms[step.name] ?? []) : []));
  const playWith = (some?: readonly string[]): Promise<Outcome> =>
    withAllTokens(target, MOST_TAGS, place, (part) => play(part, steps, some));
  return forms.length === 0
    ? playWith()
    : withForms(target, { created: formsIn('create'), updated: formsIn('rename') }, (hasForms) =>
        playWith(hasForms ? forms : []),
      );
}

export const sequences: Suite = {
  topic: 'sequence',
  requirements: [
    property({
      id: 'sequence/agrees-with-model',
      effort: 'standard',
      when: 'sequences',
      section: '4.4',
      sentences: ['4.4/status-200-tagging'],
      level: 'derived',
      derivation:
        'Each operation is described for any tag (4.2 to 4.5), whatever was done before, so that the steps of a sequence decide which tags it leaves.',
      text: 'Any sequence of creates, updates, deletes and lists leaves the tags that follow from its steps.',
      cause: 'A cache, an index or a history by name or tag_id is not updated with every change.',
      lanes: 2,
      tagsEach: MOST_TAGS,
      examples: dealt,
      runs: { standard: 0, thorough: 37 },
      cases: () => cases(MOST_STEPS),
      ask: playWithForms,
      tell: describeSteps,
      script,
    }),
  ],
};
