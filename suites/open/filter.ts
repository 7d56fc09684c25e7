import { z } from 'zod';
import { accepted, type Exchange, listedIn, open, Undecided } from '../../lib/check.ts';
import { describeStatus, status, statusIn, type Status } from './answers.ts';
import { type FilterProbe, probeFilter, WILDCARDS } from './filter-probe.ts';
import { shows } from '../listed-tags.ts';

/** An open question about the filter. The probe has the lists that answer it. */
const about = <T>(parts: {
  readonly id: string;
  readonly key: string;
  readonly text: string;
  readonly answers: z.ZodType<T>;
  readonly tell: (answer: T) => string;
  readonly answer: (probe: FilterProbe) => T;
  /** The lists that show the answer. */
  readonly evidence: (probe: FilterProbe) => readonly Exchange[];
}) =>
  open({
    id: `open/filter-${parts.id}`,
    section: '4.4',
    sentences: ['4.4/filter-match'],
    text: parts.text,
    key: `filter.${parts.key}`,
    answers: parts.answers,
    tell: parts.tell,
    ask: async (target) => {
      const probe = await probeFilter(target);
      if (!probe.findsWholeName)
        throw new Undecided('failure', 'the filter does not find a tag by its whole name');
      return { answer: parts.answer(probe), exchanges: parts.evidence(probe) };
    },
  });

/** @throws Undecided if the filter finds similar names. Then the lists do not answer the question. */
function requireLiteral({ byTypo, plain }: FilterProbe): void {
  if (shows(byTypo, plain))
    throw new Undecided('choice', 'the filter finds names that are only similar', byTypo);
}

const match = z.enum(['exact', 'prefix', 'suffix', 'substring', 'words', 'prefix or words', 'other']);

const MATCH_TEXTS: Readonly<Record<z.infer<typeof match>, string>> = {
  exact: 'whole names only',
  prefix: 'the start of a name',
  suffix: 'the end of a name',
  substring: 'any part of a name',
  words: 'whole words of a name',
  'prefix or words': 'the start of a name or one of its words',
  other: 'names by a rule that the suite does not know',
};

export const filterMatch = about({
  id: 'match',
  key: 'match',
  text: 'Which part of a name does the filter match?',
  answers: match,
  tell: (answer) => `The filter matches ${MATCH_TEXTS[answer]}.`,
  answer: ({ byPrefix, bySuffix, byMiddle, byTypo, byWord, plain, withBlank }) => {
    if (shows(byTypo, plain)) return 'other';
    const found = [byPrefix, bySuffix, byMiddle].map((list) => (shows(list, plain) ? 'y' : 'n')).join('');
    const isFoundByWord = withBlank !== undefined && shows(byWord, withBlank);
    switch (found) {
      case 'nnn':
        return isFoundByWord ? 'words' : 'exact';
      case 'ynn':
        return isFoundByWord ? 'prefix or words' : 'prefix';
      case 'nyn':
        return 'suffix';
      case 'yyy':
        return 'substring';
      default:
        return 'other';
    }
  },
  evidence: ({ byPrefix, bySuffix, byMiddle, byTypo, byWord }) => [
    byPrefix,
    bySuffix,
    byMiddle,
    byTypo,
    byWord,
  ],
});

const folding = z.enum(['exact', 'folded']);

export const filterCase = about({
  id: 'case',
  key: 'case',
  text: 'Does the filter distinguish letter case?',
  answers: folding,
  tell: (answer) => `The filter ${answer === 'exact' ? 'distinguishes' : 'ignores'} letter case.`,
  answer: ({ byOtherCase, plain }) => (shows(byOtherCase, plain) ? 'folded' : 'exact'),
  evidence: ({ byOtherCase }) => [byOtherCase],
});

export const filterAccents = about({
  id: 'accents',
  key: 'accents',
  text: 'Does the filter distinguish accents?',
  answers: folding,
  tell: (answer) => `The filter ${answer === 'exact' ? 'distinguishes' : 'ignores'} accents.`,
  answer: (probe) => {
    requireLiteral(probe);
    const { byAccentless, withAccent } = probe;
    if (withAccent === undefined)
      throw new Undecided('choice', 'the target does not keep names with accents unchanged');
    return shows(byAccentless, withAccent) ? 'folded' : 'exact';
  },
  evidence: ({ byAccentless }) => [byAccentless],
});

/** Characters as the subject of a sentence, with the verb that fits their number. */
const enumerate = (chars: readonly string[], singular: string, plural: string): string =>
  `${chars.map((char) => `\`${char}\``).join(' and ')} ${chars.length === 1 ? singular : plural}`;

export const filterWildcards = about({
  id: 'wildcards',
  key: 'wildcards',
  text: 'Which characters of a filter are wildcards?',
  answers: z.array(z.enum(WILDCARDS)),
  tell: (answer) => {
    const literal = WILDCARDS.filter((char) => !answer.includes(char));
    return [
      ...(answer.length === 0
        ? []
        : [`${enumerate(answer, 'is a wildcard', 'are wildcards')} in the filter.`]),
      ...(literal.length === 0
        ? []
        : [`${enumerate(literal, 'is', 'are')} matched literally by the filter.`]),
    ].join(' ');
  },
  answer: (probe) => {
    requireLiteral(probe);
    return probe.byWildcards.filter(([, list]) => shows(list, probe.plain)).map(([char]) => char);
  },
  evidence: ({ byWildcards }) => byWildcards.map(([, list]) => list),
});

export const filterBlanks = about({
  id: 'blanks',
  key: 'blanks',
  text: 'Are blanks around a filter part of it?',
  answers: z.enum(['kept', 'trimmed']),
  tell: (answer) => `Blanks around a filter are ${answer === 'kept' ? 'part of it' : 'trimmed'}.`,
  answer: (probe) => {
    requireLiteral(probe);
    return shows(probe.byPadded, probe.plain) ? 'trimmed' : 'kept';
  },
  evidence: ({ byPadded }) => [byPadded],
});

export const filterPlus = about({
  id: 'plus',
  key: 'plus',
  text: 'Does a + in the query stand for a blank?',
  answers: z.enum(['a blank', 'itself']),
  tell: (answer) => `A + in the query stands for ${answer}.`,
  answer: (probe) => {
    requireLiteral(probe);
    const { byPlus, withBlank } = probe;
    if (withBlank === undefined)
      throw new Undecided('choice', 'the target does not keep names with a blank unchanged');
    return shows(byPlus, withBlank) ? 'a blank' : 'itself';
  },
  evidence: ({ byPlus }) => [byPlus],
});

export const filterEmpty = about({
  id: 'empty',
  key: 'empty',
  text: 'What does an empty filter match?',
  answers: z.union([z.enum(['everything', 'nothing']), status]),
  tell: (answer) =>
    answer === 'everything' || answer === 'nothing'
      ? `An empty filter matches ${answer}.`
      : `A list with an empty filter is answered ${describeStatus(answer)}.`,
  answer: ({ byEmpty }) => {
    const list = byEmpty();
    const listed = listedIn(list);
    if (listed === undefined) return statusIn(list);
    // With an exact filter, the list may show tags with an empty or blank name. If the filter matches words, it may show
    // names with a blank at an end, as if there was an empty word beyond it.
    const isWhole = listed.some(
      ({ name }) => typeof name !== 'string' || (name !== '' && name === name.trim()),
    );
    return isWhole ? 'everything' : 'nothing';
  },
  evidence: ({ byEmpty }) => [byEmpty()],
});

const repeated = z.enum(['first', 'last', 'either', 'nothing']);

export const filterRepeated = about({
  id: 'repeated',
  key: 'repeated',
  text: 'Which tags does a list show if the filter is given twice?',
  answers: z.union([repeated, status]),
  tell: (answer) => `If the filter is given twice, ${describeRepeated(answer)}.`,
  answer: ({ byBoth, plain, other }) => {
    const list = byBoth();
    if (!accepted(list) || listedIn(list) === undefined) return statusIn(list);
    const [first, last] = [shows(list, plain), shows(list, other)];
    return first && last ? 'either' : first ? 'first' : last ? 'last' : 'nothing';
  },
  evidence: ({ byBoth }) => [byBoth()],
});

const describeRepeated = (answer: z.infer<typeof repeated> | Status): string => {
  switch (answer) {
    case 'first':
    case 'last':
      return `the list shows the tags that match the ${answer} value`;
    case 'either':
      return 'the list shows the tags that match either value';
    case 'nothing':
      return 'the list shows no tag';
    default:
      return `the list is answered ${describeStatus(answer)}`;
  }
};

const array = z.enum(['filters', 'ignored', 'nothing']);

export const filterArray = about({
  id: 'array',
  key: 'array',
  text: 'Does tag[]= filter the list?',
  answers: z.union([array, status]),
  tell: (answer) => `A list with tag[]= in place of tag= ${describeArray(answer)}.`,
  answer: ({ byArray, plain }) => {
    const list = byArray();
    const listed = listedIn(list);
    if (listed === undefined) return statusIn(list);
    if (listed.length === 0) return 'nothing';
    return shows(list, plain) && listed.length === 1 ? 'filters' : 'ignored';
  },
  evidence: ({ byArray }) => [byArray()],
});

const describeArray = (answer: z.infer<typeof array> | Status): string => {
  switch (answer) {
    case 'filters':
      return 'is filtered';
    case 'ignored':
      return 'is not filtered';
    case 'nothing':
      return 'shows no tag';
    default:
      return `is answered ${describeStatus(answer)}`;
  }
};
