import { LEVELS, type Requirement } from './requirement.ts';
import { SettingsError } from './settings-error.ts';

/**
 * Selects requirements by ids, topics (the part of an id before the slash), sections and levels.
 *
 * @param only the selectors; an empty list selects everything.
 * @throws SettingsError if a selector matches nothing; it suggests the nearest id.
 */
export function select(
  catalogue: readonly Requirement[],
  only: readonly string[],
): { readonly selected: readonly Requirement[]; readonly leftOut: readonly Requirement[] } {
  if (only.length === 0) return { selected: catalogue, leftOut: [] };
  for (const selector of only) {
    if (catalogue.some((requirement) => matches(requirement, selector))) continue;
    const guess = nearest(
      selector,
      catalogue.map(({ id }) => id),
    );
    throw new SettingsError(
      `--only ${JSON.stringify(selector)} matches no requirement; give an id, a topic such as list/, a section such as 4.2, or a level (${LEVELS.join(', ')})${guess === undefined ? '.' : `. Did you mean ${guess}?`}`,
    );
  }
  const selected = catalogue.filter((requirement) => only.some((selector) => matches(requirement, selector)));
  return { selected, leftOut: catalogue.filter((requirement) => !selected.includes(requirement)) };
}

function matches({ id, section, level }: Requirement, selector: string): boolean {
  return (
    id === selector ||
    id.startsWith(selector.endsWith('/') ? selector : `${selector}/`) ||
    section === selector ||
    section.startsWith(`${selector}.`) ||
    level === selector
  );
}

/** The candidate that differs in the fewest characters, or undefined if all differ too much. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const best = candidates
    .map((candidate) => ({ candidate, distance: distance(word, candidate) }))
    .toSorted((one, other) => one.distance - other.distance)[0];
  return best !== undefined && best.distance <= Math.max(2, word.length / 3) ? best.candidate : undefined;
}

/** The Levenshtein distance. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
