import {
  accepted,
  allOf,
  createdIn,
  type Exchange,
  holds,
  type Listed,
  listedIn,
  type Outcome,
  statusOf,
  type Target,
} from '../../lib/check.ts';
import { isFormOf } from './kept-form.ts';
import { halves } from './pieces.ts';

/** The form of the name that a tag is made with, and of the one that it is updated to. */
type Pair = readonly string[];

/**
 * How many forms are taken through the life of a tag together, where the requests suffice: all of them make pairs. The
 * number stays the same for the run, so that another attempt asks the same.
 *
 * @param id the requirement that asks.
 * @param requests what one pair takes in both rounds, and what is kept for what is asked later.
 */
export function manyWithin(
  target: Target,
  id: string,
  requests: { readonly each: number; readonly kept: number },
): Promise<number> {
  return target.shared(`how many forms ${id} asks`, 0, ({ facts }) =>
    Promise.resolve(2 * Math.max(0, Math.floor((facts.requestsLeft - requests.kept) / requests.each))),
  );
}

interface How {
  /** Makes a name of a form. */
  readonly nameOf: (form: string) => string;
  /** Whether the filter is asked for the name of each create. */
  readonly isSought: boolean;
  /** Asks one pair by itself. */
  readonly askAgain: (pair: Pair) => Promise<Outcome>;
}

/** The most pairs that are asked again. */
const MOST_AGAIN = 2;

/** A refusal of a name, or of one that counts as taken. Any other answer needs another look. */
const REFUSALS = [422, 409];

/** Whether the answer to a request about a tag needs another look. */
export const isOddAnswer = (exchange: Exchange): boolean =>
  !accepted(exchange) && !REFUSALS.includes(statusOf(exchange));

/**
 * Takes many names through the life of a tag, several at a time: one list shows all of them. Each is the name of a create
 * in one round, and that of an update in another. A pair that does not do as expected is asked again by itself, which
 * alone decides.
 *
 * Lists have to be whole.
 */
export async function askMany(target: Target, forms: readonly string[], how: How): Promise<Outcome> {
  const [first, second] = halves(forms);
  const pairs = first.map((form, at) => [form, second[at] ?? []].flat());
  const outcomes: Outcome[] = [];
  for (const round of [pairs, pairs.map((pair) => pair.toReversed())]) {
    const odd = target.facts.room < round.length ? round : await oddAmong(target, round, how);
    await target.removeTags();
    for (const pair of odd.slice(0, MOST_AGAIN - outcomes.length)) {
      const outcome = await how.askAgain(pair);
      if (outcome.kind === 'broken') return outcome;
      outcomes.push(outcome);
    }
  }
  return allOf(holds(), ...outcomes);
}

/** A tag on its way. */
interface Course {
  readonly pair: Pair;
  readonly tagId: string;
  readonly name: string;
}

/**
 * The pairs whose create, update or delete is answered in an unusual way, whose names are not listed as they should be, or
 * whose first name the filter does not find.
 */
async function oddAmong(
  target: Target,
  pairs: readonly Pair[],
  { nameOf, isSought }: How,
): Promise<readonly Pair[]> {
  const odd = new Set<Pair>();
  const noteAnswer = (pair: Pair, exchange: Exchange): void => {
    if (isOddAnswer(exchange)) odd.add(pair);
  };
  const keptNames = async (courses: readonly Course[]): Promise<readonly Course[]> => {
    const keptIn = (entries: readonly Listed[]): Course[] =>
      courses.flatMap((course) => {
        const name = entries.find(({ tagId }) => tagId === course.tagId)?.name;
        return typeof name === 'string' && isFormOf(name, course.name) ? [{ ...course, name }] : [];
      });
    const { seen } = await target.until(
      async () => {
        const list = await target.list();
        return { kept: keptIn(listedIn(list) ?? []), exchanges: [list] };
      },
      (look) => look.kept.length === courses.length,
      // The pair decides that is asked by itself.
      { late: 'ignored' },
    );
    for (const { pair } of courses) if (!seen.kept.some((one) => one.pair === pair)) odd.add(pair);
    return seen.kept;
  };
  const made = await Promise.all(
    pairs.map(async (pair): Promise<Course[]> => {
      const name = nameOf(pair[0] ?? '');
      const create = await target.create({ name });
      noteAnswer(pair, create);
      const tagId = createdIn(create)?.tagId;
      if (accepted(create) && tagId === undefined) odd.add(pair);
      return tagId === undefined ? [] : [{ pair, tagId, name }];
    }),
  );
  const courses = made.flat();
  const kept = await keptNames(courses);
  await Promise.all(
    (isSought ? kept : []).map(async ({ pair, tagId, name }) => {
      const found = listedIn(await target.list(name));
      if (found?.some((entry) => entry.tagId === tagId && entry.name === name) !== true) odd.add(pair);
    }),
  );
  const updated = await Promise.all(
    courses.map(async (course): Promise<Course[]> => {
      if (odd.has(course.pair)) return [];
      const name = nameOf(course.pair[1] ?? course.pair[0] ?? '');
      const update = await target.rename(course.tagId, { name });
      noteAnswer(course.pair, update);
      return accepted(update) ? [{ ...course, name }] : [];
    }),
  );
  await keptNames(updated.flat());
  await Promise.all(
    courses.map(async ({ pair, tagId }) => {
      if (!odd.has(pair)) noteAnswer(pair, await target.delete(tagId));
    }),
  );
  return pairs.filter((pair) => odd.has(pair));
}
