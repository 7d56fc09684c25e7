import fc from 'fast-check';
import { type Exchange, generated, type Tag, type Target } from '../../lib/check.ts';

/** The letters of the tag that no filter may find. No filter contains one of them, in either letter case. */
export const OF_TAG = 'ghjmpqvwxz';

/** The letters of filters. */
export const OF_FILTERS = 'bcdklnrt';

/** Characters that have made servers ignore a filter. */
const INSIDE: readonly string[] = ["'", '"', '\\', ';', ',', '&', '=', '#', '?', '(', ' ', 'é', '漢', '😀'];

/** Punctuation that an intermediary may block as an attack, and which is therefore sent in a separate filter. */
const MORE_INSIDE: readonly string[] = [...'!$+-./:<>@[]^`{|}~)7'];

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
  [';', '|'],
] as const;

/** Further ends, of which some are drawn. A blank may be trimmed. */
const ENDS: readonly string[] = [...INSIDE.filter((text) => text !== ' '), ...MORE_INSIDE, 'A'];

/** More characters than a filter usually has. */
const LONG = 300;

/** The number of filters by the tag_id: a fault may show in every second list only. */
const TIMES_BY_ID = 2;

/** Parts of names that a search for similar names compares have at least this length. */
const PART = 3;

/** A shorter tag_id may look like a part of a name. */
const LONG_ID = 8;

/** Whether a long text holds no part of the name, in any letter case. */
const holdsNoPart = (text: string, name: string): boolean =>
  text.length >= LONG_ID &&
  Array.from(name.slice(PART - 1), (_, at) => name.slice(at, at + PART).toLowerCase()).every(
    (part) => !text.toLowerCase().includes(part),
  );

/**
 * The filters of a run. None shares a character with the name of the tag, but for its tag_id and for one filter that begins and ends
 * as the name does.
 */
export function filtersOf(target: Target, tag: Tag): string[] {
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
          // Whatever a target splits the filter at, an empty part at its end matches no name.
          ...[...INSIDE, ...MORE_INSIDE].filter((end) => end !== ' ').map((end) => `${letters()}${end}`),
        ]
      : [withEnd(`-${around(doubled(INSIDE))}`), withEnd(`!${around(doubled(MORE_INSIDE))}`)]),
    // A backslash at the end may escape what a program appends to the filter.
    ...outside.map((text) => `#${text}${BETWEEN}\\`),
    `>a${letters()}' OR 'e' LIKE 'e`,
    withEnd(`=${long}`),
    long,
    ...EDGES.map(([start, end]) => `${start}${letters()}${end}`),
    names.numeric('#'),
    ...LIKELY_WORDS,
    ...(isThorough ? OTHER_WORDS : [word]),
  ];
  const own = new Set(tag.name.toLowerCase());
  const isUnlike = (filter: string): boolean => ![...filter.toLowerCase()].some((char) => own.has(char));
  const isOtherId = isUnlike(tag.tagId) || holdsNoPart(tag.tagId, tag.name);
  return [
    ...filters.filter(isUnlike),
    ...(isOtherId ? Array<string>(TIMES_BY_ID).fill(tag.tagId) : []),
    // A target may compare the first or the last character only, or look for any of the characters.
    `${tag.name.slice(0, 1)}${letters().slice(2)}${tag.name.slice(-1)}`,
  ];
}

/** Finds the one unusual part of a filter that is the cause if the filter finds the tag. */
export async function narrowed(target: Target, filter: string, finds: (list: Exchange) => boolean) {
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
