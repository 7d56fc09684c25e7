import {
  broken,
  createdIn,
  type Exchange,
  holds,
  type Listed,
  listedIn,
  type Outcome,
  quote,
  type Target,
  Undecided,
  whatCame,
} from '../../lib/check.ts';
import { fateOf, letter, timeline, type Asked } from './history.ts';

/** A create of several that overlap. */
export interface Create extends Asked {
  readonly name: string;
}

/** Creates so many tags at once, and looks whether each that was acknowledged is there, once and under its own tag_id. */
export async function createAtOnce(target: Target, count: number): Promise<Outcome> {
  const creates = await target.simultaneously(() => Promise.all(creating(target, count)));
  return withHistory(judgeAnswers(creates) ?? (await judgeLists(target, creates)), creates);
}

/** Sends creates, each with a name of its own. */
export const creating = (target: Target, count: number): Promise<Create>[] =>
  Array.from({ length: count }, (_, at) => create(target, at));

/** Sends one create; the number is that by which its name is told. */
export async function create(target: Target, at: number, who = ''): Promise<Create> {
  const name = target.name();
  return { name, what: `create ${letter(at)}${who}`, exchange: await target.create({ name }) };
}

export const withHistory = (outcome: Outcome | undefined, all: readonly Asked[]): Outcome => {
  if (outcome === undefined) return holds();
  return outcome.kind === 'broken' ? { ...outcome, example: { told: timeline(all), path: '' } } : outcome;
};

/** Whether each answer belongs to its own request, and no tag_id is given twice. */
export function judgeAnswers(creates: readonly Create[]): Outcome | undefined {
  const names = new Set(creates.map(({ name }) => name));
  const ids = new Map<string, Create>();
  for (const one of creates) {
    const created = createdIn(one.exchange);
    if (created === undefined) continue;
    // That a name comes back as it was sent is asked elsewhere: here, that it is not another request's.
    if (created.name !== one.name && names.has(String(created.name)))
      return broken(
        `the create of ${quote(one.name)} is answered with ${quote(created.name)}, which another request at the same time had sent`,
        one.exchange,
      );
    const twin = ids.get(created.tagId);
    if (twin !== undefined)
      return broken(
        `two creates at once are given the tag_id ${quote(created.tagId)}`,
        twin.exchange,
        one.exchange,
      );
    ids.set(created.tagId, one);
  }
  return undefined;
}

/**
 * Whether the lists show what was acknowledged, each once, and nothing that was refused.
 *
 * @param first a list that was asked for already.
 */
export async function judgeLists(
  target: Target,
  creates: readonly Create[],
  nameNow = (one: Create): string => one.name,
  first?: Exchange,
): Promise<Outcome | undefined> {
  let given = first;
  const { seen, good } = await target.until(
    async () => {
      const list = given ?? (await target.list());
      given = undefined;
      const missing = creates.filter(
        (one) => fateOf(one.exchange) === 'done' && !tagsIn(list).some(({ name }) => name === nameNow(one)),
      );
      const filtered = await Promise.all(missing.map((one) => target.list(nameNow(one))));
      const entries = new Map(
        [list, ...filtered].flatMap(tagsIn).map((tag) => [`${tag.tagId} ${String(tag.name)}`, tag]),
      );
      return { entries: [...entries.values()], exchanges: [list, ...filtered] };
    },
    ({ entries }) => creates.every((one) => wrongWith(one, nameNow(one), entries) === undefined),
  );
  if (good) return undefined;
  const wrong = creates.find((one) => wrongWith(one, nameNow(one), seen.entries) !== undefined);
  if (wrong === undefined) return undefined;
  return broken(
    `the create of ${quote(wrong.name)} beside others at the same time ${whatCame(wrong.exchange)}, and ${wrongWith(wrong, nameNow(wrong), seen.entries)}`,
    wrong.exchange,
    ...seen.exchanges,
  );
}

function wrongWith(one: Create, name: string, entries: readonly Listed[]): string | undefined {
  const found = entries.filter((tag) => tag.name === name);
  if (found.length > 1) return `${found.length} tags of the name are listed`;
  const [tag] = found;
  const fate = fateOf(one.exchange);
  if (fate === 'not done') return tag === undefined ? undefined : 'the tag is listed';
  if (fate === 'unknown') return undefined;
  if (tag === undefined) return 'the tag is not listed';
  const id = createdIn(one.exchange)?.tagId;
  return id === undefined || id === tag.tagId
    ? undefined
    : `the tag is listed under the tag_id ${quote(tag.tagId)}, not ${quote(id)}`;
}

/** @throws Undecided where the list cannot be read. */
export function tagsIn(list: Exchange): readonly Listed[] {
  const tags = listedIn(list);
  if (tags === undefined)
    throw new Undecided('failure', `the list ${whatCame(list)} and cannot be read`, list);
  return tags;
}
