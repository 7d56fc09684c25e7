import type { Tier } from './tiers.ts';

const DERIVATION =
  'A name is a string without stated limits of characters and length (2), and an invalid one is answered 422 (7): an accepted name is the name of the tag, in whatever form it is kept.';

/** The sentences of the specification that requirements about kinds of names check. */
const CHECKED = [
  '2/tag-name-type',
  '2/tag-name-meaning',
  '4.2/name-type',
  '4.2/status-200-name',
  '4.2/status-422',
  '4.3/body',
  '4.3/name-type',
  '4.3/status-422',
  '4.4/filter-meaning',
  '4.5/path-tag-id',
  '7/create-422',
] as const;

/** What the requirements about kinds of names have in common. */
export const aboutNames = ({ id, words, cause }: Pick<Tier, 'id' | 'words' | 'cause'>) => ({
  id: `name/${id}`,
  section: '2',
  // Punctuation can break the query of a filter.
  sentences: id === 'punctuation' ? ([...CHECKED, '4.4/filter-type'] as const) : CHECKED,
  level: 'derived' as const,
  derivation: DERIVATION,
  text: `A name with ${words} is refused with 422, or accepted and then kept, found, updated and deleted like any other.`,
  cause,
  when: 'names' as const,
});
