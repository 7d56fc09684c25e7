import fc from 'fast-check';
import {
  accepted,
  allOf,
  broken,
  createdIn,
  type Exchange,
  generated,
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

/** The letters of the tag that no filter may find. No filter contains one of them, in either letter case. */
const OF_TAG = 'ghjmpqvwxz';

/** The letters of filters. */
const OF_FILTERS = 'bcdklnrt';

/** Characters that have made servers ignore a filter. */
const INSIDE: readonly string[] = ["'", '"', '\\', ';', ',', '&', '=', '#', '?', '(', ' ', 'é', '漢', '😀'];

/** Punctuation that an intermediary may block as an attack, and which is therefore sent in a separate filter. */
const MORE_INSIDE: readonly string[] = [...'!$+-./:<>@[]^`{|}~)'];

/** Letters of several scripts, typographic signs and a combining mark. The seed decides which of them start and end a filter. */
const OUTSIDE = [...'ñßøłıдяλωعمתש好あ한😀❤€°’“–…', 'e\u0301'];

/** Stands between these characters: a target may split the filter at them, and an empty part would match everything. */
const BETWEEN = 'a';

/** Characters at which a target may split a filter. They are sent alone as well as doubled. */
const SPLITTING = new Set(';,&+|/? é漢😀');

/** The characters, each twice because some programs look for pairs such as `--`, with a letter between them. */
const doubled = (texts: readonly string[]): string =>
  texts.flatMap((text) => [...(SPLITTING.has(text) ? [text] : []), `${text}${text}`]).join(BETWEEN);

/** Words that programs read as no value or as any value, or skip as too common. */
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

/** Starts of a filter that some targets read as an operator, with a letter to compare with. */
const OPERATORS = ['-', '!', '>a', '<u', '~', '='] as const;

/** An operator that is a word, and its value. */
const WORD_OPERATOR = 'ne:';

/** Characters at which a target may cut a filter. At the start, they leave nothing of it. */
const CUTTING = ['#', '=', '?', '%'] as const;

/** First and last characters of filters that a target may cut off. */
const EDGES = [
  ['@', ':'],
  ['&', '/'],
] as const;

/** Further ends, of which some are drawn. A blank may be trimmed. */
const ENDS: readonly string[] = [...INSIDE.filter((text) => text !== ' '), ...MORE_INSIDE, '7', 'A'];

/** More characters than a filter usually has. */
const LONG = 300;

/** The number of filters by the tag_id: a fault may show in every second or every fifth list only. */
const TIMES_BY_ID = 5;

/** The filters of a run. None shares a character with the name of the tag. */
function filtersOf(target: Target, tag: Tag): string[] {
  const { names, settings } = target;
  const isThorough = settings.effort === 'thorough';
  const letters = (): string => names.lettersOf(OF_FILTERS);
  const around = (text: string): string => {
    const name = letters();
    return `${name.slice(0, 7)}${text}${name.slice(7)}`;
  };
  const draw = <T>(values: fc.Arbitrary<T>): T[] =>
    generated.drawn(target, 'list/filter-of-any-form', values);
  const [word = '1'] = draw(fc.constantFrom(...OTHER_WORDS));
  const outside = draw(fc.shuffledSubarray(OUTSIDE, { minLength: OUTSIDE.length })).map((all) =>
    [all[0] ?? '', letters(), ...all.slice(1)].join(BETWEEN),
  );
  const long = Array.from({ length: Math.ceil(LONG / 14) }, letters)
    .join('')
    .slice(0, LONG);
  const ends = draw(fc.shuffledSubarray([...ENDS], { minLength: ENDS.length })).flat();
  const withEnd = (text: string): string => `${text}${ends.pop() ?? ''}`;
  const filters = [
    // To save requests, the filter with an operator also contains the other characters.
    ...(isThorough
      ? [
          ...[...INSIDE, ...MORE_INSIDE].map(around),
          ...[...new Set([...OPERATORS, ...CUTTING, WORD_OPERATOR])].map((start) => `${start}${letters()}`),
          ...[...INSIDE, ...MORE_INSIDE]
            .filter((end) => !SPLITTING.has(end))
            .map((end) => `${letters()}${end}`),
        ]
      : [withEnd(`-${around(doubled(INSIDE))}`), withEnd(`!${around(doubled(MORE_INSIDE))}`)]),
    // A backslash at the end may escape what a program appends to the filter.
    ...outside.map((text) => `#${text}${BETWEEN}\\`),
    `>a${letters()}' OR 'e' LIKE 'e`,
    withEnd(`=${long}`),
    ...EDGES.map(([start, end]) => `${start}${letters()}${end}`),
    names.numeric('#'),
    ...LIKELY_WORDS,
    ...(isThorough ? OTHER_WORDS : [word]),
    ...Array<string>(TIMES_BY_ID).fill(tag.tagId),
  ];
  const own = new Set(tag.name.toLowerCase());
  return filters.filter((filter) => ![...filter.toLowerCase()].some((char) => own.has(char)));
}

/** Finds the one unusual part of a filter that is the cause if the filter finds the tag. */
async function narrowed(target: Target, filter: string, finds: (list: Exchange) => boolean) {
  const texts = [...INSIDE, ...MORE_INSIDE, ...OUTSIDE]
    .flatMap((one) => [one, one + one])
    .filter((one) => filter.includes(one));
  const starts = [...OPERATORS, ...CUTTING].filter((one) => filter.startsWith(one));
  const ends = ENDS.filter((one) => filter.endsWith(one));
  const shorterOnes = [
    ...starts.map((start) => (letters: string) => `${start}${letters}`),
    ...ends.map((end) => (letters: string) => `${letters}${end}`),
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
    await filterForDeleted(target);
    const shown = await shownByPart(target, tag);
    if (shown.kind !== 'holds') return shown;
    const finds = (list: Exchange): boolean => showsNamed(list, tag);
    const filters = [...filtersOf(target, tag), ...partsOf(tag.formerly)];
    const lists = await Promise.all(filters.map((filter) => target.list(filter)));
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
