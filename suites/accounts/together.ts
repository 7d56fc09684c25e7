import {
  allOf,
  broken,
  type Exchange,
  generated,
  holds,
  listedIn,
  type Outcome,
  quote,
  type Requirement,
  statusOf,
  type Tag,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { listBothAccounts, type Private } from './both-lists.ts';
import { isTag } from './namesakes.ts';
import { makeOdd } from './odd-name.ts';
import { OTHER_LETTERS, showsNamed } from '../listed-tags.ts';
import { lackOfTags } from '../spare-account.ts';
import { isLawful } from '../taken-names.ts';

/** Why requirements about two accounts are derived. */
export const SEPARATE =
  'The API is for one account (1), and a token is a substitute for the username and password of one account (5).';

async function stayPrivate(target: Target, which: 'whole' | 'filtered'): Promise<Outcome> {
  const { lists } = await listBothAccounts(target);
  const outcome = allOf(...lists.flatMap((one) => one[which].map((list) => showsNoneOf(list, one))));
  if (outcome.kind !== 'broken') return outcome;
  const [ofFirst, ofSecond] = await Promise.all([target.token(), target.second.token()]);
  return ofFirst.reveal() === ofSecond.reveal()
    ? { ...outcome, why: `the logins of both accounts gave the same token, and ${outcome.why}` }
    : outcome;
}

/**
 * Checks that the list of the second account, most likely empty now, shows no tag of the first account. Checks the same
 * of the list filtered by the unusual name of a tag.
 */
async function emptyIsPrivate(target: Target): Promise<Outcome> {
  const odd = await makeOdd(target);
  const ours = target.facts.tags.filter(({ isAlive, tagId }) => isAlive && tagId !== odd?.tagId);
  const foreign = [
    ...(ours.length > 0 ? ours : [await target.makeTag()]),
    ...(odd === undefined ? [] : [odd]),
  ];
  // A cache that ignores the account now holds the list of the first account.
  await target.list();
  const list = await target.second.list();
  // Both accounts may have tags with common names, such as one letter or word.
  const isPlain = ({ name }: Tag): boolean => generated.ownLettersIn(name) !== undefined;
  const none: Private = { whose: 'second', foreign: foreign.filter(isPlain), whole: [], filtered: [] };
  const outcome = showsNoneOf(list, none);
  if (odd === undefined || outcome.kind !== 'holds') return outcome;
  await target.list(odd.name);
  const filtered = await target.second.list(odd.name);
  return listedIn(filtered) === undefined ? outcome : showsNoneOf(filtered, none);
}

/** Checks that the filter by the name of a tag leaves out the tag of another name in the second account, as in the first. */
async function filtersAlike(target: Target): Promise<Outcome> {
  const { lists, tags } = await listBothAccounts(target);
  const { ours, theirs } = tags;
  // Each account was filtered by `ours` first and by `theirs` second.
  const byOurs = lists.find(({ whose }) => whose === 'second')?.filtered[0];
  const byTheirs = lists.find(({ whose }) => whose === 'first')?.filtered[1];
  if (theirs === undefined || byOurs === undefined || byTheirs === undefined) return holds();
  // The specification leaves open which similar names a filter finds, in either direction.
  if (!showsNamed(byOurs, theirs) || listedIn(byTheirs) === undefined || showsNamed(byTheirs, ours))
    return holds();
  const { second } = target;
  const unlike = await second.makeTag(second.names.lettersOf(OTHER_LETTERS));
  const list = await second.list(ours.name);
  return showsNamed(list, unlike)
    ? broken(
        `in the second account the filter by ${quote(ours.name)} finds the tags ${quote(theirs.name)} and ${quote(unlike.name)}, but in the first account the filter by ${quote(theirs.name)} does not find ${quote(ours.name)}`,
        byTheirs,
        list,
      )
    : holds();
}

function showsNoneOf(list: Exchange, { whose, foreign }: Private): Outcome {
  const entries = listedIn(list);
  if (entries === undefined)
    return undecided('failure', `the list of the ${whose} account ${whatCame(list)}`, list);
  const shown = foreign.find(({ tagId, name, own }) =>
    entries.some(
      // Each account may number its own tags, so both tags of the same name may have the same tag_id. An earlier check
      // may have left other tags with that name.
      (entry) => entry.name === name && entry.tagId === tagId && tagId !== own,
    ),
  );
  return shown === undefined
    ? holds()
    : broken(
        `the list of the ${whose} account shows the tag ${quote(shown.name)} of the ${whose === 'first' ? 'second' : 'first'}`,
        list,
      );
}

/** Requirements about what the lists of two accounts show of each other. */
export const privateLists: readonly Requirement[] = [
  {
    id: 'account/list-is-private',
    section: '1',
    sentences: ['1/account'],
    level: 'derived',
    derivation: SEPARATE,
    text: "The list of one account never shows another's tags.",
    cause:
      'The query for the list leaves out the account, or requests that overlap share a variable with the account.',
    // The check runs alone, so that the second account has only strangers' tags.
    when: 'calm',
    // Any list of the run may show them.
    signs: ['list-of-another'],
    tags: 3,
    check: async (target) => {
      const outcome = await stayPrivate(target, 'whole');
      return outcome.kind === 'holds' && target.settings.effort !== 'quick'
        ? emptyIsPrivate(target)
        : outcome;
    },
  },
  {
    id: 'account/filter-is-private',
    effort: 'standard',
    section: '1',
    sentences: ['1/account'],
    level: 'derived',
    derivation: SEPARATE,
    text: "The filtered list of one account never shows another's tags, and leaves out tags of other names in both.",
    cause:
      'The filter and the account are joined by "or", or the filter uses a separate query, or is left out in one account.',
    tags: 1,
    check: async (target) => allOf(await stayPrivate(target, 'filtered'), await filtersAlike(target)),
  },
];

export const sameName: Requirement = {
  id: 'account/same-name',
  effort: 'standard',
  section: '1',
  sentences: ['1/account'],
  level: 'derived',
  derivation: SEPARATE,
  text: 'If both accounts have a tag of the same name, both are listed, and an update and a delete of one leave the other unchanged.',
  cause: 'The tag is written or listed by its name alone.',
  check: async (target) => {
    const { written, isSecondWorking, sameName: made, hidden } = await listBothAccounts(target);
    if (written !== undefined) return written;
    if (hidden !== undefined && isSecondWorking)
      return broken(
        'a create with the name of a tag of the first account was accepted in the second, but no list shows the tag',
        ...hidden,
      );
    const lack = isSecondWorking ? undefined : await lackOfTags(target);
    if (lack !== undefined) return lack.outcome;
    // Another status may be about the number of tags of the second account.
    if (made !== undefined && !isTag(made) && statusOf(made) >= 500 && !isLawful(made))
      return broken(
        `${whatCame(made)} to a create with a name that another account uses, neither 200 nor 422`,
        made,
      );
    return made === undefined || isTag(made)
      ? undecided('failure', 'the second account cannot make a tag with the name of a tag of the first')
      : undecided('choice', 'no tag has the name of a tag of another account', made);
  },
};

export const namesAreItsOwn: Requirement = {
  id: 'account/names-are-its-own',
  effort: 'standard',
  section: '1',
  sentences: ['1/account'],
  level: 'advisory',
  text: 'Two accounts can each have a tag of the same name.',
  cause: 'The index that keeps names unique leaves out the account.',
  check: async (target) => {
    const { isSecondWorking, sameName, isSecondFull } = await listBothAccounts(target);
    const lack = isSecondWorking ? undefined : await lackOfTags(target);
    if (lack !== undefined) return lack.outcome;
    if (sameName === undefined || !isSecondWorking)
      return undecided('failure', 'the second account cannot make a tag');
    if (isTag(sameName)) return holds();
    return isSecondFull === true
      ? undecided('choice', 'the second account has no room for another tag', sameName)
      : broken(`${whatCame(sameName)} to a create with a name that another account uses`, sameName);
  },
};
