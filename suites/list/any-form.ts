import {
  accepted,
  allOf,
  answers,
  broken,
  createdIn,
  type Exchange,
  holds,
  listedIn,
  type Outcome,
  quote,
  type Requirement,
  statusOf,
  type Tag,
  type Target,
  undecided,
  Undecided,
  whatCame,
} from '../../lib/check.ts';
import { shows, showsNamed } from '../listed-tags.ts';
import { swappedCase } from '../neighbours.ts';
import { filtersOf, narrowed, OF_FILTERS, OF_TAG } from './unlike-filters.ts';

/**
 * Characters that some collations ignore or treat as equal. The name of the tag consists of the first half, the filter
 * of the second, so they differ in every character.
 */
const SCRIPTS: readonly (readonly string[])[] = [
  '漢字好山水火木金土日月人口手足目',
  '😀😁😂😃😄😅😆😇🍣🍺🎉🎈🐶🐱🚗🚲',
  'กขคงจฉชซญฐดตถทนบ',
].map((text) => [...text]);

/** The number of scripts that every effort sends. */
const LIKELY_SCRIPTS = 2;

/** The length of a name in one script, in characters: short enough for any limit in UTF-16 units. */
const LENGTH_IN_SCRIPT = 7;

/** A new name of characters from one half of a script. */
function nameInScript({ names }: Target, chars: readonly string[], half: 'first' | 'second'): string {
  const letters = LETTERS_FOR_HALF.slice(0, chars.length / 2);
  const own = half === 'first' ? chars.slice(0, chars.length / 2) : chars.slice(chars.length / 2);
  const ownLetters = [...names.lettersOf(letters).toLowerCase()].slice(0, LENGTH_IN_SCRIPT);
  return names.extended(ownLetters.map((letter) => own[letters.indexOf(letter)] ?? '').join(''), '');
}

/** Letters for as many characters, of those that names may have. */
const LETTERS_FOR_HALF = 'bcdghjlm';

/** Checks that the filter by a name in a script does not find a name in the same script that differs in each character. */
async function inOneScript(target: Target): Promise<Outcome> {
  // The run recognises a tag without plain letters, and removes it, only if lists show such characters unchanged.
  const shown = target.names.endingIn('漢😀');
  const guard = createdIn(await target.create({ name: shown }));
  if (guard === undefined || !(await target.untilListed(guard.tagId, shown)).good) return holds();
  const tags = await Promise.all(
    (target.settings.effort === 'thorough' ? SCRIPTS : SCRIPTS.slice(0, LIKELY_SCRIPTS)).map(
      async (chars) => {
        const name = nameInScript(target, chars, 'first');
        const tagId = createdIn(await target.create({ name }))?.tagId;
        return { chars, name, tagId };
      },
    ),
  );
  const outcomes = tags.map(async ({ chars, name, tagId }) => {
    if (tagId === undefined) return holds();
    const filter = nameInScript(target, chars, 'second');
    const list = await target.list(filter);
    if (!showsNamed(list, { tagId, name })) return holds();
    const plain = await target.list(target.names.lettersOf(OF_FILTERS));
    return shows(plain, { tagId })
      ? undecided('failure', 'the filter by a plain name finds the tag as well', plain)
      : broken(`the filter by ${quote(filter)} finds the tag named ${quote(name)}`, plain, list);
  });
  const outcome = allOf(...(await Promise.all(outcomes)));
  await target.removeTags();
  return outcome;
}

/** Whether the filter still finds the tag after the settle time. */
async function staysFound(
  target: Target,
  filter: string,
  finds: (list: Exchange) => boolean,
): Promise<boolean> {
  const { good } = await target.until(
    async () => ({ exchanges: [await target.list(filter)] }),
    ({ exchanges }) => !exchanges.some(finds),
    { late: 'ignored' },
  );
  return !good;
}

/** How often a filter that fails is sent again: some failures pass. */
const SENT_AGAIN = 2;

/** Filters that no intermediary takes for an attack. */
const HARMLESS = /^[\w-]+$/;

/** Whether a filter is answered with a server error, or as if the list were a resource that does not exist. */
const fails = (filter: string, list: Exchange): boolean =>
  answers.isServerError(list) || (statusOf(list) === 404 && HARMLESS.test(filter));

/** Checks that no filter fails whenever it is sent, although a plain one does not. */
async function noneFails(
  target: Target,
  filters: readonly string[],
  lists: readonly Exchange[],
): Promise<Outcome> {
  const at = lists.findIndex((list, one) => fails(filters[one] ?? '', list));
  const [filter, first] = [filters[at], lists[at]];
  if (filter === undefined || first === undefined) return holds();
  return target.run('one by one', async () => {
    let list = first;
    for (let time = 0; time < SENT_AGAIN && fails(filter, list); time++) list = await target.list(filter);
    const plain = await target.list(target.names.lettersOf(OF_FILTERS));
    return fails(filter, list) && listedIn(plain) !== undefined
      ? broken(`the list with the filter ${quote(filter)} ${whatCame(list)}, not 200`, plain, list)
      : holds();
  });
}

/**
 * Makes a tag whose name has no letter of filters, and whose former name consists of these letters: an index may still
 * find it by a part of the former name.
 */
async function renamedTag(
  target: Target,
): Promise<Tag & { readonly formerly: string; readonly update?: Exchange }> {
  const name = target.names.lettersOf(OF_TAG);
  if (target.settings.effort === 'quick') return { ...(await target.makeTag(name)), formerly: '' };
  const { tagId, name: formerly } = await target.makeTag(target.names.lettersOf(OF_FILTERS));
  const update = await target.rename(tagId, { name });
  const { good } = await target.untilListed(tagId, name, formerly);
  if (!accepted(update) || !good)
    throw new Undecided('failure', 'no tag could be updated to filter for', update);
  return { tagId, name, formerly, update };
}

/** Filters that match a part of a name, or the name in another letter case. */
const partsOf = (name: string): string[] =>
  name === '' ? [] : [name.slice(0, name.length / 2), swappedCase(name)];

/**
 * Lists with filters that match parts of a deleted tag's name. The run records a sign if a list still shows the tag.
 */
async function filterForDeleted(target: Target): Promise<void> {
  const gone = target.facts.tags.find(({ isAlive }) => !isAlive);
  await Promise.all(partsOf(gone?.name ?? '').map((filter) => target.list(filter)));
}

/** Checks that if the filter by a part of a name finds the tag, the list shows the tag's full name. */
async function shownByPart(target: Target, { tagId, name }: Tag): Promise<Outcome> {
  const part = name.slice(0, name.length / 2);
  const list = await target.list(part);
  const entry = listedIn(list)?.find((one) => one.tagId === tagId);
  return entry === undefined || entry.name === name
    ? holds()
    : broken(`the filter by ${quote(part)} shows the tag ${quote(name)} as ${quote(entry.name)}`, list);
}

export const filterOfAnyForm: Requirement = {
  id: 'list/filter-of-any-form',
  effort: 'standard',
  section: '4.4',
  sentences: ['1/filter', '4.4/filter-type', '4.4/filter-meaning', '4.4/status-200'],
  level: 'required',
  text: 'No filter finds a tag whose name shares no character with it, or only the first and the last one, or is answered with a server error, whatever characters, words or tag_ids it consists of. One of letters and digits is not answered 404, either.',
  cause:
    'A filter that is falsy, too long or of unexpected characters is dropped, and the whole list is answered, or it fails. Or only a character is compared, or the collation takes characters for one another, or the filter also searches another column.',
  tags: 1 + SCRIPTS.length,
  check: async (target) => {
    const inScripts = await inOneScript(target);
    if (inScripts.kind !== 'holds') return inScripts;
    const tag = await renamedTag(target);
    await filterForDeleted(target);
    const shown = await shownByPart(target, tag);
    if (shown.kind !== 'holds') return shown;
    const finds = (list: Exchange): boolean => showsNamed(list, tag);
    const filters = [...filtersOf(target, tag), ...partsOf(tag.formerly)];
    const lists = await Promise.all(filters.map((filter) => target.list(filter)));
    const answered = await noneFails(target, filters, lists);
    if (answered.kind !== 'holds') return answered;
    const at = lists.findIndex(finds);
    const [list, filter] = [lists[at], filters[at]];
    if (list === undefined || filter === undefined) return holds();
    const plain = await target.list(target.names.lettersOf(OF_FILTERS));
    // Another requirement reports a filter that finds everything.
    if (finds(plain)) return undecided('failure', 'the filter by a plain name finds the tag as well', plain);
    // An index may still hold the former name of the tag for a while. That name does not contain the tag_id.
    if (filter !== tag.tagId && !(await staysFound(target, filter, finds))) return holds();
    const smaller = await narrowed(target, filter, finds);
    return broken(
      `the filter by ${quote(smaller?.filter ?? filter)} finds the tag named ${quote(tag.name)}`,
      ...(tag.update === undefined ? [] : [tag.update]),
      plain,
      smaller?.list ?? list,
    );
  },
};
