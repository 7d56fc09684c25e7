import type { Outcome, Target } from '../../lib/check.ts';
import { checkPack, refusesKind, untilBroken } from './check-pack.ts';
import { checkRounds, roundsOf } from './check-rounds.ts';
import { LETTERS, nameOf } from './forms.ts';

/** A tag is made with a name of one form and updated to one of another. */
export const PAIR = 2;

/** Checks a tag alone whose names have these forms: that of its create, then that of its update. */
export async function checkForms(target: Target, forms: readonly string[]): Promise<Outcome> {
  const isRefused = await refusesKind(target, 'punctuation');
  return checkPack(
    target,
    forms,
    (parts, time) => nameOf(target, parts[time % parts.length] ?? LETTERS),
    isRefused ? { mostParts: 0 } : {},
  );
}

/**
 * Checks tags whose names have the forms of these rows: that of the create, then those of updates.
 *
 * @param options.isPaged whether lists are pages. Then each tag is checked alone, because no list shows many.
 * @param options.mostTogether the most tags at once.
 */
export function checkRows(
  target: Target,
  rows: readonly (readonly string[])[],
  { isPaged, mostTogether }: { readonly isPaged: boolean; readonly mostTogether: number },
): Promise<Outcome> {
  const checkRow = (row: readonly string[]): Promise<Outcome> => checkForms(target, row);
  if (isPaged) return untilBroken(rows, checkRow);
  return checkRounds(target, roundsOf(rows, mostTogether), {
    nameOf: (form) => nameOf(target, form),
    sought: new Set(),
    checkAgain: checkRow,
  });
}
