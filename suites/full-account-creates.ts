import { createdIn, type Exchange, statusOf, type Tag, type Target } from '../lib/check.ts';
import { OTHER_LETTERS, shows } from './listed-tags.ts';
import { isOddAnswer } from './names/check-rounds.ts';
import { formsOfFullCreates } from './names/edge-forms.ts';
import { nameOf, NONE, noteForms, sendAsFilters, showsInForm } from './names/forms.ts';

/** The number of tags that are made at once. It is small, so that a list is hardly in the order of age by chance. */
const TAGS_PER_WAVE = 3;

/** A name for a create, and its form if it is not plain. */
export interface NewName {
  readonly name: string;
  readonly form?: string | undefined;
}

/**
 * Names for every wave. Each wave gets names from the whole alphabet, so that a list sorted by name is not also sorted
 * by wave. The first and the last name are plain, and the last one shares no letter with the others.
 */
export function namesOfWaves(target: Target, count: number): NewName[][] {
  const forms = target.settings.effort === 'standard' ? formsOfFullCreates(target) : [];
  const names = Array.from({ length: count }, (_, at): NewName => {
    const form = forms[at];
    return { form, name: form === undefined ? target.name() : nameOf(target, form) };
  }).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const waves = Math.ceil(count / TAGS_PER_WAVE);
  const all = Array.from({ length: waves }, (_, wave) => names.filter((_, at) => at % waves === wave));
  all[0]?.splice(0, 1, { name: target.name() });
  all.at(-1)?.splice(-1, 1, { name: target.names.lettersOf(OTHER_LETTERS) });
  return all;
}

/**
 * Creates a tag; with a plain name if the target refuses one of this form.
 *
 * @returns undefined if the answer to such a form is neither a tag nor a refusal. The tag may exist all the same, so there
 *   may be no room for another one.
 */
export async function createAnyhow(
  target: Target,
  { name, form }: NewName,
): Promise<(NewName & { readonly create: Exchange }) | undefined> {
  const create = await target.create({ name });
  if (form === undefined || createdIn(create) !== undefined) return { name, form, create };
  if (!isRefusal(create)) {
    await noteForms(target, NONE, [form]);
    return undefined;
  }
  const plain = target.name();
  const again = await target.create({ name: plain });
  // If a plain name is refused as well, the account is full.
  if (createdIn(again) !== undefined && isOddAnswer(create)) await noteForms(target, NONE, [form]);
  return { name: plain, create: again };
}

/** Whether an answer refuses a create: then it made no tag. */
const isRefusal = (create: Exchange): boolean => {
  const status = statusOf(create);
  return status >= 400 && status < 500;
};

/** Notes the forms of the names of creates. Odd are those that the list shows in no faithful form. */
export async function noteCreated(
  target: Target,
  made: readonly (Tag & NewName)[],
  list: Exchange,
): Promise<void> {
  const formed = made.flatMap(({ form, tagId, name }) => (form === undefined ? [] : [{ form, tagId, name }]));
  const odd = formed.filter((one) => shows(list, one) && !showsInForm(list, one));
  await sendAsFilters(target, odd);
  const formsOf = (some: typeof formed): string[] => some.map(({ form }) => form);
  await noteForms(target, { created: formsOf(formed), updated: [] }, formsOf(odd));
}
