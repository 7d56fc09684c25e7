import {
  type Exchange,
  listedIn,
  type Outcome,
  type Tag,
  type Target,
  undecided,
  Undecided,
} from '../../lib/check.ts';
import { isFormOf } from './kept-form.ts';

/** Placeholders for the random part of a form: the letters of a plain name, nine digits, or a UUID. */
export const [LETTERS, DIGITS, UUID] = ['§', '№', '⁂'] as const;

/**
 * A new name of a form.
 *
 * @param fill further letters after the first plain ones; ignored in forms with digits or a UUID.
 */
export function nameOf({ names }: Target, form: string, fill = ''): string {
  if (form === UUID) return names.uuid();
  if (form.includes(DIGITS)) return names.numeric(form, DIGITS);
  const [before = '', ...after] = form.split(LETTERS);
  return names.around(before, `${fill}${after.join('a')}`);
}

/** Whether a list shows the tag with a faithful form of its name. */
export const showsInForm = (list: Exchange, { tagId, name }: Tag): boolean =>
  listedIn(list)?.some(
    (entry) => entry.tagId === tagId && typeof entry.name === 'string' && isFormOf(entry.name, name),
  ) === true;

/** The most odd names that are sent as filters. */
const MOST_ODD = 3;

/**
 * Filters by names that the list without a filter shows wrongly. Only if the filtered list shows the right name is the other
 * list at fault: the run notices if they differ.
 */
export async function sendAsFilters(target: Target, odd: readonly Pick<Tag, 'name'>[]): Promise<void> {
  for (const { name } of odd.slice(0, MOST_ODD)) await target.list(name);
}

/** Forms of names that creates and updates send. */
interface Forms {
  readonly created: readonly string[];
  readonly updated: readonly string[];
}

/** No forms. */
export const NONE: Forms = { created: [], updated: [] };

/** The forms that were sent in any of these places so far, and what came of them. */
export interface FormsSent {
  readonly created: Set<string>;
  readonly updated: Set<string>;
  /** The forms that gave an unexpected result and must be checked again alone. */
  readonly odd: Set<string>;
  /** Whether something did not hold with such a form. Then they are sent in no further place. */
  hasMetOdd: boolean;
}

/** All checks of a run get the same record, to which `noteForms` adds. */
export const formsSent = (target: Target): Promise<FormsSent> =>
  target.shared(
    'edges of names',
    0,
    () => Promise.resolve({ created: new Set(), updated: new Set(), odd: new Set(), hasMetOdd: false }),
    { isKept: true },
  );

/** Notes forms that were sent somewhere, and the odd ones among them. */
export async function noteForms(
  target: Target,
  { created, updated }: Forms,
  odd: readonly string[] = [],
): Promise<void> {
  const sent = await formsSent(target);
  for (const form of created) sent.created.add(form);
  for (const form of updated) sent.updated.add(form);
  for (const form of odd) sent.odd.add(form);
  sent.hasMetOdd ||= odd.length > 0;
}

/**
 * Checks something with names of unusual forms, which covers these at no cost. If it does not hold, plain names decide, and
 * the requirement about the ends of names checks the forms alone.
 *
 * @param forms the forms that creates and updates send.
 * @param check checks it with names of these forms, or with plain names.
 */
export async function withForms(
  target: Target,
  forms: Forms,
  check: (hasForms: boolean) => Promise<Outcome>,
): Promise<Outcome> {
  const sent = await formsSent(target);
  if (sent.hasMetOdd) return check(false);
  let first: Outcome | undefined;
  try {
    first = await check(true);
  } catch (error) {
    // An answer of a gateway, or none, leaves it undecided whether the forms are the cause. A lack of requests does not.
    if (!(error instanceof Undecided) || error.outcome.because === 'budget') throw error;
  }
  if (first?.kind === 'holds' && first.warning === undefined) {
    await noteForms(target, forms);
    return first;
  }
  const isLawful = first?.kind === 'holds' || first?.kind === 'undecided';
  let odd = isLawful ? [] : [...forms.created, ...forms.updated];
  sent.hasMetOdd ||= odd.length > 0;
  await target.removeTags();
  try {
    const plain = await check(false);
    if (plain.kind === 'broken') odd = [];
    if (first?.kind !== 'broken' || plain.kind !== 'holds') return plain;
    await target.removeTags();
    // A fault that shows only now and then does not depend on the names.
    return (await check(true)).kind === 'holds' ? first : plain;
  } catch (error) {
    if (first?.kind !== 'broken' || !(error instanceof Undecided) || error.outcome.because !== 'budget')
      throw error;
    // A target may refuse such names, so it is no finding yet. With the evidence, it is checked again at the end of the run.
    const why = `${first.why}, and it was not checked whether that depends on the names: ${error.message}`;
    return undecided('budget', why, ...first.exchanges);
  } finally {
    await noteForms(target, NONE, odd);
  }
}
