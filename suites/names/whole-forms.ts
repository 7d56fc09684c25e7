import fc from 'fast-check';
import { generated, learn, type Outcome, property, quote, type Target } from '../../lib/check.ts';
import { pagination } from '../open/lists.ts';
import { aboutNames } from './about.ts';
import { checkForms, checkRows, PAIR } from './check-forms.ts';
import { refusesKind } from './check-pack.ts';
import { stepsWithin } from './check-rounds.ts';
import { DIGITS, LETTERS, UUID } from './forms.ts';
import { Pieces } from './pieces.ts';

/** Forms that programs are likely to decode or convert. */
export const LIKELY_FORMS: readonly string[] = [
  '["§"]',
  '"§"',
  '⁂',
  '2024-05-17T10:20:30.№Z',
  // The number at the end is like that of a second address for the same title.
  '../§-2',
  '{"a":"§"}',
  // Beyond 2^53, where numbers of many languages are no longer exact.
  '№98765432101',
  'A@§.bc',
  '=1+№',
  'https://§.Bc',
  '№e3',
  '0№',
];

/**
 * The number of requests that a tag takes (a create, an update, a delete, and its share of the lists), and the number kept for
 * later checks (bare names, edges, long names, the last questions). Where lists are pages, no bare names are sent.
 */
const REQUESTS = { together: { each: 3.2, kept: 91 }, onPages: { each: 6, kept: 56 } };

/** The number of further forms that the seed adds. */
const DRAWN = 1;

/** Further forms. */
const OTHER: readonly string[] = [
  `'§' <§> {§} (§) [§] %§% {{§}} /§/ *§* __§__ https://§.bc/d //§.bc mailto:§ data:,§`.split(' '),
  '=SUM(№) №+1 1/№ №% $№ v№ №:00 17.05.№ №-1 #№ P№D 1,№'.split(' '),
  String.raw`/§ ./§ C:\§ §.html ~§/ &§; :§: <a>§</a> <!--§--> /*§*/ §=§ §:§ §;§ §,§ §|§ a=1&b=§ ?§ -§- +§+ b"§" N'§'`.split(
    ' ',
  ),
  ['`§`', '${§}', '$(§)', '№ €'],
].flat();

const isThorough = (target: Target): boolean => target.settings.effort === 'thorough';

const drawnForms = (target: Target): string[] =>
  generated.drawn(target, 'name/whole-forms', fc.constantFrom(...OTHER), DRAWN);

/**
 * The forms of so many tags: that of the create, and that of the update. If there is a tag for each likely form, a form is that of
 * a create and of another tag's update. Otherwise each is asked once if possible, and the seed decides which half is created.
 */
function rowsOf(target: Target, forms: readonly string[], count: number): string[][] {
  const isEach = count >= LIKELY_FORMS.length;
  const asked = forms.slice(0, isEach ? count : 2 * count);
  const rows = asked.slice(0, count).map((form, at) => {
    const other = asked[(at + (isEach ? 1 : count)) % asked.length] ?? form;
    return [form, other];
  });
  const [isReversed] = generated.drawn(target, 'name/whole-forms sides', fc.boolean());
  return isEach || isReversed !== true ? rows : rows.map((row) => row.toReversed());
}

async function checkWholeForms(target: Target, forms: readonly string[]): Promise<Outcome> {
  if (forms.length <= PAIR || (await refusesKind(target, 'punctuation')))
    return checkForms(target, forms.slice(0, PAIR));
  const isPaged = (await learn(target, pagination)) !== 'none';
  const requests = isPaged ? REQUESTS.onPages : REQUESTS.together;
  const steps = Math.max(1, await stepsWithin(target, 'name/whole-forms', requests));
  const rows = rowsOf(target, forms, steps);
  return checkRows(target, rows, { isPaged, mostTogether: Math.max(1, target.facts.room) });
}

export const wholeForms = property({
  ...aboutNames({
    id: 'whole-forms',
    words: 'the form of a JSON text, a date, a UUID, a path, an address, a formula or markup as a whole',
    cause: 'A name in the form of another type is decoded, calculated or converted to that type.',
  }),
  // The budget that other checks leave limits how many are sent, but the case stays the same, so that its path stays
  // valid.
  when: 'perilous',
  cases: () =>
    new Pieces(fc.array(fc.constantFrom(...LIKELY_FORMS, ...OTHER), { minLength: 2, maxLength: 2 }), {
      areWhole: true,
    }),
  examples: (target) =>
    isThorough(target)
      ? [...LIKELY_FORMS, ...OTHER].map((form) => [form])
      : [[...LIKELY_FORMS, ...drawnForms(target)]],
  runs: { standard: 0, thorough: 10 },
  tagsEach: LIKELY_FORMS.length + DRAWN,
  ask: checkWholeForms,
  tell: (forms) =>
    `a name of the form ${forms.map(quote).join(', then ')}, where ${LETTERS} is a plain name, ${DIGITS} a number and ${UUID} a UUID`,
});
