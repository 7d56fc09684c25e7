import { createdIn, statusOf, type Tag, type Target, Undecided, whatCame } from '../../lib/check.ts';

/** What a target may answer that does one thing at a time: of others in this run it may be busy with one. */
const BUSY: ReadonlySet<number> = new Set([409, 423, 503]);

/**
 * Makes a tag for others to meet on.
 *
 * @throws Undecided where that does not work.
 */
export async function firstTag(target: Target): Promise<Tag> {
  const { seen } = await target.until(
    async () => {
      const name = target.name();
      const exchange = await target.create({ name });
      return { name, exchange, exchanges: [exchange] };
    },
    ({ exchange }) => !BUSY.has(statusOf(exchange)),
    { late: 'ignored' },
  );
  const tagId = createdIn(seen.exchange)?.tagId;
  if (tagId !== undefined) return { tagId, name: seen.name };
  throw new Undecided(
    'failure',
    `no tag could be made to ask with: create ${whatCame(seen.exchange)}`,
    seen.exchange,
  );
}
