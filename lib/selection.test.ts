import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { holds } from './outcome.ts';
import { open, type Level, type Requirement } from './requirement.ts';
import { nearest, select } from './selection.ts';
import { SettingsError } from './settings-error.ts';

function requirement(id: string, section: string, level: Exclude<Level, 'derived' | 'open'>): Requirement {
  return { id, section, sentences: ['4.4/path'], level, text: '', check: () => Promise.resolve(holds()) };
}

const QUESTION = {
  sentences: ['4.4/path'] as const,
  text: '',
  answers: z.string(),
  tell: (answer: string) => answer,
  ask: () => Promise.reject(new Error('nobody asks')),
};

const catalogue: readonly Requirement[] = [
  requirement('login/answers', '4.1', 'required'),
  requirement('login/wrong-password', '4.1', 'required'),
  requirement('list/answers', '4.4', 'required'),
  requirement('list/error-flag', '4.4', 'advisory'),
  open({ ...QUESTION, id: 'scopes/matrix', section: '5', key: 'matrix' }),
  open({ ...QUESTION, id: 'tokens/limits', section: '41', key: 'limits' }),
];
const all = catalogue.map(({ id }) => id);

const selectedBy = (...only: string[]): string[] => select(catalogue, only).selected.map(({ id }) => id);

function refusalOf(...only: string[]): string {
  try {
    select(catalogue, only);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
  }
  throw new Error('it selects something');
}

describe('a selection', () => {
  test('is everything if there is no selector', () => {
    expect(select(catalogue, [])).toEqual({ selected: catalogue, leftOut: [] });
  });

  test.each<[string, string[], string[]]>([
    ['an id', ['list/answers'], ['list/answers']],
    ['a topic', ['login/'], ['login/answers', 'login/wrong-password']],
    ['a section', ['4.4'], ['list/answers', 'list/error-flag']],
    ['a section above others, which is no prefix of a number', ['4'], all.slice(0, 4)],
    ['a level', ['open'], ['scopes/matrix', 'tokens/limits']],
    ['several, in the order of the catalogue', ['5', 'login/answers'], ['login/answers', 'scopes/matrix']],
    ['several that overlap, each once', ['list', '4.4', 'advisory'], ['list/answers', 'list/error-flag']],
  ])('can be asked for by %s', (_how, only, expected) => {
    expect(selectedBy(...only)).toEqual(expected);
  });

  test('and what it leaves out are the whole catalogue', () => {
    const selectors = fc.subarray([...all, 'login', '4', '4.4', '5', 'open', 'required', 'advisory'], {
      minLength: 1,
    });
    fc.assert(
      fc.property(selectors, (only) => {
        const { selected, leftOut } = select(catalogue, only);
        expect([...selected, ...leftOut].toSorted(byId)).toEqual(catalogue.toSorted(byId));
      }),
    );
  });

  test('of nothing is a mistake, whose message names the nearest id', () => {
    expect(refusalOf('login/answer5')).toBe(
      '--only "login/answer5" matches no requirement; give an id, a topic such as list/, a section such as 4.2, or a level (required, derived, advisory, open). Did you mean login/answers?',
    );
  });

  test('of nothing is a mistake even beside one of something, and has no guess if no id is near', () => {
    expect(refusalOf('login', 'zzz')).toMatch(/^--only "zzz" matches no requirement; .*open\)\.$/);
  });
});

const byId = (one: Requirement, other: Requirement): number => one.id.localeCompare(other.id);

describe('the nearest word', () => {
  test('to one of the words is that word', () => {
    fc.assert(
      fc.property(fc.constantFrom(...all), (word) => {
        expect(nearest(word, all)).toBe(word);
      }),
    );
  });

  test('is found despite one wrong letter', () => {
    const slip = fc.record({
      word: fc.constantFrom(...all),
      at: fc.nat({ max: 8 }),
      typed: fc.constantFrom('', 'x', 'xy'),
      lost: fc.constantFrom(0, 1),
    });
    fc.assert(
      fc.property(slip, ({ word, at, typed, lost }) => {
        expect(nearest(word.slice(0, at) + typed + word.slice(at + lost), all)).toBe(word);
      }),
    );
  });

  test.each([
    ['ab', ['abcd'], 'abcd'],
    ['ab', ['abcde'], undefined],
    ['axyd', ['abcd'], 'abcd'],
    ['abcdefghi', ['abcdef'], 'abcdef'],
    ['abcdefghi', ['abcde'], undefined],
    ['word', [], undefined],
    ['', ['abc'], undefined],
  ])('to %j among %j is %j', (word, candidates, expected) => {
    expect(nearest(word, candidates)).toBe(expected);
  });
});
