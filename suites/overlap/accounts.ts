import { broken, createdIn, type Exchange, type Outcome, quote, type Target } from '../../lib/check.ts';
import { tagsIn } from '../listed-tags.ts';
import { create, judgeAnswers, judgeLists, type Create, withOthers } from './creates.ts';
import { effectOf, letterOf, withTimeline, type TimedRequest } from './history.ts';

/** One of the two accounts, with its own creates and those of the other account. */
interface Side {
  readonly account: Target;
  readonly own: readonly Create[];
  readonly others: readonly Create[];
  readonly title: string;
}

/** The new names of renamed tags, by their creates; undefined if it is unknown whether the update took effect. */
type NewNames = Map<Create, string | undefined>;

/**
 * Creates and renames tags in both accounts at the same time, and checks that the list of each shows its own tags only.
 */
export async function useBothAccounts(target: Target, count: number): Promise<Outcome> {
  const { second } = target;
  // The tokens are fetched first, because a login would delay requests that must overlap.
  await Promise.all([target.token(), second.token()]);
  const pairs = await target.run('simultaneously', () =>
    Promise.all(
      Array.from({ length: count }, (_, at) =>
        Promise.all([create(target, at, ' in one account'), create(second, at, ' in the other')]),
      ),
    ),
  );
  const ours = pairs.map(([one]) => one);
  const theirs = pairs.map(([, other]) => other);
  const sides: readonly Side[] = [
    { account: target, own: ours, others: theirs, title: 'one account' },
    { account: second, own: theirs, others: ours, title: 'the other' },
  ];
  const newNames: NewNames = new Map();
  const renames = await target.run('simultaneously', () =>
    Promise.all(sides.map((side) => renameFirst(side, letterOf(count), newNames))),
  );
  const requests = [...ours, ...theirs, ...renames.flat()];
  const wrongAnswer = judgeAnswers(ours) ?? judgeAnswers(theirs) ?? judgeEchoes([...ours, ...theirs]);
  if (wrongAnswer !== undefined) return withTimeline(wrongAnswer, requests);
  const listed = await target.run('simultaneously', () =>
    Promise.all(sides.map(async (side) => ({ ...side, list: await side.account.list() }))),
  );
  for (const { list, ...side } of listed) {
    const wrongList = await judgeSide(side, list, newNames, requests);
    if (wrongList !== undefined) return withTimeline(wrongList, requests);
  }
  return withTimeline(undefined, requests);
}

/**
 * Updates the first tag of an account.
 *
 * @param letter the letter for the new name in the timeline.
 * @param newNames the map to which the new name is added.
 */
async function renameFirst(
  { account, own: [first], title }: Side,
  letter: string,
  newNames: NewNames,
): Promise<TimedRequest[]> {
  const tagId = first === undefined ? undefined : createdIn(first.exchange)?.tagId;
  if (first === undefined || tagId === undefined) return [];
  const name = account.name();
  const exchange = await account.rename(tagId, { name });
  const effect = effectOf(exchange);
  if (effect !== 'not done') newNames.set(first, effect === 'done' ? name : undefined);
  return [{ label: `update A to ${letter} in ${title}`, exchange }];
}

/** Checks that the list of an account shows its own tags and none of the other's. */
async function judgeSide(
  { account, own, others, title }: Side,
  list: Exchange,
  newNames: ReadonlyMap<Create, string | undefined>,
  requests: readonly TimedRequest[],
): Promise<Outcome | undefined> {
  const foreign = tagsIn(list).find(({ name }) =>
    others.some((one) => name === one.name || name === newNames.get(one)),
  );
  if (foreign !== undefined)
    return broken(
      `the list of ${title} shows the tag ${quote(foreign.name)}, which was made in another account at the same time`,
      ...requests.map(({ exchange }) => exchange),
      list,
    );
  const known = own.filter((one) => !newNames.has(one) || newNames.get(one) !== undefined);
  return judgeLists(account, known, (one) => newNames.get(one) ?? one.name, list);
}

/**
 * Checks that no create was answered with a name of the other account. The tag_ids prove nothing, because both accounts
 * may have the same ones.
 */
const judgeEchoes = (creates: readonly Create[]): Outcome | undefined => {
  const wrong = creates.find(({ name, exchange }) => {
    const echo = createdIn(exchange)?.name;
    return echo !== name && creates.some((other) => other.name === echo);
  });
  return wrong === undefined
    ? undefined
    : broken(
        `the create of ${quote(wrong.name)} is answered with the name that another account sent at the same time`,
        ...withOthers(creates, wrong),
      );
};
