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

/** The most pairs that are asked again. */
const MOST_AGAIN = 2;

/** A refusal of a name, or of one that counts as taken. Any other answer needs another look. */
const REFUSALS = [422, 409];

/**
 * Takes many names through the life of a tag, several at a time: one list shows all of them. Each is the name of a create
 * in one round, and that of an update in another. A pair that does not do as expected is asked again by itself, which
 * alone decides.
 *
 * Lists have to be whole.
 *
 * @param nameOf makes a name of a form.
 * @param askAgain asks one pair by itself.
 */
export async function askMany(
  target: Target,
  forms: readonly string[],
  nameOf: (form: string) => string,
  askAgain: (pair: Pair) => Promise<Outcome>,
): Promise<Outcome> {
  const [first, second] = halves(forms);
  const pairs = first.map((form, at) => [form, second[at] ?? []].flat());
  const outcomes: Outcome[] = [];
  for (const round of [pairs, pairs.map((pair) => pair.toReversed())]) {
    const odd = target.facts.room < round.length ? round : await oddAmong(target, round, nameOf);
    await target.removeTags();
    for (const pair of odd.slice(0, MOST_AGAIN - outcomes.length)) {
      const outcome = await askAgain(pair);
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

/** The pairs whose create, update or delete is answered in an unusual way, or whose names are not listed as they should be. */
async function oddAmong(
  target: Target,
  pairs: readonly Pair[],
  nameOf: (form: string) => string,
): Promise<readonly Pair[]> {
  const odd = new Set<Pair>();
  const noteAnswer = (pair: Pair, exchange: Exchange): void => {
    if (!accepted(exchange) && !REFUSALS.includes(statusOf(exchange))) odd.add(pair);
  };
  const noteKept = async (courses: readonly Course[]): Promise<void> => {
    const keeps = ({ tagId, name }: Course, entries: readonly Listed[]): boolean =>
      entries.some(
        (entry) => entry.tagId === tagId && typeof entry.name === 'string' && isFormOf(entry.name, name),
      );
    const { seen } = await target.until(
      async () => {
        const list = await target.list();
        return { entries: listedIn(list) ?? [], exchanges: [list] };
      },
      ({ entries }) => courses.every((course) => keeps(course, entries)),
      // The pair decides that is asked by itself.
      { late: 'ignored' },
    );
    for (const course of courses) if (!keeps(course, seen.entries)) odd.add(course.pair);
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
  await noteKept(courses);
  const updated = await Promise.all(
    courses.map(async (course): Promise<Course[]> => {
      if (odd.has(course.pair)) return [];
      const name = nameOf(course.pair[1] ?? course.pair[0] ?? '');
      const update = await target.rename(course.tagId, { name });
      noteAnswer(course.pair, update);
      return accepted(update) ? [{ ...course, name }] : [];
    }),
  );
  await noteKept(updated.flat());
  await Promise.all(
    courses.map(async ({ pair, tagId }) => {
      if (!odd.has(pair)) noteAnswer(pair, await target.delete(tagId));
    }),
  );
  return pairs.filter((pair) => odd.has(pair));
}
