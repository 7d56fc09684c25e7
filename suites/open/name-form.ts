import { z } from 'zod';
import { createdIn, type Exchange, open, type Target, Undecided } from '../../lib/check.ts';

/** The most samples that are sent at once. Each makes one tag. */
export const SAMPLES_AT_ONCE = 2;

/**
 * Sends samples a few at a time, so that few tags exist at once, and removes their tags.
 *
 * @throws Undecided if a tag could not be removed.
 */
export async function trySamples<T, R extends { readonly exchange: Exchange }>(
  target: Target,
  samples: readonly T[],
  attempt: (part: Target, sample: T) => Promise<R>,
): Promise<readonly R[]> {
  const tried: R[] = [];
  const { room } = target.facts;
  for (let at = 0; at < samples.length; at += SAMPLES_AT_ONCE) {
    const some = samples.slice(at, at + SAMPLES_AT_ONCE);
    tried.push(...(await Promise.all(some.map((sample) => target.part(1, (part) => attempt(part, sample))))));
    if (target.facts.room < room)
      throw new Undecided(
        'failure',
        'a tag of this question could not be removed',
        ...tried.map(({ exchange }) => exchange),
      );
  }
  return tried;
}

/** The changes that a target may make to a name, in the order in which they are reported. */
const FORMS = [
  'trimmed',
  'inner blanks folded',
  'NFC',
  'NFD',
  'compatibility forms',
  'lower case',
  'upper case',
  'title case',
  'control characters dropped',
  'format characters dropped',
] as const;
type Form = (typeof FORMS)[number];

/** For each change a text that shows it, and a function that tells from the kept name whether the change was made. */
const PROBES: readonly (readonly [form: Form, text: string, isChanged: (kept: string) => boolean])[] = [
  ['control characters dropped', 'a\u0001b', (kept) => !kept.includes('\u0001')],
  ['format characters dropped', 'a\u00adb', (kept) => !kept.includes('\u00ad')],
  ['inner blanks folded', 'a  b', (kept) => !kept.trim().includes('  ')],
  ['NFC', 'e\u0301', (kept) => !/e\u0301/i.test(kept)],
  ['NFD', 'ö', (kept) => !/ö/i.test(kept)],
  // A fullwidth digit: it changes only by normalisation. The ligature ﬁ would also change in upper case.
  ['compatibility forms', '²', (kept) => !kept.includes('²')],
  ['upper case', 'a', (kept) => kept === kept.toUpperCase()],
  // Short, so that names of 16 characters can hold it.
  ['title case', ' b', (kept) => / B/.test(kept) && kept !== kept.toUpperCase()],
  ['lower case', 'A', (kept) => kept === kept.toLowerCase()],
  ['trimmed', ' ', (kept) => kept === kept.trim()],
];

export const keptForm = open({
  id: 'open/name-kept-form',
  section: '2',
  sentences: ['2/tag-name-characters'],
  text: 'In which form is a name kept?',
  key: 'names.kept',
  answers: z.array(z.enum(FORMS)),
  tags: SAMPLES_AT_ONCE + 1,
  tell: (answer) =>
    answer.length === 0
      ? 'Names are kept as they are sent.'
      : `Names are kept in another form than they are sent: ${answer.join(', ')}.`,
  ask: async (target) => {
    const { kept, exchange } = await keptName(target, PROBES.map(([, text]) => text).join(''));
    if (kept !== undefined) return { answer: formsIn(PROBES.map(() => kept)), exchanges: [exchange] };
    // The target refuses one of the texts, so each is sent separately. Nothing is learned from a refused text.
    const each = await trySamples(target, PROBES, (part, [, text]) => keptName(part, text));
    return {
      answer: formsIn(each.map((one) => one.kept)),
      exchanges: each.map((one) => one.exchange),
    };
  },
});

/** @param kept the kept name for each probe; undefined if it was refused. */
const formsIn = (kept: readonly (string | undefined)[]): Form[] => {
  const changed = PROBES.filter(([, , isChanged], at) => kept[at] !== undefined && isChanged(kept[at]));
  return FORMS.filter((form) => changed.some(([one]) => one === form));
};

/** Creates a tag with this text in its name, and looks up the name that the target keeps, unless it refuses the name. */
async function keptName(
  target: Target,
  text: string,
): Promise<{ readonly exchange: Exchange; readonly kept?: string }> {
  const exchange = await target.create({ name: target.names.endingIn(text) });
  const created = createdIn(exchange);
  if (created === undefined) return { exchange };
  const { entries } = await target.lookUp(created.tagId);
  const listed = entries.find(({ tagId }) => tagId === created.tagId)?.name;
  const kept = listed ?? created.name;
  return typeof kept === 'string' ? { exchange, kept } : { exchange };
}

/** Whether a plain name keeps a capital letter at its end; looked up once in a run. */
export const keepsCapitals = (target: Target): Promise<boolean> =>
  target.shared('whether a plain name keeps a capital letter', 1, async (shared) => {
    const { kept } = await keptName(shared, 'A');
    return kept?.endsWith('A') === true;
  });
