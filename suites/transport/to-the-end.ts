import {
  accepted,
  broken,
  createdIn,
  type Exchange,
  holds,
  ifDecided,
  listedIn,
  type Outcome,
  type Requirement,
  spec,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { areIdsRandom } from '../freed-ids.ts';
import { operationsAtStart } from '../tour.ts';

/** Whether an operation worked: a create is answered with the new tag, and a list can be read. */
function worked(exchange: Exchange): boolean {
  const { operation } = exchange.ask;
  if (operation === 'create') return createdIn(exchange) !== undefined;
  return operation === 'list' ? listedIn(exchange) !== undefined : accepted(exchange);
}

/** Sends each operation on tags once more, and compares its answer with the one at the start of the run. */
async function repeatOperations(target: Target, early: readonly Exchange[]): Promise<Outcome> {
  const first = (operation: Exchange['ask']['operation']): Exchange | undefined =>
    early.find((exchange) => exchange.ask.operation === operation && worked(exchange));
  const worse = (exchange: Exchange, effect: string | undefined, ...looks: readonly Exchange[]): Outcome => {
    const before = first(exchange.ask.operation);
    const what = `the ${spec.nameOf(exchange.ask.operation)} ${whatCame(exchange)}`;
    if (before === undefined || exchange.answer === undefined)
      return undecided('failure', effect === undefined ? what : `${what}, but ${effect}`, exchange, ...looks);
    return broken(
      `at the end of the run, ${what}${effect === undefined ? '' : `, but ${effect}`}; at its start the same operation worked`,
      before,
      exchange,
      ...looks,
    );
  };
  const name = target.name();
  const create = await target.create({ name });
  const created = createdIn(create);
  if (created === undefined) return worse(create, undefined);
  const listed = await ifDecided(() => target.untilListed(created.tagId, name));
  // If the lookup is undecided, the list cannot be read.
  if (listed === undefined) return worse(await target.list(), undefined);
  if (!listed.good) return worse(create, 'no list shows the tag', ...listed.seen.exchanges);
  const renamed = { tagId: created.tagId, name: target.name() };
  const rename = await target.rename(created.tagId, { name: renamed.name });
  if (!accepted(rename)) return worse(rename, undefined);
  // At the start of the run, such an update was refused without effect.
  const nameless = await target.rename(created.tagId, {}, { open: true });
  const shown = await target.untilListed(created.tagId, renamed.name);
  if (!shown.good) return worse(rename, 'no list shows the new name', nameless, ...shown.seen.exchanges);
  const remove = await target.delete(created.tagId);
  return accepted(remove) ? deletedForGood(target) : worse(remove, undefined);
}

/**
 * Checks that a tag that was deleted long ago cannot be deleted again, if it is certain that no other tag has its
 * tag_id.
 */
async function deletedForGood(target: Target): Promise<Outcome> {
  const dead = target.facts.tags.find(({ isAlive }) => !isAlive);
  if (dead === undefined || !(await areIdsRandom(target))) return holds();
  const again = await target.delete(dead.tagId, { open: true });
  if (!accepted(again) || !accepted(await target.delete(dead.tagId, { open: true }))) return holds();
  return broken(
    'a tag that was deleted at the start of the run was deleted again at its end, and that was answered 200',
    again,
  );
}

export const worksToTheEnd: Requirement = {
  id: 'transport/works-to-the-end',
  effort: 'standard',
  section: '1',
  sentences: [
    '1/create',
    '1/rename',
    '1/list',
    '1/delete',
    '4.2/status-200',
    '4.3/status-200',
    '4.5/status-200',
  ],
  level: 'derived',
  derivation:
    'A client creates, renames, lists and deletes tags (1), and no sentence limits how often, so an operation that worked works again.',
  text: 'Each operation on tags that works at the start of the run works at its end, and a tag that was deleted at the start is not deleted again.',
  cause: 'A pool, a table, memory or file descriptors are used up, or the record of deleted tags is lost.',
  when: 'throughout',
  // The check needs one tag, and room for more in case the answer to its create is unclear.
  tags: 4,
  check: (target) =>
    target.run('after the others', async () =>
      repeatOperations(target, (await ifDecided(() => operationsAtStart(target))) ?? []),
    ),
};
