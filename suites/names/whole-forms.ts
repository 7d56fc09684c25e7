import fc from 'fast-check';
import { property, quote, seedOf, type Target } from '../../lib/check.ts';
import { aboutNames } from './about.ts';
import { askPack, refusesKind } from './ask-pack.ts';
import { Pieces } from './pieces.ts';

/** Stand for what is random in a form: the letters of a plain name, nine digits, a UUID. */
const [LETTERS, DIGITS, UUID] = ['§', '№', '⁂'] as const;

/** Forms that programs are likely to decode or to treat in another way. */
const LIKELY = ['["§"]', '⁂', '2024-05-17T10:20:30.№Z', '../§'] as const;

/** Further forms. */
const OTHER: readonly string[] = [
  `{"a":"§"} "§" '§' <§> {§} (§) [§] %§% {{§}} /§/ *§* __§__ a@§.bc https://§.bc/d //§.bc mailto:§ data:,§`.split(
    ' ',
  ),
  '=1+№ =SUM(№) №+1 1/№ №% $№ 1.№e3 №:00 17.05.№ №-1 #№ P№D 1,№'.split(' '),
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
  fc.sample(fc.constantFrom(...OTHER), {
    seed: seedOf(`${target.settings.seed}\nname/whole-forms`),
    numRuns: 1,
  });

export const wholeForms = property({
  ...aboutNames({
    id: 'whole-forms',
    words: 'the form of a JSON text, a date, a UUID, a path, an address, a formula or markup as a whole',
    cause: 'A name in the form of another type is decoded, calculated or converted to that type.',
  }),
  cases: () =>
    new Pieces(fc.array(fc.constantFrom(...LIKELY, ...OTHER), { minLength: 2, maxLength: 2 }), {
      areWhole: true,
    }),
  examples: (target) =>
    isThorough(target)
      ? [...LIKELY, ...OTHER].map((form) => [form])
      : [[LIKELY[0], LIKELY[2]], [LIKELY[1], LIKELY[3], ...drawnForms(target)].slice(0, 2)],
  runs: { standard: 0, thorough: 10 },
  tagsEach: 1,
  ask: async (target, forms) => {
    const options = (await refusesKind(target, 'punctuation')) ? { mostParts: 0 } : {};
    return askPack(
      target,
      forms,
      (some, time) => nameOf(target, some[time % some.length] ?? LETTERS),
      options,
    );
  },
  tell: (forms) =>
    `a name of the form ${forms.map(quote).join(', then ')}, where ${LETTERS} is a plain name, ${DIGITS} a number and ${UUID} a UUID`,
});
