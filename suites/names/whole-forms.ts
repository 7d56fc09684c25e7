import fc from 'fast-check';
import { generated, learn, type Outcome, property, quote, type Target } from '../../lib/check.ts';
import { pagination } from '../open/lists.ts';
import { aboutNames } from './about.ts';
import { checkRounds, firstRows, pairedRounds, stepsWithin } from './check-rounds.ts';
import { checkPack, refusesKind, untilBroken } from './check-pack.ts';
import { Pieces } from './pieces.ts';

/** Placeholders for the random part of a form: the letters of a plain name, nine digits, or a UUID. */
export const [LETTERS, DIGITS, UUID] = ['§', '№', '⁂'] as const;

/** Forms that programs are likely to decode or convert. */
export const LIKELY_FORMS: readonly string[] = [
  '["§"]',
  '"§"',
  '⁂',
  '2024-05-17T10:20:30.№Z',
  // The number at the end is like that of a second address for the same title.
  '../§-2',
  '{"a":"§"}',
  'a@§.bc',
  '=1+№',
  'https://§.bc',
  '№e3',
  '0№',
  // Beyond 2^53, where numbers of many languages are no longer exact.
  '№98765432101',
];

/** A tag is made with one form and updated to another. */
const PAIR = 2;

/**
 * The number of requests that a pair takes, and the number kept for later checks (bare names, edges, long names, the last
 * questions). Where lists are pages, pairs are sent one after another, and no bare names are sent.
 */
const REQUESTS = { together: { each: 3.3, kept: 85 }, onPages: { each: 6, kept: 56 } };

/** The number of further forms that the seed adds, so that the number of forms is even. */
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

function nameOf({ names }: Target, form: string): string {
  if (form === UUID) return names.uuid();
  if (form.includes(DIGITS)) return names.numeric(form, DIGITS);
  const [before = '', ...after] = form.split(LETTERS);
  return names.around(before, after.join('a'));
}

const drawnForms = (target: Target): string[] =>
  generated.drawn(target, 'name/whole-forms', fc.constantFrom(...OTHER), DRAWN);

/** Decides which forms are sent in creates and which in updates, if the budget allows one round only. */
export const startsWithSecond = (target: Target): boolean =>
  generated.drawn(target, 'name/whole-forms rounds', fc.boolean(), 1)[0] === true;

async function checkForms(target: Target, forms: readonly string[]): Promise<Outcome> {
  const isRefused = await refusesKind(target, 'punctuation');
  const options = isRefused ? { mostParts: 0 } : {};
  const checkPair = (some: readonly string[]): Promise<Outcome> =>
    checkPack(target, some, (parts, time) => nameOf(target, parts[time % parts.length] ?? LETTERS), options);
  // Forms can be sent together only if one list shows all their tags.
  const isPaged = (await learn(target, pagination)) !== 'none';
  const requests = isPaged ? REQUESTS.onPages : REQUESTS.together;
  const steps = isRefused ? 0 : await stepsWithin(target, 'name/whole-forms', requests);
  const rounds = pairedRounds(forms);
  const ordered = startsWithSecond(target) ? rounds.toReversed() : rounds;
  // A part of the second round would take requests from the bare names, which are likelier to be misread.
  const most = steps < rounds.flat().length ? Math.min(steps, rounds[0]?.length ?? 0) : steps;
  if (steps > 0 && !isPaged)
    return checkRounds(target, firstRows(ordered, most), {
      nameOf: (form) => nameOf(target, form),
      sought: new Set(),
      checkAgain: checkPair,
    });
  return untilBroken(ordered.flat().slice(0, Math.max(1, steps)), checkPair);
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
  tagsEach: Math.ceil((LIKELY_FORMS.length + DRAWN) / PAIR),
  ask: checkForms,
  tell: (forms) =>
    `a name of the form ${forms.map(quote).join(', then ')}, where ${LETTERS} is a plain name, ${DIGITS} a number and ${UUID} a UUID`,
});
