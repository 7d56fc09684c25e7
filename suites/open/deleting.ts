import { accepted, type Tag, type Target, Undecided, whatCame } from '../../lib/check.ts';

/**
 * Deletes a tag and waits until no list shows it.
 *
 * @throws Undecided where the tag is still there.
 */
export async function deleteForCertain(target: Target, tag: Tag): Promise<void> {
  const exchange = await target.delete(tag.tagId);
  if (accepted(exchange) && (await target.untilGone(tag)).good) return;
  throw new Undecided(
    'failure',
    `the tag is still there after its delete, which ${whatCame(exchange)}`,
    exchange,
  );
}
