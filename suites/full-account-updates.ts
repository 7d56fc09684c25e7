import { accepted, type Exchange, generated, listedIn, type Tag, type Target } from '../lib/check.ts';
import { listUntil, shows } from './listed-tags.ts';
import { isOddAnswer } from './names/check-rounds.ts';
import { formsOfFullAccount, MOST_SOUGHT } from './names/edge-forms.ts';
import { nameOf, noteForms, sendAsFilters, showsInForm } from './names/forms.ts';
import { queryableEnd, variedLetters } from './names/sizes.ts';

/** A tag that a list leaves out, and the exchanges that show it. */
export interface LostTag {
  readonly name: string;
  readonly exchanges: readonly Exchange[];
}

/** A character of three bytes in UTF-8, which JSON may write with six. */
const WIDE = '漢';

/** The most bytes that a form adds to a plain name. */
const FORM_BYTES = 8;

/**
 * Updates each tag to a long name with other characters at its ends, because a run seldom has so many tags at once: servers
 * that write lists in pieces may lose what is behind some thousand bytes.
 *
 * @param longest the greatest length that the target accepts, if that is known.
 * @returns a tag that the list without a filter leaves out since then, if the filter by its name shows it.
 */
export async function updateToForms(
  target: Target,
  made: readonly Tag[],
  longest = generated.plainLetters,
): Promise<LostTag | undefined> {
  const letters = longest - generated.plainLetters - FORM_BYTES;
  // If the target keeps names in one letter case, these letters get the case of letters inside a word.
  const [filled = ''] = target.names.inKeptCase(`z${variedLetters(letters)}`);
  // So many wide characters that the name still fits into a query with its two ends. A plain letter stands in front of the end,
  // because some faults depend on both.
  const wide = queryableEnd(WIDE.repeat(Math.max(0, letters - 1))).slice(FORM_BYTES);
  // The fills to try, the longest in bytes first: a target may limit the bytes of a name, or the length of all names together.
  let fills = [`${wide}a`, filled.slice(1), ''];
  const forms = formsOfFullAccount(target).slice(0, made.length);
  const updates: { form: string; tagId: string; name: string; update: Exchange }[] = [];
  // The updates are sent one after another. If one were refused while others overlap, the run would repeat the check
  // and fill the account again.
  for (const [at, form] of forms.entries()) {
    const tagId = made[at]?.tagId ?? '';
    const send = async (fill: string) => {
      const name = nameOf(target, form, fill);
      return { form, tagId, name, update: await target.rename(tagId, { name }) };
    };
    let sent = await send(fills[0] ?? '');
    while (!accepted(sent.update) && fills.length > 1) {
      fills = fills.slice(1);
      sent = await send(fills[0] ?? '');
    }
    updates.push(sent);
  }
  const isListed = (list: Exchange, one: (typeof updates)[number]): boolean =>
    !accepted(one.update) || showsInForm(list, one);
  const { list } = await listUntil(target, (look) => updates.every((one) => isListed(look, one)), {
    late: 'ignored',
  });
  const isUnfound = async ({ tagId, name }: (typeof updates)[number]): Promise<boolean> =>
    shows(list, { tagId }) && !shows(await target.list(name), { tagId });
  const unfound = await Promise.all(updates.slice(0, MOST_SOUGHT).map(isUnfound));
  const odd = updates.filter(
    (one, at) => isOddAnswer(one.update) || !isListed(list, one) || unfound[at] === true,
  );
  await sendAsFilters(target, odd);
  await noteForms(
    target,
    { created: [], updated: forms },
    odd.map(({ form }) => form),
  );
  // In an account with fewer tags, where such a form is checked again, the update may have its effect.
  const isUnchanged = ({ tagId }: Tag): boolean =>
    listedIn(list)?.some((one) => one.tagId === tagId && made.some((tag) => tag.name === one.name)) === true;
  const lost = updates.filter((one) => accepted(one.update) && isUnchanged(one)).slice(0, 1);
  // The run records a sign only if two plain updates are lost, so two more are sent.
  for (const { tagId } of [...lost, ...lost]) {
    const name = target.name();
    await target.rename(tagId, { name });
    await target.untilListed(tagId, name);
  }
  const hidden = updates.find(
    ({ tagId, update }) => accepted(update) && listedIn(list) !== undefined && !shows(list, { tagId }),
  );
  if (hidden === undefined) return undefined;
  const filtered = await target.list(hidden.name);
  const again = await target.list();
  const isLeftOut = listedIn(again) !== undefined && !shows(again, hidden);
  return isLeftOut && shows(filtered, hidden)
    ? { name: hidden.name, exchanges: [hidden.update, filtered, again] }
    : undefined;
}
