import { z } from 'zod';
import {
  accepted,
  createdIn,
  type Exchange,
  filterQuery,
  listedIn,
  open,
  type Open,
  type Tag,
  type Target,
  Undecided,
} from '../../lib/check.ts';
import { status, statusIn, tellStatus } from './answers.ts';

/** What the filter was asked, all of it once in a run. */
interface Probe {
  /** The filter finds the tag of exactly its name: else nothing can be told of it. */
  readonly whole: boolean;
  readonly prefix: Exchange;
  readonly suffix: Exchange;
  readonly middle: Exchange;
  readonly word: Exchange;
  readonly otherCase: Exchange;
  readonly accentless: Exchange;
  readonly wildcards: readonly (readonly [char: Wildcard, exchange: Exchange])[];
  readonly padded: Exchange;
  readonly plus: Exchange;
  readonly empty: Exchange;
  readonly repeated: Exchange;
  readonly array: Exchange;
  /** A plain tag, another one, and such with a blank and an accent in their names, as far as they are kept. */
  readonly plain: Tag;
  readonly other: Tag;
  readonly spaced: Tag | undefined;
  readonly accented: Tag | undefined;
}

const WILDCARDS = ['%', '*', '_'] as const;
type Wildcard = (typeof WILDCARDS)[number];

function probe(target: Target): Promise<Probe> {
  return target.shared('filter probe', 4, async (shared) => {
    const [plain, other] = await Promise.all([shared.makeTag(), shared.makeTag()]);
    const [word] = shared.name().match(/.{8}$/) ?? [''];
    const [spaced, accented] = await Promise.all([
      kept(shared, shared.names.endingIn(` ${word}`)),
      kept(shared, shared.names.endingIn('é')),
    ]);
    const { name } = plain;
    const by = (filter: string): Promise<Exchange> => shared.list({ query: filterQuery(filter) });
    const wildcards = {
      '%': `${name.slice(0, 6)}%${name.slice(10)}`,
      '*': `${name.slice(0, 6)}*${name.slice(10)}`,
      _: `${name.slice(0, 8)}_${name.slice(9)}`,
    };
    const [whole, prefix, suffix, middle, otherCase, padded, empty, repeated, array] = await Promise.all([
      by(name),
      by(name.slice(0, 11)),
      by(name.slice(-11)),
      by(name.slice(3, 13)),
      by(name.toUpperCase()),
      by(` ${name} `),
      by(''),
      shared.list({ query: `${filterQuery(name)}&${filterQuery(other.name)}` }),
      shared.list({ query: filterQuery(name).replace('tag=', 'tag%5B%5D=') }),
    ]);
    const [byWord, plus, accentless, ...byWildcard] = await Promise.all([
      by(word),
      shared.list({ query: `tag=${(spaced?.name ?? name).replace(' ', '+')}` }),
      by((accented?.name ?? name).replace('é', 'e')),
      ...WILDCARDS.map((char) => by(wildcards[char])),
    ]);
    return {
      whole: holds(whole, plain),
      prefix,
      suffix,
      middle,
      word: byWord,
      otherCase,
      accentless,
      wildcards: WILDCARDS.flatMap((char, at) => {
        const exchange = byWildcard[at];
        return exchange === undefined ? [] : [[char, exchange] as const];
      }),
      padded,
      plus,
      empty,
      repeated,
      array,
      plain,
      other,
      spaced,
      accented,
    };
  });
}

/** A tag of this name, where the target takes it and keeps it as it is. */
async function kept(target: Target, name: string): Promise<Tag | undefined> {
  const exchange = await target.create({ name });
  const created = createdIn(exchange);
  if (created === undefined) return undefined;
  const { seen } = await target.untilListed(created.tagId, name);
  const entry = seen.entries.find((one) => one.name === name);
  return entry === undefined ? undefined : { tagId: entry.tagId, name };
}

const holds = (exchange: Exchange, tag: Tag): boolean =>
  listedIn(exchange)?.some(({ tagId }) => tagId === tag.tagId) === true;

/** A question about the filter, whose answer follows from the probe. */
const about = <T>(parts: {
  readonly id: string;
  readonly key: string;
  readonly text: string;
  readonly answers: z.ZodType<T>;
  readonly tell: (answer: T) => string;
  readonly answer: (probe: Probe) => T;
  readonly shown: (probe: Probe) => readonly Exchange[];
}): Open<T> =>
  open({
    id: `open/filter-${parts.id}`,
    section: '4.4',
    sentences: ['4.4/filter-match'],
    text: parts.text,
    key: `filter.${parts.key}`,
    answers: parts.answers,
    tell: parts.tell,
    ask: async (target) => {
      const found = await probe(target);
      if (!found.whole) throw new Undecided('failure', 'the filter does not find a tag by its whole name');
      return { answer: parts.answer(found), exchanges: parts.shown(found) };
    },
  });

export const filterMatch = about({
  id: 'match',
  key: 'match',
  text: 'Which part of a name does the filter match?',
  answers: z.enum(['exact', 'prefix', 'suffix', 'substring', 'words', 'prefix or words', 'other']),
  tell: (answer) =>
    answer === 'exact'
      ? 'The filter matches whole names.'
      : `The filter matches by ${answer === 'other' ? 'a rule of its own' : answer}.`,
  answer: ({ prefix, suffix, middle, word, plain, spaced }) => {
    const found = [prefix, suffix, middle].map((exchange) => (holds(exchange, plain) ? 'y' : 'n')).join('');
    const byWord = spaced !== undefined && holds(word, spaced);
    switch (found) {
      case 'nnn':
        return byWord ? 'words' : 'exact';
      case 'ynn':
        return byWord ? 'prefix or words' : 'prefix';
      case 'nyn':
        return 'suffix';
      case 'yyy':
        return 'substring';
      default:
        return 'other';
    }
  },
  shown: ({ prefix, suffix, middle, word }) => [prefix, suffix, middle, word],
});

const folding = z.enum(['exact', 'folded']);

export const filterCase = about({
  id: 'case',
  key: 'case',
  text: 'Does letter case count for the filter?',
  answers: folding,
  tell: (answer) => `Letter case ${answer === 'exact' ? 'counts' : 'does not count'} for it.`,
  answer: ({ otherCase, plain }) => (holds(otherCase, plain) ? 'folded' : 'exact'),
  shown: ({ otherCase }) => [otherCase],
});

export const filterAccents = about({
  id: 'accents',
  key: 'accents',
  text: 'Do accents count for the filter?',
  answers: folding,
  tell: (answer) => `Accents ${answer === 'exact' ? 'count' : 'do not count'} for it.`,
  answer: ({ accentless, accented }) => {
    if (accented === undefined) throw new Undecided('choice', 'names with accents are not kept as they are');
    return holds(accentless, accented) ? 'folded' : 'exact';
  },
  shown: ({ accentless }) => [accentless],
});

export const filterWildcards = about({
  id: 'wildcards',
  key: 'wildcards',
  text: 'Do some characters of a filter stand for others?',
  answers: z.array(z.enum(WILDCARDS)),
  tell: (answer) =>
    answer.length === 0
      ? 'It knows no wildcards.'
      : `${answer.join(' and ')} ${answer.length === 1 ? 'is a wildcard' : 'are wildcards'} in it.`,
  answer: ({ wildcards, plain }) =>
    wildcards.filter(([, exchange]) => holds(exchange, plain)).map(([char]) => char),
  shown: ({ wildcards }) => wildcards.map(([, exchange]) => exchange),
});

export const filterBlanks = about({
  id: 'blanks',
  key: 'blanks',
  text: 'Do blanks around a filter count?',
  answers: z.enum(['kept', 'trimmed']),
  tell: (answer) => `Blanks around a filter are ${answer === 'kept' ? 'part of it' : 'trimmed'}.`,
  answer: ({ padded, plain }) => (holds(padded, plain) ? 'trimmed' : 'kept'),
  shown: ({ padded }) => [padded],
});

export const filterPlus = about({
  id: 'plus',
  key: 'plus',
  text: 'Does a + in the query stand for a blank?',
  answers: z.enum(['a blank', 'itself']),
  tell: (answer) => `A + in the query stands for ${answer}.`,
  answer: ({ plus, spaced }) => {
    if (spaced === undefined) throw new Undecided('choice', 'names with a blank are not kept as they are');
    return holds(plus, spaced) ? 'a blank' : 'itself';
  },
  shown: ({ plus }) => [plus],
});

export const filterEmpty = about({
  id: 'empty',
  key: 'empty',
  text: 'What does an empty filter match?',
  answers: z.union([z.enum(['everything', 'nothing']), status]),
  tell: (answer) =>
    typeof answer === 'number' || answer === 'no answer'
      ? `An empty filter is answered ${tellStatus(answer)}.`
      : `An empty filter matches ${answer}.`,
  answer: ({ empty }) => {
    const listed = listedIn(empty);
    if (listed === undefined) return statusIn(empty);
    // A tag without a visible name may be what it matches exactly.
    const named = listed.some(({ name }) => typeof name !== 'string' || name.trim() !== '');
    return named ? 'everything' : 'nothing';
  },
  shown: ({ empty }) => [empty],
});

export const filterRepeated = about({
  id: 'repeated',
  key: 'repeated',
  text: 'What does a filter that is given twice match?',
  answers: z.union([z.enum(['first', 'last', 'either', 'nothing']), status]),
  tell: (answer) => `Of a filter that is given twice, ${tellRepeated(answer)}.`,
  answer: ({ repeated, plain, other }) => {
    if (!accepted(repeated) || listedIn(repeated) === undefined) return statusIn(repeated);
    const [first, last] = [holds(repeated, plain), holds(repeated, other)];
    return first && last ? 'either' : first ? 'first' : last ? 'last' : 'nothing';
  },
  shown: ({ repeated }) => [repeated],
});

const tellRepeated = (answer: string | number): string => {
  switch (answer) {
    case 'first':
    case 'last':
      return `the ${answer} one counts`;
    case 'either':
      return 'either may match';
    case 'nothing':
      return 'both together match nothing';
    default:
      return `the answer is ${answer}`;
  }
};

export const filterArray = about({
  id: 'array',
  key: 'array',
  text: 'Is tag[]= taken as the filter?',
  answers: z.union([z.enum(['filters', 'ignored', 'nothing']), status]),
  tell: (answer) =>
    answer === 'filters'
      ? 'tag[]= filters, too.'
      : answer === 'ignored'
        ? 'tag[]= is ignored.'
        : `tag[]= is answered ${answer === 'nothing' ? 'with nothing' : answer}.`,
  answer: ({ array, plain }) => {
    const listed = listedIn(array);
    if (listed === undefined) return statusIn(array);
    if (listed.length === 0) return 'nothing';
    return holds(array, plain) && listed.length === 1 ? 'filters' : 'ignored';
  },
  shown: ({ array }) => [array],
});
