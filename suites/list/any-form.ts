import fc from 'fast-check';
import {
  accepted,
  allOf,
  broken,
  createdIn,
  drawn,
  type Exchange,
  holds,
  listedIn,
  type Outcome,
  quote,
  type Requirement,
  type Tag,
  type Target,
  undecided,
  Undecided,
} from '../../lib/check.ts';
import { shows, showsNamed } from '../listed-tags.ts';
import { swappedCase } from '../neighbours.ts';

/** The letters of the tag that no filter is to find. Filters have none of them, in either letter case. */
const OF_TAG = 'ghjmpqvwxz';

/** The letters of filters. Words that programs take for no value consist of them, too. */
const OF_FILTERS = 'abcdefiklnorstu';

/** Texts that have made targets ignore filters, by their description. */
const INSIDE: readonly string[] = ["'", '"', '\\', ';', ',', '&', '=', '#', '?', '(', ' ', 'é', '漢', '😀'];

/** Punctuation that an intermediary may take for an attack, and which is therefore sent in a separate filter. */
const MORE_INSIDE: readonly string[] = [...'!$+-./:<>@[]^`{|}~)'];

/** Letters of several scripts. Those at the start and the end of a filter are drawn. */
const OUTSIDE = ['ñ', 'ß', 'ø', 'д', 'λ', 'ع', 'ת', '好', 'あ', '한', '😀'];

/** A letter between these texts: a target may split the filter at them, and a part without text matches everything. */
const BETWEEN = 'a';

/** Characters at which a target may split a filter, each sent alone. */
const SPLITTING = new Set(';,&+|/? é漢😀');

/** Texts with letters between them. Some programs look for two signs in a row. */
const doubled = (texts: readonly string[]): string =>
  texts.map((text) => (SPLITTING.has(text) ? text : `${text}${text}`)).join(BETWEEN);

/** Words that programs take for no value or for any, or pass over. */
const LIKELY_WORDS = ['0', 'null', 'undefined', 'false', 'None', 'all', 'of'] as const;
const OTHER_WORDS = [
  'any',
  '[]',
  '{}',
  'none',
  'nil',
  'NaN',
  '-1',
  'true',
  '1',
  'and',
  'ALL',
  'NULL',
  '""',
  'N/A',
] as const;

/** Marks that some filters read as an operator where a filter begins with them, and a letter for a comparison. */
const OPERATORS = ['-', '!', '>a', '<u', '~', '='] as const;

/** An operator that is a word, and its value. */
const WORD_OPERATOR = 'ne:';

/** Signs at which a filter may be cut. At its start, nothing is left then. */
const CUTTING = ['#', '=', '?', '%'] as const;

/** Characters at the ends of filters at which a target may cut them, and look for the rest. */
const EDGES = [
  ['@', ':'],
  ['&', '/'],
] as const;

/** More characters than a filter usually has. */
const LONG = 300;

/** The filters of a run: all without a letter of the tag. */
function filtersOf(target: Target, tag: Tag): string[] {
  const { names, settings } = target;
  const isThorough = settings.effort === 'thorough';
  const letters = (): string => names.lettersOf(OF_FILTERS);
  const around = (text: string): string => {
    const name = letters();
    return `${name.slice(0, 7)}${text}${name.slice(7)}`;
  };
  const draw = <T>(values: fc.Arbitrary<T>): T[] => drawn(target, 'list/filter-of-any-form', values);
  const [word = '1'] = draw(fc.constantFrom(...OTHER_WORDS));
  const outside = draw(fc.shuffledSubarray(OUTSIDE, { minLength: OUTSIDE.length })).map((all) =>
    [all[0] ?? '', letters(), ...all.slice(1)].join(BETWEEN),
  );
  const long = Array.from({ length: Math.ceil(LONG / 14) }, letters)
    .join('')
    .slice(0, LONG);
  const filters = [
    // A text behind an operator tests the other characters as well.
    ...(isThorough
      ? [
          ...[...INSIDE, ...MORE_INSIDE].map(around),
          ...[...new Set([...OPERATORS, ...CUTTING, WORD_OPERATOR])].map((start) => `${start}${letters()}`),
          ...[...INSIDE, ...MORE_INSIDE]
            .filter((end) => !SPLITTING.has(end))
            .map((end) => `${letters()}${end}`),
        ]
      : [`-${around(doubled(INSIDE))}`, `!${around(doubled(MORE_INSIDE))}`]),
    // At the end of a pattern, a backslash takes away the meaning of what a program puts behind it.
    ...outside.map((text) => `#${text}${BETWEEN}\\`),
    `>a${letters()}' OR 'e' LIKE 'e`,
    `=${long}`,
    ...EDGES.map(([start, end]) => `${start}${letters()}${end}`),
    names.numeric('#'),
    ...LIKELY_WORDS,
    ...(isThorough ? OTHER_WORDS : [word]),
    tag.tagId,
  ];
  const own = new Set(tag.name.toLowerCase());
  return filters.filter((filter) => ![...filter.toLowerCase()].some((char) => own.has(char)));
}

/** Finds the part to blame if the filter by a text of several unusual parts finds the tag. */
async function narrowed(target: Target, filter: string, finds: (list: Exchange) => boolean) {
  const texts = [...INSIDE, ...MORE_INSIDE, ...OUTSIDE]
    .flatMap((one) => [one, one + one])
    .filter((one) => filter.includes(one));
  const starts = [...OPERATORS, ...CUTTING].filter((one) => filter.startsWith(one));
  const shorterOnes = [
    ...starts.map((start) => (letters: string) => `${start}${letters}`),
    ...texts.map((text) => (letters: string) => `${letters.slice(0, 7)}${text}${letters.slice(7)}`),
  ];
  for (const shorterOf of shorterOnes.length > 1 ? shorterOnes : []) {
    const shorter = shorterOf(target.names.lettersOf(OF_FILTERS));
    const list = await target.list(shorter);
    if (finds(list)) return { filter: shorter, list };
  }
  return undefined;
}

/**
 * Characters that some collations ignore or treat as equal. The first half is for the tag, the other for the filter: their
 * names differ in every character.
 */
const SCRIPTS: readonly (readonly string[])[] = [
  '漢字好山水火木金土日月人口手足目',
  '😀😁😂😃😄😅😆😇🍣🍺🎉🎈🐶🐱🚗🚲',
  'กขคงจฉชซญฐดตถทนบ',
].map((text) => [...text]);

/** How many of the scripts every effort sends. */
const LIKELY_SCRIPTS = 2;

/** The characters of a name in one script: few enough for any limit to its length in UTF-16 units. */
const LENGTH_IN_SCRIPT = 7;

/** A name of this many characters out of half of a script. */
function nameInScript({ names }: Target, chars: readonly string[], half: 'first' | 'second'): string {
  const letters = LETTERS_FOR_HALF.slice(0, chars.length / 2);
  const own = half === 'first' ? chars.slice(0, chars.length / 2) : chars.slice(chars.length / 2);
  const ownLetters = [...names.lettersOf(letters).toLowerCase()].slice(0, LENGTH_IN_SCRIPT);
  return names.extended(ownLetters.map((letter) => own[letters.indexOf(letter)] ?? '').join(''), '');
}

const LETTERS_FOR_HALF = 'abcdefgh';

/** Checks that the filter by a name in a script does not find a name in the same script that differs in each character. */
async function inOneScript(target: Target): Promise<Outcome> {
  // A tag without letters of the run can be removed only if lists show such characters unchanged.
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

/** Whether the filter finds the tag until the end of the settle time. */
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

/** A tag whose name has no letter of filters, and whose first name had no others: an index may still find it by parts of that. */
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

/** Looks for a deleted tag with filters other than its name. The run records lists that still show it. */
async function askForDeleted(target: Target): Promise<void> {
  const gone = target.facts.tags.find(({ isAlive }) => !isAlive);
  await Promise.all(partsOf(gone?.name ?? '').map((filter) => target.list(filter)));
}

/** Checks that a list with a part of a name as its filter shows the tag, if it does, with its name. */
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
  sentences: ['1/filter', '4.4/filter-type', '4.4/filter-meaning'],
  level: 'required',
  text: 'No filter finds a tag whose name shares no character with it, whatever characters, words or tag_ids it consists of.',
  cause:
    'A filter that is falsy, too long or of unexpected characters is dropped, and the whole list is answered, or the filter also searches another column.',
  tags: 1 + SCRIPTS.length,
  check: async (target) => {
    const inScripts = await inOneScript(target);
    if (inScripts.kind !== 'holds') return inScripts;
    const tag = await renamedTag(target);
    await askForDeleted(target);
    const shown = await shownByPart(target, tag);
    if (shown.kind !== 'holds') return shown;
    const finds = (list: Exchange): boolean => showsNamed(list, tag);
    const filters = [...filtersOf(target, tag), ...partsOf(tag.formerly)];
    const lists = await Promise.all(filters.map((filter) => target.list(filter)));
    const at = lists.findIndex(finds);
    const [list, filter] = [lists[at], filters[at]];
    if (list === undefined || filter === undefined) return holds();
    const plain = await target.list(target.names.lettersOf(OF_FILTERS));
    // Another requirement breaks if the filter finds everything.
    if (finds(plain)) return undecided('failure', 'the filter by a plain name finds the tag as well', plain);
    // An index may be late to forget the first name of the tag.
    if (!(await staysFound(target, filter, finds))) return holds();
    const smaller = await narrowed(target, filter, finds);
    return broken(
      `the filter by ${quote(smaller?.filter ?? filter)} finds the tag named ${quote(tag.name)}`,
      ...(tag.update === undefined ? [] : [tag.update]),
      plain,
      smaller?.list ?? list,
    );
  },
};
