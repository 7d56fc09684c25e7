import {
  accepted,
  allOf,
  broken,
  createdIn,
  type Exchange,
  holds,
  ifDecided,
  type Listed,
  listedIn,
  type Outcome,
  statusOf,
  type Target,
  whatCame,
} from '../../lib/check.ts';
import { formsSent } from './forms.ts';
import { longestAccepted } from '../open/name-length.ts';
import { shows, showsNamed } from '../listed-tags.ts';
import { isFormOf } from './kept-form.ts';
import { queryable } from './sizes.ts';
import { describeName } from './wording.ts';

/** The forms of the names of one tag: that of its create, then those of its updates. */
type Row = readonly string[];

/**
 * The number of steps that the budget allows. It is decided once in a run, so that a repeated check sends the same
 * requests.
 *
 * @param id the id of the requirement.
 * @param requests the number that a step takes, including its share of the lists, and the number kept for later checks.
 */
export async function stepsWithin(
  target: Target,
  id: string,
  requests: { readonly each: number; readonly kept: number },
): Promise<number> {
  const hasLongNames = ((await longestAccepted(target)) ?? 0) > USUALLY_LONGEST;
  const { hasMetOdd } = await formsSent(target);
  const kept =
    requests.kept + (hasLongNames ? KEPT_FOR_LONG_NAMES : 0) + (hasMetOdd ? KEPT_FOR_ODD_FORMS : 0);
  return target.shared(`how many steps ${id} takes`, 0, ({ facts }) =>
    Promise.resolve(Math.max(0, Math.floor((facts.requestsLeft - kept) / requests.each))),
  );
}

/** If longer names are accepted, more lengths are sent afterwards. */
const USUALLY_LONGEST = 255;
const KEPT_FOR_LONG_NAMES = 12;

/** Forms of names that must be checked again take requests of their own. */
const KEPT_FOR_ODD_FORMS = 40;

/** Divides rows into rounds of at most so many. */
export const roundsOf = (rows: readonly Row[], most: number): readonly (readonly Row[])[] =>
  Array.from({ length: Math.ceil(rows.length / most) }, (_, at) => rows.slice(at * most, (at + 1) * most));

interface RoundOptions {
  /** Makes a name of a form. */
  readonly nameOf: (form: string) => string;
  /** The forms whose names are also sent as a filter, each once. */
  readonly sought: ReadonlySet<string>;
  /** Whether the names may count as taken. */
  readonly mayBeTaken?: boolean;
  /** A list of all tags before the first create. Needed only for names that strangers may use as well. */
  readonly before?: Exchange;
  /** Checks two forms alone: the form of a create or an update, and that of the next update. */
  readonly checkAgain: (pair: Row) => Promise<Outcome>;
}

/** A row in which something unexpected happened. */
interface OddRow {
  /** The forms to check again alone. */
  readonly pair: Row;
  /** A finding that counts if they cannot be checked again. */
  readonly finding?: Outcome | undefined;
}

type Odd = Map<Row, OddRow>;

/** How many odd rows are checked again, each without the other rows. */
const MOST_AGAIN = 2;

/**
 * Whether the answer to a create, an update or a delete is unexpected.
 *
 * @param mayBeTaken whether the name may count as taken.
 */
export const isOddAnswer = (exchange: Exchange, mayBeTaken = false): boolean =>
  !accepted(exchange) && statusOf(exchange) !== 422 && !(mayBeTaken && statusOf(exchange) === 409);

/**
 * Creates, updates and deletes tags with many names, in rounds: one list shows all names of a round. The first name of
 * a row is that of the create, the others are those of updates. Where something unexpected happens, the two forms
 * concerned are checked again alone, and only that check decides.
 *
 * Call it only if lists show all tags.
 */
export async function checkRounds(
  target: Target,
  rounds: readonly (readonly Row[])[],
  how: RoundOptions,
): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  const unsought = new Set(how.sought);
  for (const round of rounds) {
    const odd: Odd =
      target.facts.room < round.length
        ? new Map(round.map((row) => [row, { pair: row }]))
        : await oddAmong(target, round, how, unsought);
    await target.removeTags();
    for (const { pair, finding } of [...odd.values()].slice(0, MOST_AGAIN - outcomes.length)) {
      const again = (): Promise<Outcome> => how.checkAgain(pair);
      const outcome = finding === undefined ? await again() : ((await ifDecided(again)) ?? finding);
      if (outcome.kind === 'broken') return outcome;
      outcomes.push(outcome);
    }
  }
  return allOf(holds(), ...outcomes);
}

/** A tag between its create and its delete. */
interface Course {
  readonly row: Row;
  readonly tagId: string;
  readonly name: string;
  readonly create: Exchange;
}

/**
 * The finding that a create of a common name made a tag of another name. The run makes no second tag of that name, because it
 * cannot tell such a tag from those of strangers.
 *
 * @param before a list before the create: a tag that it does not show is not the tag of a stranger.
 */
function misnamed(
  { tagId, name, create }: Course,
  list: Exchange,
  before: Exchange | undefined,
): Outcome | undefined {
  // After an update, the tag may lawfully have another name than its create gave.
  if (create.ask.body !== JSON.stringify({ name })) return undefined;
  const answered = createdIn(create)?.name;
  const isShown = showsNamed(list, { tagId, name: String(answered) });
  if (before === undefined || shows(before, { tagId }) || !isShown || isFormOf(String(answered), name))
    return undefined;
  return broken(
    // The name is not told: it may be that of a stranger.
    `the create with ${describeName(name)} ${whatCame(create)} with a tag of another name, which the list before did not show`,
    before,
    create,
    list,
  );
}

/**
 * The rows in which a create, an update or a delete has an unexpected answer, a list lacks a name, or the filter does
 * not find one.
 *
 * @param unsought the forms whose names are still to be sent as a filter.
 */
async function oddAmong(
  target: Target,
  rows: readonly Row[],
  { nameOf, mayBeTaken, before }: RoundOptions,
  unsought: Set<string>,
): Promise<Odd> {
  const odd: Odd = new Map();
  // The index of the current form in its row.
  let at = 0;
  const note = (row: Row, finding?: Outcome): void =>
    void odd.set(row, { pair: row.slice(at, at + 2), finding: finding ?? odd.get(row)?.finding });
  const noteAnswer = (row: Row, exchange: Exchange): void => {
    if (isOddAnswer(exchange, mayBeTaken)) note(row);
  };
  const keptNames = async (courses: readonly Course[]): Promise<readonly Course[]> => {
    const keptIn = (entries: readonly Listed[]): Course[] =>
      courses.flatMap((course) => {
        const name = entries.find(({ tagId }) => tagId === course.tagId)?.name;
        // A name in another letter case is checked alone, unless the target is known to keep names in one.
        const hasCase = target.names.inKeptCase(course.name).every((form) => form === course.name);
        return typeof name === 'string' && isFormOf(name, course.name, { hasCase })
          ? [{ ...course, name }]
          : [];
      });
    const { seen } = await target.until(
      async () => {
        const list = await target.list();
        return { kept: keptIn(listedIn(list) ?? []), list, exchanges: [list] };
      },
      (look) => look.kept.length === courses.length,
      // A late effect is not recorded here: the check of the pair alone decides.
      { late: 'ignored' },
    );
    for (const course of courses) {
      const { row, name } = course;
      if (seen.kept.some((one) => one.row === row)) continue;
      note(row, misnamed(course, seen.list, before));
      // If the filtered list shows the right name, the unfiltered list is at fault. The run notices that the two differ.
      if (queryable(name).length > 0) await target.list(name);
    }
    return seen.kept;
  };
  const seek = async (
    courses: readonly Course[],
    formOf: (row: Row) => string | undefined,
  ): Promise<void> => {
    const sought = courses.filter(({ row }) => unsought.delete(formOf(row) ?? ''));
    await Promise.all(
      sought.map(async ({ row, tagId, name }) => {
        const found = listedIn(await target.list(name));
        if (found?.some((entry) => entry.tagId === tagId && entry.name === name) !== true) note(row);
      }),
    );
  };
  const made = await Promise.all(
    rows.map(async (row): Promise<Course[]> => {
      const name = nameOf(row[0] ?? '');
      const create = await target.create({ name });
      noteAnswer(row, create);
      const tagId = createdIn(create)?.tagId;
      if (accepted(create) && tagId === undefined) note(row);
      return tagId === undefined ? [] : [{ row, tagId, name, create }];
    }),
  );
  const courses = made.flat();
  await seek(await keptNames(courses), (row) => row[0]);
  const updates = Math.max(...rows.map(({ length }) => length - 1));
  for (; at < updates; at++) {
    const updated = await Promise.all(
      courses.map(async (course): Promise<Course[]> => {
        const { row, tagId } = course;
        const form = row[at + 1];
        if (odd.has(row) || form === undefined) return [];
        const name = nameOf(form);
        const update = await target.rename(tagId, { name });
        noteAnswer(row, update);
        return accepted(update) ? [{ ...course, name }] : [];
      }),
    );
    await seek(await keptNames(updated.flat()), (row) => row[at + 1]);
  }
  at = Math.max(0, updates - 1);
  await Promise.all(
    courses.map(async ({ row, tagId }) => {
      if (!odd.has(row)) noteAnswer(row, await target.delete(tagId));
    }),
  );
  return odd;
}
