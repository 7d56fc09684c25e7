import {
  accepted,
  holds,
  type Outcome,
  reaches,
  type Requirement,
  type Tag,
  type Target,
} from '../lib/check.ts';
import { othersStay } from './neighbours.ts';
import { withLetters } from './unknown-ids.ts';

/** A text that is made from a tag and is not its tag_id, but that a careless target takes for it. */
interface Lookalike {
  /** Completes "the update of …". */
  readonly what: string;
  readonly from: (tag: Tag) => string;
  readonly effort?: 'thorough';
}

/**
 * None can be the tag_id of a stranger's tag: they are longer than any, or hold characters that no tag_id holds. A query
 * that is made of them finds the tag of the run and no other.
 */
const LOOKALIKES: readonly Lookalike[] = [
  { what: 'the tag_id followed by letters', from: ({ tagId }) => withLetters(tagId) },
  { what: 'the tag_id followed by .0', from: ({ tagId }) => `${tagId}.0` },
  { what: 'the tag_id followed by a condition of a query', from: ({ tagId }) => `${tagId} AND 1=1` },
  { what: 'the name', from: ({ name }) => name },
  {
    what: 'the tag_id followed by a quoted condition of a query',
    from: ({ tagId }) => `${tagId}' AND '1'='1`,
    effort: 'thorough',
  },
  { what: 'the tag_id followed by e0', from: ({ tagId }) => `${tagId}.0e0`, effort: 'thorough' },
  { what: 'the tag_id followed by a comment', from: ({ tagId }) => `${tagId} -- x`, effort: 'thorough' },
];

/** A target may make the tag_id of the name, and use dots in it. */
const lookalikesOf = (target: Target, { tagId, name }: Tag): readonly Lookalike[] =>
  LOOKALIKES.filter(
    ({ effort, from }) =>
      reaches(target.settings.effort, effort ?? 'standard') &&
      !(tagId.toLowerCase().includes(name.toLowerCase()) && from({ tagId, name }) === name) &&
      !(tagId.includes('.') && from({ tagId, name }).startsWith(`${tagId}.`)),
  );

const WHOLE = {
  effort: 'standard',
  level: 'derived',
  tags: 2,
} as const;

/** Sends one request for each lookalike. Another tag and the tag itself have to stay. */
async function noneAddresses(
  target: Target,
  operation: 'update' | 'delete',
  ask: (tagId: string) => ReturnType<Target['delete']>,
): Promise<Outcome> {
  const [tag, other] = await target.makeTwoTags();
  let outcome: Outcome = holds();
  const lookalikes = lookalikesOf(target, tag);
  for (const [at, { what, from }] of lookalikes.entries()) {
    const exchange = await ask(from(tag));
    // After a refusal one look at the end is enough: most targets refuse all.
    if (!accepted(exchange) && at < lookalikes.length - 1) continue;
    outcome = await othersStay(target, exchange, [tag, other], `${operation} of ${what}`);
    if (outcome.kind !== 'holds') break;
  }
  return outcome;
}

export const updateOfWholeId: Requirement = {
  id: 'update/id-as-a-whole',
  ...WHOLE,
  section: '4.3',
  sentences: ['2/tag-id-in-paths', '4.3/path-tag-id'],
  derivation:
    'The path holds the identifier of the tag (4.3): with text behind it, it is another identifier, and so is a name.',
  text: 'An update of a tag_id followed by letters, .0 or a condition, or of a name, changes no tag.',
  cause:
    'The identifier is parsed as a number, whose parsing stops at the first letter, put into a query as text, or looked up among the names.',
  check: (target) =>
    noneAddresses(target, 'update', (tagId) => target.rename(tagId, { name: target.name() }, { open: true })),
};

export const deleteOfWholeId: Requirement = {
  id: 'delete/id-as-a-whole',
  ...WHOLE,
  section: '4.5',
  sentences: ['2/tag-id-in-paths', '4.5/path-tag-id'],
  derivation:
    'The path holds the identifier of the tag (4.5): with text behind it, it is another identifier, and so is a name.',
  text: 'A delete of a tag_id followed by letters, .0 or a condition, or of a name, removes no tag.',
  cause:
    'The identifier is parsed as a number, whose parsing stops at the first letter, put into a query as text, or looked up among the names.',
  check: (target) => noneAddresses(target, 'delete', (tagId) => target.delete(tagId, { open: true })),
};
