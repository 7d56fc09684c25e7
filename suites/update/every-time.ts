import {
  accepted,
  broken,
  holds,
  type Outcome,
  type Requirement,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { inSecondAccount } from '../other-tokens.ts';
import { inKeptCase } from './any-name.ts';
import { filterFollows, makeAgain } from './effect.ts';

/** An index may keep a former name that begins with the same letters as the new one. */
const SAME_START = 5;

/**
 * The same letters with the same start, and otherwise in an order that is not similar, because some filters find similar names.
 * No letter stands beside itself more often than before: some targets refuse repeated letters.
 */
function anagramOf(name: string): string {
  const [start, end] = [name.slice(0, SAME_START), name.slice(SAME_START).split('').toReversed().join('')];
  const [first = '', ...others] = end;
  return start + (start.endsWith(first) ? others.join('') + first : end);
}

/** Whether an update of another tag takes effect. */
async function isUpdated(target: Target): Promise<boolean> {
  const { tagId } = await target.makeTag();
  const name = target.name();
  return accepted(await target.rename(tagId, { name })) && (await target.untilListed(tagId, name)).good;
}

const TAGS = 3;

/**
 * Updates a tag to one name after another, and looks for each in lists.
 *
 * @param account the first account.
 */
async function updateRepeatedly(target: Target, account: Target): Promise<Outcome> {
  const first = target.name();
  // The tag's first name is the end of the next one.
  const end = target.names.extended(inKeptCase(first.slice(1), first), '');
  const tag = await target.makeTag(end);
  let before = tag.name;
  // Some code ignores the order of letters when it compares names.
  const anagram = target.names.extended(anagramOf(first), '');
  for (const [time, name] of [first, anagram, first, tag.name].entries()) {
    const exchange = await target.rename(tag.tagId, { name });
    if (!accepted(exchange)) {
      if (time === 0) return undecided('failure', `the update ${whatCame(exchange)}`, exchange);
      const again = time >= 2 ? await makeAgain(target, tag) : undefined;
      return again === undefined || accepted(again)
        ? broken(`update ${time + 1} of the same tag ${whatCame(exchange)}`, exchange)
        : undecided('choice', 'a name that a tag has had stays taken', exchange, again);
    }
    const { seen, good } = await target.untilListed(tag.tagId, name);
    // Other requirements report updates that never have an effect.
    if (!good && time === 0 && !(await isUpdated(account)))
      return undecided('failure', 'the first update has no effect', exchange);
    if (!good)
      return broken(
        `update ${time + 1} of the same tag ${whatCame(exchange)}, but has no effect`,
        exchange,
        ...seen.exchanges,
      );
    // An index may be updated only the first few times.
    const followed = time === 2 ? await filterFollows(target, { ...tag, name: before }, name, seen) : holds();
    if (followed.kind !== 'holds') return followed;
    before = name;
  }
  return holds();
}

export const everyTime: Requirement = {
  id: 'update/every-time',
  effort: 'standard',
  section: '4.3',
  sentences: ['4.3/path'],
  level: 'derived',
  derivation:
    'Each confirmed update (4.3) gives the tag a new name, however often it is updated and whatever names it has had.',
  text: 'A tag can be updated repeatedly, to a name that it had before, and back to its first name.',
  cause:
    'A cache or a version of the record is left from an earlier update, or an update that repeats an earlier one is skipped.',
  tags: TAGS,
  // A fault may affect one account only, and most other checks update tags of the first.
  check: (account) => inSecondAccount(account, TAGS, (target) => updateRepeatedly(target, account)),
};
