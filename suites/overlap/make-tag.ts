import { createdIn, statusOf, type Tag, type Target, Undecided, whatCame } from '../../lib/check.ts';

/** Statuses by which a target that handles one request at a time refuses another one. */
const BUSY: ReadonlySet<number> = new Set([409, 423, 503]);

/**
 * Makes a tag; tries again while the target is busy with a request of another check.
 *
 * @throws Undecided if no tag could be made.
 */
export async function makeTagWhenFree(target: Target): Promise<Tag> {
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
    `no tag could be made for the check: create ${whatCame(seen.exchange)}`,
    seen.exchange,
  );
}
