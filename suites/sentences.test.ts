import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Requirement } from '../lib/check.ts';
import { catalogue } from './index.ts';
import { sentences, SPECIFICATION_DIGEST, type Sentence } from './sentences.ts';

/** What a table could say in spite of its types. */
type Loose = Pick<Sentence, 'section' | 'position' | 'says'> & {
  readonly asked?: readonly string[];
  readonly notAsked?: string;
};

type Named = Pick<Requirement, 'id' | 'section'>;

/** What is wrong with a table of sentences, given the requirements that there are. */
function complaints(table: readonly Loose[], requirements: readonly Named[]): string[] {
  const ids = new Set(requirements.map(({ id }) => id));
  const ofSentences = table.flatMap(({ position, asked = [], notAsked = '' }, at) => [
    ...(table.findIndex((other) => other.position === position) === at ? [] : [`${position} stands twice`]),
    ...(asked.length > 0 === (notAsked !== '') ? [`${position} is asked and excluded, or neither`] : []),
    ...asked.filter((id) => !ids.has(id)).map((id) => `${position} names ${id}, which is no requirement`),
    ...asked.filter((id, at) => asked.indexOf(id) !== at).map((id) => `${position} names ${id} twice`),
  ]);
  const ofRequirements = requirements.flatMap(({ id, section }) => {
    const naming = table.filter(({ asked }) => asked?.includes(id));
    if (naming.length === 0) return [`${id} is asked for by no sentence`];
    return naming.some((sentence) => sentence.section === section)
      ? []
      : [`${id} is of section ${section}, where no sentence names it`];
  });
  return [...ofSentences, ...ofRequirements];
}

describe('the sentences of the specification', () => {
  test('are each asked or excluded, and account for every requirement', () => {
    expect(complaints(sentences, catalogue)).toEqual([]);
  });

  test('are those of the specification that lies beside the checkout', () => {
    const specification = new URL('../../shared/spec.md', import.meta.url);
    // A checkout stands by itself: the specification need not be there.
    if (!existsSync(specification)) return;
    const digest = createHash('sha256').update(readFileSync(specification)).digest('hex');
    expect(digest, 'the specification is another than the one that the table was made for').toBe(
      SPECIFICATION_DIGEST,
    );
  });
});

describe('a table is complained about', () => {
  const requirement = { id: 'create/answers', section: '4.2' };
  const sentence: Loose = {
    section: '4.2',
    position: '4.2/path',
    says: 'Something.',
    asked: ['create/answers'],
  };
  const excluded: Loose = { section: '8', position: '8/rate', says: 'Something.', notAsked: 'open' };

  test('not where there is nothing wrong with it', () => {
    expect(complaints([sentence, excluded], [requirement])).toEqual([]);
  });

  test.each<[string, readonly Loose[], readonly Named[], string]>([
    [
      'where a sentence has neither ids nor a reason',
      [sentence, { section: '8', position: '8/rate', says: 'Something.' }],
      [requirement],
      '8/rate is asked and excluded, or neither',
    ],
    [
      'where a sentence has no id in its ids',
      [sentence, { section: '8', position: '8/rate', says: 'Something.', asked: [] }],
      [requirement],
      '8/rate is asked and excluded, or neither',
    ],
    [
      'where a sentence has both ids and a reason',
      [{ ...sentence, notAsked: 'open' }],
      [requirement],
      '4.2/path is asked and excluded, or neither',
    ],
    [
      'where an id is no requirement',
      [{ ...sentence, asked: ['create/answers', 'create/answer'] }],
      [requirement],
      '4.2/path names create/answer, which is no requirement',
    ],
    [
      'where a sentence names a requirement twice',
      [{ ...sentence, asked: ['create/answers', 'create/answers'] }],
      [requirement],
      '4.2/path names create/answers twice',
    ],
    [
      'where two sentences have the same position',
      [sentence, excluded, excluded],
      [requirement],
      '8/rate stands twice',
    ],
    [
      'where a requirement has no sentence',
      [sentence],
      [requirement, { id: 'create/lasts', section: '4.2' }],
      'create/lasts is asked for by no sentence',
    ],
    [
      'where only other sections name a requirement',
      [sentence],
      [{ ...requirement, section: '7' }],
      'create/answers is of section 7, where no sentence names it',
    ],
  ])('%s', (_, table, requirements, complaint) => {
    expect(complaints(table, requirements)).toEqual([complaint]);
  });
});
