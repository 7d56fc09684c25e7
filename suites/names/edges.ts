import fc from 'fast-check';
import {
  accepted,
  createdIn,
  holds,
  learn,
  type Outcome,
  property,
  quote,
  type Target,
} from '../../lib/check.ts';
import { pagination } from '../open/lists.ts';
import { aboutNames } from './about.ts';
import { isOddAnswer, manyWithin } from './ask-many.ts';
import { askPack, refusesKind } from './ask-pack.ts';
import { drawnEdges, FIRST, formsOf, formsSeen, LAST, LETTERS, nameOf, showsInForm } from './edge-forms.ts';
import { Pieces } from './pieces.ts';

/** A tag is made with one name and updated to another. */
const PAIR = 2;

/** How many names are asked together. */
const MOST_TOGETHER = 8;

/** The requests that two creates take, and those kept for long names and the last questions. */
const REQUESTS = { each: 5, kept: 54 };

/** The most forms that are asked again by themselves. */
const MOST_AGAIN = 2;

async function askEdges(target: Target, edges: readonly string[]): Promise<Outcome> {
  const forms = formsOf(edges);
  const isRefused = await refusesKind(target, 'punctuation');
  const askPair = (some: readonly string[]): Promise<Outcome> =>
    askPack(
      target,
      some,
      (parts, time) => nameOf(target, parts[time % parts.length] ?? LETTERS),
      isRefused ? { mostParts: 0 } : {},
    );
  // Tags that are looked at together are found in whole lists only.
  const isEach = isRefused || forms.length <= PAIR || (await learn(target, pagination)) !== 'none';
  if (isEach) return askPair(forms.slice(0, PAIR));
  const seen = await formsSeen(target);
  const others = forms.filter((form) => !seen.updated.includes(form));
  const many = others.slice(0, Math.max(1, await manyWithin(target, 'name/edges', REQUESTS)));
  const odd = [...seen.odd];
  for (let from = 0; from < many.length && odd.length === 0; from += MOST_TOGETHER)
    odd.push(...(await oddCreates(target, many.slice(from, from + MOST_TOGETHER))));
  // Only a form that is asked by itself decides.
  for (const form of odd.slice(0, MOST_AGAIN)) {
    const outcome = await askPair([form]);
    if (outcome.kind !== 'holds') return outcome;
  }
  return holds();
}

/** The forms of names whose create or delete is answered in an unusual way, or which are not listed as they should be. */
async function oddCreates(target: Target, forms: readonly string[]): Promise<readonly string[]> {
  const odd = new Set<string>();
  const made = await Promise.all(
    forms.map(async (form) => {
      const name = nameOf(target, form);
      const create = await target.create({ name });
      if (isOddAnswer(create)) odd.add(form);
      return { form, name, tagId: accepted(create) ? createdIn(create)?.tagId : undefined };
    }),
  );
  const expected = made.flatMap(({ tagId, ...one }) => (tagId === undefined ? [] : { tagId, ...one }));
  const { seen } = await target.until(
    async () => {
      const list = await target.list();
      const missing = expected.filter((one) => !showsInForm(list, one));
      return { missing, exchanges: [list] };
    },
    ({ missing }) => missing.length === 0,
    { late: 'ignored' },
  );
  for (const { form } of seen.missing) odd.add(form);
  await Promise.all(
    expected.map(async ({ form, tagId }) => {
      if (isOddAnswer(await target.delete(tagId))) odd.add(form);
    }),
  );
  await target.removeTags();
  return [...odd];
}

export const edges = property({
  ...aboutNames({
    id: 'edges',
    words:
      'punctuation, a capital letter, a digit or a character outside ASCII as its first or last character',
    cause: 'The ends of a name are trimmed, or a pattern looks at its first or last character.',
  }),
  // The budget that other checks leave decides how many are asked. The case stays the same, so that its path leads to it.
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
  ask: askEdges,
  tell: (pieces) =>
    `a name that ${pieces.map((edge) => `${edge.endsWith(LETTERS) ? 'begins' : 'ends'} with ${quote(edge.replace(LETTERS, ''))}`).join(' or ')}`,
});
