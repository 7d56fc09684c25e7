import {
  broken,
  createdIn,
  type Exchange,
  ifDecided,
  learn,
  type Listed,
  type Outcome,
  quote,
  type Target,
  whatCame,
} from '../../lib/check.ts';
import { tagsIn } from '../listed-tags.ts';
import { uniqueNames } from '../open/names.ts';
import { effectOf, letterOf, withTimeline, type TimedRequest } from './history.ts';

/** One of several creates that overlap. */
export interface Create extends TimedRequest {
  readonly name: string;
}

/** The most creates with a name at the same time. */
export const MOST = 4;

/** The two of several creates that have the same name. */
const TWINS: readonly number[] = [1, 3];

/**
 * Sends creates at the same time, and checks that each acknowledged one made exactly one tag, with a tag_id of its own. If two
 * tags may have the same name, two of `MOST` creates have it. With `MOST` creates, one more without a name is sent, whose
 * refusal must not undo the others.
 */
export async function createAtOnce(target: Target, count: number): Promise<Outcome> {
  const hasTwins =
    TWINS.every((at) => at < count) && (await ifDecided(() => learn(target, uniqueNames))) === 'no';
  const shared = hasTwins ? target.name() : undefined;
  const [creates] = await target.run('simultaneously', () =>
    Promise.all([
      Promise.all(
        Array.from({ length: count }, (_, at) =>
          create(target, at, '', TWINS.includes(at) ? shared : undefined),
        ),
      ),
      ...(count < MOST ? [] : [target.create({}, { open: true })]),
    ]),
  );
  return withTimeline(judgeAnswers(creates) ?? (await judgeLists(target, creates)), creates);
}

/**
 * Sends one create.
 *
 * @param at the number of the create, which gives its name a letter in the timeline.
 * @param where what is added to the line in the timeline.
 * @param shared the name of another create at the same time, which may be refused for that; by default a new name.
 */
export async function create(target: Target, at: number, where = '', shared?: string): Promise<Create> {
  const name = shared ?? target.name();
  const exchange = await target.create({ name }, shared === undefined ? {} : { open: true });
  return { name, label: `create ${letterOf(at)}${where}`, exchange };
}

/** The evidence of a finding about some of several creates: theirs first, then those of the others at the same time. */
export const withOthers = (creates: readonly Create[], ...wrong: readonly Create[]): Exchange[] =>
  [...new Set([...wrong, ...creates])].map(({ exchange }) => exchange);

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
        ...withOthers(creates, one),
      );
    const other = byId.get(created.tagId);
    if (other !== undefined)
      return broken(
        `two creates at the same time are answered with the tag_id ${quote(created.tagId)}`,
        ...withOthers(creates, other, one),
      );
    byId.set(created.tagId, one);
  }
  return undefined;
}

/**
 * Checks that the lists show the tag of each acknowledged create once, and no tag of a refused one. Creates may share a
 * name.
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
  const faultIn = (one: Create, entries: readonly Listed[]): string | undefined => {
    const name = currentName(one);
    const alike = creates.filter((other) => currentName(other) === name);
    return faultOf(
      one,
      alike,
      entries.filter((tag) => tag.name === name),
    );
  };
  const { seen, good } = await target.until(
    async () => {
      const list = given ?? (await target.list());
      given = undefined;
      const missing = creates.filter(
        (one) => effectOf(one.exchange) === 'done' && faultIn(one, tagsIn(list)) !== undefined,
      );
      const names = new Set(missing.map(currentName));
      const filtered = await Promise.all([...names].map((name) => target.list(name)));
      const entries = new Map(
        [list, ...filtered].flatMap(tagsIn).map((tag) => [`${tag.tagId} ${String(tag.name)}`, tag]),
      );
      return { entries: [...entries.values()], exchanges: [list, ...filtered] };
    },
    ({ entries }) => creates.every((one) => faultIn(one, entries) === undefined),
  );
  if (good) return undefined;
  const wrong = creates.find((one) => faultIn(one, seen.entries) !== undefined);
  if (wrong === undefined) return undefined;
  return broken(
    `the create of ${quote(wrong.name)} at the same time as others ${whatCame(wrong.exchange)}, and ${faultIn(wrong, seen.entries)}`,
    ...withOthers(creates, wrong),
    ...seen.exchanges,
  );
}

/**
 * What is wrong with the listed tags of one create, as a clause; undefined if nothing is wrong.
 *
 * @param alike all creates of the name.
 * @param found the listed tags of the name.
 */
function faultOf(one: Create, alike: readonly Create[], found: readonly Listed[]): string | undefined {
  const effects = alike.map(({ exchange }) => effectOf(exchange));
  const most = effects.filter((effect) => effect !== 'not done').length;
  if (found.length > Math.max(1, most)) return `${found.length} tags with the name are listed`;
  if (most === 0) return found.length === 0 ? undefined : 'the tag is listed';
  if (effectOf(one.exchange) !== 'done') return undefined;
  const id = createdIn(one.exchange)?.tagId;
  if (found.some(({ tagId }) => id === undefined || id === tagId)) return undefined;
  const [tag] = found;
  const isLost = found.length < effects.filter((effect) => effect === 'done').length;
  return isLost || tag === undefined
    ? 'the tag is not listed'
    : `the tag is listed under the tag_id ${quote(tag.tagId)}, not ${quote(id)}`;
}
