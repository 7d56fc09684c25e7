import { broken, createdIn, type Exchange, type Outcome, quote, type Target } from '../../lib/check.ts';
import { create, judgeAnswers, judgeLists, tagsIn, withHistory, type Create } from './creates.ts';
import { fateOf, letter, type Asked } from './history.ts';

/** Creates and renames in two accounts at once, and looks whether each has its own tags and none of the other's. */
export async function workInBoth(target: Target, count: number): Promise<Outcome> {
  const { second } = target;
  // Their tokens first: a login takes longer than what is to overlap.
  await Promise.all([target.token(), second.token()]);
  const pairs = await target.simultaneously(() =>
    Promise.all(
      Array.from({ length: count }, (_, at) =>
        Promise.all([create(target, at, ' in one account'), create(second, at, ' in the other')]),
      ),
    ),
  );
  const ours = pairs.map(([one]) => one);
  const theirs = pairs.map(([, other]) => other);
  const sides = [
    { account: target, own: ours, others: theirs, who: 'one account' },
    { account: second, own: theirs, others: ours, who: 'the other' },
  ];
  /** New names; undefined where nobody knows whether the update was carried out. */
  const names = new Map<Create, string | undefined>();
  const renames = await target.simultaneously(() =>
    Promise.all(
      sides.map(async ({ account, own, who }): Promise<Asked[]> => {
        const [first] = own;
        const tagId = first === undefined ? undefined : createdIn(first.exchange)?.tagId;
        if (first === undefined || tagId === undefined) return [];
        const name = account.name();
        const exchange = await account.rename(tagId, { name });
        const fate = fateOf(exchange);
        if (fate !== 'not done') names.set(first, fate === 'done' ? name : undefined);
        return [{ what: `rename A to ${letter(count)} in ${who}`, exchange }];
      }),
    ),
  );
  const asked = [...ours, ...theirs, ...renames.flat()];
  const answered = judgeAnswers([...ours]) ?? judgeAnswers([...theirs]) ?? judgeEchoes([...ours, ...theirs]);
  if (answered !== undefined) return withHistory(answered, asked);
  const lists = await target.simultaneously(() => Promise.all(sides.map(({ account }) => account.list())));
  for (const [at, { account, own, others, who }] of sides.entries()) {
    const list = lists[at] as Exchange;
    const foreign = tagsIn(list).find(({ name }) =>
      others.some((one) => name === one.name || name === names.get(one)),
    );
    const wrong =
      foreign === undefined
        ? await judgeLists(
            account,
            own.filter((one) => !names.has(one) || names.get(one) !== undefined),
            (one) => names.get(one) ?? one.name,
            list,
          )
        : broken(
            `the list of ${who} shows the tag ${quote(foreign.name)}, which was made in another at the same time`,
            ...asked.map(({ exchange }) => exchange),
            list,
          );
    if (wrong !== undefined) return withHistory(wrong, asked);
  }
  return withHistory(undefined, asked);
}

/** Whether no answer belongs to a request of the other account. Each may count its tags by itself. */
const judgeEchoes = (creates: readonly Create[]): Outcome | undefined => {
  const one = creates.find(({ name, exchange }) => {
    const echo = createdIn(exchange)?.name;
    return echo !== name && creates.some((other) => other.name === echo);
  });
  return one === undefined
    ? undefined
    : broken(
        `the create of ${quote(one.name)} is answered with what another account had sent at the same time`,
        one.exchange,
      );
};
