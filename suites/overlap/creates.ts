import {
  broken,
  createdIn,
  type Exchange,
  type Listed,
  type Outcome,
  quote,
  type Target,
  whatCame,
} from '../../lib/check.ts';
import { tagsIn } from '../listed-tags.ts';
import { effectOf, letterOf, withTimeline, type TimedRequest } from './history.ts';

/** One of several creates that overlap. */
export interface Create extends TimedRequest {
  readonly name: string;
}

/**
 * Sends creates at the same time, and checks that each acknowledged one made exactly one tag, with a tag_id of its own.
 */
export async function createAtOnce(target: Target, count: number): Promise<Outcome> {
  const creates = await target.run('simultaneously', () =>
    Promise.all(Array.from({ length: count }, (_, at) => create(target, at))),
  );
  return withTimeline(judgeAnswers(creates) ?? (await judgeLists(target, creates)), creates);
}

/**
 * Sends one create with a new name.
 *
 * @param at the number of the create, which gives its name a letter in the timeline.
 * @param where what is added to the line in the timeline.
 */
export async function create(target: Target, at: number, where = ''): Promise<Create> {
  const name = target.name();
  return { name, label: `create ${letterOf(at)}${where}`, exchange: await target.create({ name }) };
}

/** Checks that each answer belongs to its own request, and that no tag_id is given twice. */
export function judgeAnswers(creates: readonly Create[]): Outcome | undefined {
  const names = new Set(creates.map(({ name }) => name));
  const byId = new Map<string, Create>();
  for (const one of creates) {
    const created = createdIn(one.exchange);
    if (created === undefined) continue;
    // Only the name of another request is wrong here. Other requirements check that a name is answered unchanged.
    if (created.name !== one.name && names.has(String(created.name)))
      return broken(
        `the create of ${quote(one.name)} is answered with ${quote(created.name)}, the name of another request at the same time`,
        one.exchange,
      );
    const other = byId.get(created.tagId);
    if (other !== undefined)
      return broken(
        `two creates at the same time are answered with the tag_id ${quote(created.tagId)}`,
        other.exchange,
        one.exchange,
      );
    byId.set(created.tagId, one);
  }
  return undefined;
}

/**
 * Checks that the lists show the tag of each acknowledged create once, and no tag of a refused one.
 *
 * @param currentName the name that the tag should have now.
 * @param firstList a list that was already requested.
 */
export async function judgeLists(
  target: Target,
  creates: readonly Create[],
  currentName = (one: Create): string => one.name,
  firstList?: Exchange,
): Promise<Outcome | undefined> {
  let given = firstList;
  const { seen, good } = await target.until(
    async () => {
      const list = given ?? (await target.list());
      given = undefined;
      const missing = creates.filter(
        (one) =>
          effectOf(one.exchange) === 'done' && !tagsIn(list).some(({ name }) => name === currentName(one)),
      );
      const filtered = await Promise.all(missing.map((one) => target.list(currentName(one))));
      const entries = new Map(
        [list, ...filtered].flatMap(tagsIn).map((tag) => [`${tag.tagId} ${String(tag.name)}`, tag]),
      );
      return { entries: [...entries.values()], exchanges: [list, ...filtered] };
    },
    ({ entries }) => creates.every((one) => faultOf(one, currentName(one), entries) === undefined),
  );
  if (good) return undefined;
  const wrong = creates.find((one) => faultOf(one, currentName(one), seen.entries) !== undefined);
  if (wrong === undefined) return undefined;
  return broken(
    `the create of ${quote(wrong.name)} at the same time as others ${whatCame(wrong.exchange)}, and ${faultOf(wrong, currentName(wrong), seen.entries)}`,
    wrong.exchange,
    ...seen.exchanges,
  );
}

/** What is wrong with the listed tags of one create, as a clause; undefined if nothing is wrong. */
function faultOf(one: Create, name: string, entries: readonly Listed[]): string | undefined {
  const found = entries.filter((tag) => tag.name === name);
  if (found.length > 1) return `${found.length} tags with the name are listed`;
  const [tag] = found;
  const effect = effectOf(one.exchange);
  if (effect === 'not done') return tag === undefined ? undefined : 'the tag is listed';
  if (effect === 'unknown') return undefined;
  if (tag === undefined) return 'the tag is not listed';
  const id = createdIn(one.exchange)?.tagId;
  return id === undefined || id === tag.tagId
    ? undefined
    : `the tag is listed under the tag_id ${quote(tag.tagId)}, not ${quote(id)}`;
}
