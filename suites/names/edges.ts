import fc from 'fast-check';
import { learn, type Outcome, property, quote, type Target } from '../../lib/check.ts';
import { pagination } from '../open/lists.ts';
import { aboutNames } from './about.ts';
import { checkForms, checkRows, PAIR } from './check-forms.ts';
import { refusesKind } from './check-pack.ts';
import { stepsWithin } from './check-rounds.ts';
import { drawnEdges, edgesOf, FIRST, formsOf, LAST } from './edge-forms.ts';
import { type FormsSent, formsSent, LETTERS } from './forms.ts';
import { Pieces } from './pieces.ts';

/** The number of names that are sent together. */
const MOST_TOGETHER = 8;

/**
 * The number of requests that a row takes, and the number kept for later checks (long names, the last questions). Where lists
 * are pages, each row is sent alone.
 */
const REQUESTS = { together: { each: 3.2, kept: 54 }, onPages: { each: 6, kept: 54 } };

/** The most unexpected forms that are checked again alone. */
const MOST_AGAIN = 4;

async function checkEdges(target: Target, edges: readonly string[]): Promise<Outcome> {
  const forms = formsOf(edges);
  if (forms.length <= PAIR || (await refusesKind(target, 'punctuation')))
    return checkForms(target, forms.slice(0, PAIR));
  const isPaged = (await learn(target, pagination)) !== 'none';
  const sent = await formsSent(target);
  const requests = isPaged ? REQUESTS.onPages : REQUESTS.together;
  const steps = Math.max(1, await stepsWithin(target, 'name/edges', requests));
  const many = rowsOf(edges, sent).slice(0, steps);
  // An unexpected result counts only if the form gives it again when it is sent alone.
  for (const form of [...sent.odd].slice(0, MOST_AGAIN)) {
    const outcome = await checkForms(target, [form]);
    if (outcome.kind !== 'holds') return outcome;
  }
  return checkRows(target, many, { isPaged, mostTogether: MOST_TOGETHER });
}

/** Rows with the form of a create and, where some are left, that of an update: with the ends that were not sent so far. */
function rowsOf(edges: readonly string[], { created, updated }: FormsSent): string[][] {
  const unsent = (forms: ReadonlySet<string>): string[] => {
    const sent = new Set([...forms].flatMap(edgesOf));
    return formsOf(edges.filter((edge) => !sent.has(edge)));
  };
  const others = unsent(updated);
  return unsent(created).map((form, at) => [form, ...others.slice(at, at + 1)]);
}

export const edges = property({
  ...aboutNames({
    id: 'edges',
    words:
      'punctuation, a capital letter, a digit or a character outside ASCII as its first or last character',
    cause: 'The ends of a name are trimmed, or a pattern looks at its first or last character.',
  }),
  // The budget that other checks leave limits how many are sent, but the case stays the same, so that its path stays
  // valid.
  when: 'perilous',
  cases: () =>
    new Pieces(fc.uniqueArray(fc.constantFrom(...FIRST, ...LAST), { minLength: 2, maxLength: 4 }), {
      areWhole: true,
    }),
  examples: (target) =>
    target.settings.effort === 'thorough'
      ? FIRST.map((first, at) => [first, LAST[at] ?? first])
      : [drawnEdges(target)],
  runs: { standard: 0, thorough: 10 },
  tagsEach: MOST_TOGETHER,
  ask: checkEdges,
  tell: (pieces) =>
    `a name that ${pieces.map((edge) => `${edge.endsWith(LETTERS) ? 'begins' : 'ends'} with ${quote(edge.replace(LETTERS, ''))}`).join(' or ')}`,
});
