import { accepted, type Exchange, listedIn, spec, statusOf, type Target } from '../lib/check.ts';
import { deleteUntilRefused, doDeletedIdsStayFree } from './freed-ids.ts';

/**
 * One exchange for each operation and status whose body section 4 specifies, if the target answered with that status.
 */
interface Tour {
  readonly exchanges: readonly Exchange[];
  /** The authorised, valid operations on tags among them. */
  readonly operations: readonly Exchange[];
  readonly refusedCreate: Exchange;
  readonly refusedUpdate?: Exchange;
  /** The deletes of one tag that was updated before. */
  readonly deletes?: readonly Exchange[];
}

/** Whether the specification shows the body of this answer. */
export function isGiven({ ask, answer }: Exchange): boolean {
  return ask.regular && answer !== undefined && spec.operations[ask.operation].given.includes(answer.status);
}

/**
 * Gets one answer of each kind, once in a run. One create has a name outside ASCII. The second delete of a tag is left
 * out if a stranger's tag may have the tag_id by that time.
 */
export async function tour(target: Target): Promise<Tour> {
  const isDeletedTwice = await doDeletedIdsStayFree(target);
  return target.shared('tour', 3, async (shared) => {
    const name = shared.name();
    const [login, refusedCreate, created] = await Promise.all([
      shared.login(),
      createWithoutName(shared),
      shared.create({ name }),
    ]);
    // This tag is younger than the other one, which keeps many targets from reusing the other's id between the two
    // deletes. The character also exists in Latin-1: an answer in that encoding is not valid UTF-8.
    const foreign = await shared.create({ name: shared.names.endingIn(' é') });
    if (!accepted(foreign)) await shared.create({ name: shared.name() });
    const { seen: lists } = await shared.until(
      async () => {
        const exchanges = await Promise.all([shared.list(), shared.list(name)]);
        const tags = exchanges.flatMap((exchange) => listedIn(exchange) ?? []);
        return { tagId: tags.find((tag) => tag.name === name)?.tagId, exchanges };
      },
      (look) => look.tagId !== undefined || !accepted(created),
    );
    const { tagId } = lists;
    const [list, filtered] = lists.exchanges;
    const seen = [login, refusedCreate, foreign, created, list, filtered];
    if (tagId === undefined) {
      const operations = [created, list, filtered];
      await kept(shared, 'tour', operations);
      return { exchanges: seen, operations, refusedCreate };
    }
    const refusedUpdate = await shared.rename(tagId, {});
    const renamed = await shared.rename(tagId, { name: shared.name() });
    const [deleted, ...again] = await shared.run(
      'without creates',
      async (): Promise<[Exchange, ...Exchange[]]> => {
        const first = await shared.delete(tagId);
        return isDeletedTwice ? [first, ...(await deleteUntilRefused(shared, tagId))] : [first];
      },
    );
    const operations = [created, list, filtered, renamed, deleted];
    await kept(shared, 'tour', operations);
    return {
      exchanges: [...seen, refusedUpdate, renamed, deleted, ...again],
      operations,
      refusedCreate,
      refusedUpdate,
      deletes: [deleted, ...again],
    };
  });
}

/** A list without a token; sent once in a run. */
export const listWithoutToken = (target: Target): Promise<Exchange> =>
  target.shared('a list without a token', 0, (shared) => shared.list(undefined, { token: 'none' }));

/**
 * Sends a create without a name. Repeats it after a refusal other than 422, because a quota that strangers share may
 * have been full for a moment.
 */
async function createWithoutName(target: Target): Promise<Exchange> {
  const first = await target.create({});
  const status = statusOf(first);
  return status >= 400 && status < 500 && status !== 422 ? target.create({}) : first;
}

/** The operations that work with the run's valid token, to compare refused ones with. */
export async function workingOperations(target: Target): Promise<Set<string>> {
  const { operations } = await tour(target);
  return new Set(operations.filter(accepted).map(({ ask }) => ask.operation));
}

/** Keeps these operations, unless earlier ones are kept, and returns those that are kept, also when a check is repeated. */
const kept = (
  target: Target,
  what: 'tour' | 'create',
  operations: readonly Exchange[],
): Promise<readonly Exchange[]> =>
  target.shared(`operations at the start: ${what}`, 0, () => Promise.resolve(operations), { isKept: true });

/** Keeps the first create of the run, which may come before the first tour. */
export async function noteCreate(target: Target, create: Exchange): Promise<Exchange> {
  if (accepted(create)) await kept(target, 'create', [create]);
  return create;
}

/** The operations of the first tour of the run, and a create before it. A repeated check makes another tour. */
export async function operationsAtStart(target: Target): Promise<readonly Exchange[]> {
  const noted = [...(await kept(target, 'create', [])), ...(await kept(target, 'tour', []))];
  return noted.length > 0 ? noted : (await tour(target)).operations;
}
