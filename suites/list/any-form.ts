import fc from 'fast-check';
import {
  broken,
  type Exchange,
  holds,
  listedIn,
  quote,
  type Requirement,
  seedOf,
  type Tag,
  type Target,
  undecided,
} from '../../lib/check.ts';

/** The letters of the tag that no filter is to find. Filters have none of them, in either letter case. */
const OF_TAG = 'ghjmpqvwxyz';

/** The letters of filters. Words that programs take for no value consist of them, too. */
const OF_FILTERS = 'abcdefiklnorstu';

/** Texts that have stopped filters from being applied, by what they stand for. */
const INSIDE: readonly string[] = ["'", '"', '\\', ';', ',', '&', '=', '#', '?', '(', ' ', 'é', '漢', '😀'];

/** Punctuation that an intermediary may take for an attack, so that it stands in a filter of its own. */
const MORE_INSIDE: readonly string[] = [...'!$+-./:<>@[]^`{|}~)'];

/** Letters of several scripts. Those at the start and the end of a filter are drawn. */
const OUTSIDE = ['ñ', 'ß', 'ø', 'д', 'λ', 'ع', 'ת', '好', 'あ', '한', '😀'];

/** A letter between these texts: a target may split the filter at them, and a part without text matches everything. */
const BETWEEN = 'a';

/** Words that programs take for no value. */
const LIKELY_WORDS = ['0', 'null'] as const;
const OTHER_WORDS = [
  'undefined',
  'false',
  'none',
  'nil',
  'NaN',
  '-1',
  '[]',
  '{}',
  'true',
  '1',
  'all',
  'and',
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
  const draw = <T>(values: fc.Arbitrary<T>): T[] =>
    fc.sample(values, { seed: seedOf(`${settings.seed}\nlist/filter-of-any-form`), numRuns: 1 });
  const [drawn = '1'] = draw(fc.constantFrom(...OTHER_WORDS));
  const outside = draw(fc.shuffledSubarray(OUTSIDE, { minLength: OUTSIDE.length })).map((all) =>
    [all[0] ?? '', letters(), ...all.slice(1)].join(BETWEEN),
  );
  const long = Array.from({ length: Math.ceil(LONG / 14) }, letters)
    .join('')
    .slice(0, LONG);
  const filters = [
    ...(isThorough
      ? [...INSIDE, ...MORE_INSIDE].map(around)
      : [INSIDE, MORE_INSIDE].map((texts) => around(texts.join(BETWEEN)))),
    ...outside,
    `${letters()}' OR 'e' LIKE 'e`,
    long,
    names.numeric('#'),
    ...LIKELY_WORDS,
    ...(isThorough ? OTHER_WORDS : [drawn]),
    tag.tagId,
  ];
  const own = new Set(tag.name.toLowerCase());
  return filters.filter((filter) => ![...filter.toLowerCase()].some((char) => own.has(char)));
}

/** Where the filter by a text of several unusual characters finds the tag: the one of them that is to blame. */
async function narrowed(target: Target, filter: string, finds: (list: Exchange) => boolean) {
  const texts = [...INSIDE, ...MORE_INSIDE, ...OUTSIDE].filter((one) => filter.includes(one));
  for (const text of texts.length > 1 ? texts : []) {
    const letters = target.names.lettersOf(OF_FILTERS);
    const shorter = `${letters.slice(0, 7)}${text}${letters.slice(7)}`;
    const list = await target.list(shorter);
    if (finds(list)) return { filter: shorter, list };
  }
  return undefined;
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
  tags: 1,
  check: async (target) => {
    const tag = await target.makeTag(target.names.lettersOf(OF_TAG));
    const finds = (list: Exchange): boolean =>
      listedIn(list)?.some(({ tagId, name }) => tagId === tag.tagId && name === tag.name) === true;
    const filters = filtersOf(target, tag);
    const lists = await Promise.all(filters.map((filter) => target.list(filter)));
    const at = lists.findIndex(finds);
    const [list, filter] = [lists[at], filters[at]];
    if (list === undefined || filter === undefined) return holds();
    const plain = await target.list(target.names.lettersOf(OF_FILTERS));
    // Another requirement breaks if the filter finds everything.
    if (finds(plain)) return undecided('failure', 'the filter by a plain name finds the tag as well', plain);
    const smaller = await narrowed(target, filter, finds);
    return broken(
      `the filter by ${quote(smaller?.filter ?? filter)} finds the tag named ${quote(tag.name)}`,
      smaller?.list ?? list,
      plain,
    );
  },
};
