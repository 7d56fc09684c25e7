import fc from 'fast-check';
import {
  createdIn,
  holds,
  type Outcome,
  statusOf,
  type Tag,
  type Target,
  Undecided,
  whatCame,
} from '../../lib/check.ts';
import { doDeletedIdsStayFree } from '../freed-ids.ts';
import { judgeEnding, type WriteRequest, type WrittenTag } from './ending.ts';
import { letterOf } from './history.ts';

/**
 * An update or a delete of one of three tags. All requests of a case are sent at the same time, in the order of the
 * case.
 */
export interface Write {
  readonly tag: number;
  readonly do: 'rename' | 'delete';
}

/** The tag that is never deleted. */
const KEPT = 0;

/** One tag is renamed twice, one is renamed and deleted, one is deleted twice: all pairs of writes to one tag. */
const WRITES: readonly Write[] = [
  { tag: KEPT, do: 'rename' },
  { tag: KEPT, do: 'rename' },
  { tag: 1, do: 'rename' },
  { tag: 1, do: 'delete' },
  { tag: 2, do: 'delete' },
  { tag: 2, do: 'delete' },
];

/** The number of tags of a case. */
export const WRITTEN = 3;

/** The frequency that makes a generated case contain all writes. Only shrinking leaves some out. */
const ALWAYS = 1e9;

/** Generates cases with all writes in any order. */
export const writeCases: fc.Arbitrary<readonly Write[]> = fc
  .tuple(...WRITES.map(() => fc.option(fc.nat({ max: 99 }), { freq: ALWAYS })))
  .map((places) =>
    WRITES.flatMap((write, at) => {
      const place = places[at];
      return typeof place === 'number' ? [{ write, place }] : [];
    })
      .toSorted((one, other) => one.place - other.place)
      .map(({ write }) => write),
  );

/** Sends the writes at the same time, and checks that some order of them explains which tags exist in the end. */
export async function writeAtOnce(target: Target, writes: readonly Write[]): Promise<Outcome> {
  const safe = (await doDeletedIdsStayFree(target)) ? writes : withoutReuse(writes);
  if (safe.length === 0) return holds();
  const tags = await makeTags(target, safe);
  const updates = new Map<number, number>();
  const send = async (write: Write, { tagId, names }: WrittenTag): Promise<WriteRequest> => {
    const { tag } = write;
    if (write.do === 'delete')
      return {
        tag,
        label: `delete tag ${tag + 1}`,
        action: { do: 'delete' },
        exchange: await target.delete(tagId),
      };
    const at = (updates.get(tag) ?? 0) + 1;
    updates.set(tag, at);
    const name = names[at] ?? '';
    // The specification leaves the answer open if the update may come after a delete.
    const open = safe.some((other) => other.tag === tag && other.do === 'delete');
    const exchange = await target.rename(tagId, { name }, open ? { open } : undefined);
    return {
      tag,
      label: `update tag ${tag + 1} to ${letterOf(at)}`,
      action: { do: 'rename', name },
      exchange,
    };
  };
  const requests = safe.flatMap((write) => {
    const tag = tags.get(write.tag);
    return tag === undefined ? [] : () => send(write, tag);
  });
  const sent = await target.run('without creates', () =>
    target.run('simultaneously', () => Promise.all(requests.map((request) => request()))),
  );
  return judgeEnding(target, tags, sent);
}

/**
 * The writes without those that may come after a delete of their tag, because the target may have given its tag_id to
 * another client's tag. Of a deleted tag, only the first delete remains.
 */
const withoutReuse = (writes: readonly Write[]): readonly Write[] =>
  writes.filter((write, at) => {
    const first = writes.findIndex((other) => other.tag === write.tag && other.do === 'delete');
    return first < 0 || first === at;
  });

/** Makes the tags of a case, by their numbers, with the names that its updates will give them. */
async function makeTags(target: Target, writes: readonly Write[]): Promise<ReadonlyMap<number, WrittenTag>> {
  const tags = new Map<number, WrittenTag>();
  // The tag that is never deleted is made last. A target that issues the highest existing id plus one then does not
  // reuse the ids of the others before a second delete arrives.
  const numbers = new Set([...writes.map(({ tag }) => tag).filter((tag) => tag !== KEPT), KEPT]);
  for (const number of numbers) {
    const { tagId, name } = await makeTagWhenFree(target);
    const newNames = writes.flatMap((one) =>
      one.tag === number && one.do === 'rename' ? target.name() : [],
    );
    tags.set(number, { tagId, names: [name, ...newNames] });
  }
  return tags;
}

/** Statuses with which a target that handles one request at a time refuses another one. */
const BUSY: ReadonlySet<number> = new Set([409, 423, 503]);

/**
 * Makes a tag. Tries again while the target is busy with a request of another check.
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
