import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { catalogue } from './index.ts';
import { saysOf, sectionsAskedBy, SPECIFICATION_DIGEST, type Sentence } from './sentences.ts';

const SENTENCES = sectionsAskedBy(catalogue).flatMap(({ sentences }) => sentences);

/** A requirement whose sentences the compiler does not check. */
interface Loose {
  readonly id: string;
  readonly section: string;
  readonly sentences: readonly string[];
}

/** What is wrong with the sentences that requirements name, and with a table of sentences that lists them. */
function complaints(requirements: readonly Loose[], table: readonly Sentence[]): string[] {
  return [
    ...table.flatMap(({ position, asked = [], notAsked = '' }) =>
      asked.length > 0 === (notAsked !== '') ? [`${position} is checked and excluded, or neither`] : [],
    ),
    ...requirements.flatMap(({ id, section, sentences }) => [
      ...sentences
        .filter((named) => !table.some(({ position }) => position === named))
        .map((named) => `${id} names ${named}, which is no sentence`),
      ...sentences
        .filter((named, at) => sentences.indexOf(named) !== at)
        .map((named) => `${id} names ${named} twice`),
      ...(sentences.some((named) => named.startsWith(`${section}/`))
        ? []
        : [`${id} is of section ${section}, but names no sentence of it`]),
    ]),
  ];
}

describe('the sentences of the specification', () => {
  test('are each checked or excluded, and every requirement names one of its own section', () => {
    expect(complaints(catalogue, SENTENCES)).toEqual([]);
  });

  test('are those of the specification that lies beside the checkout', () => {
    const specification = new URL('../../shared/spec.md', import.meta.url);
    // The specification is not part of the repository, so it may be missing.
    if (!existsSync(specification)) return;
    const digest = createHash('sha256').update(readFileSync(specification)).digest('hex');
    expect(digest, 'the table was made for another version of the specification').toBe(SPECIFICATION_DIGEST);
  });

  test('list the requirements that name them', () => {
    const [one, other] = [
      { id: 'create/answers', sentences: ['1/create', '4.2/path'] as const },
      { id: 'create/lasts', sentences: ['4.2/path'] as const },
    ];
    const sentences = sectionsAskedBy([one, other]).flatMap((section) => section.sentences);
    const asked = sentences.filter((sentence) => sentence.asked !== undefined);
    expect(asked).toMatchObject([
      { position: '1/create', asked: ['create/answers'] },
      { position: '4.2/path', asked: ['create/answers', 'create/lasts'] },
    ]);
  });
});

describe('there is a complaint', () => {
  const requirement: Loose = { id: 'create/answers', section: '4.2', sentences: ['4.2/path'] };
  const sentence: Sentence = {
    section: '4.2',
    position: '4.2/path',
    says: 'Something.',
    asked: ['create/answers'],
  };
  const excluded: Sentence = { section: '8', position: '8/rate', says: 'Something.', notAsked: 'open' };

  test('not if nothing is wrong', () => {
    expect(complaints([requirement], [sentence, excluded])).toEqual([]);
  });

  test.each<[string, readonly Loose[], readonly Sentence[], string]>([
    [
      'if a sentence has neither ids nor a reason',
      [requirement],
      [sentence, { section: '8', position: '8/rate', says: 'Something.' }],
      '8/rate is checked and excluded, or neither',
    ],
    [
      'if a sentence has both ids and a reason',
      [requirement],
      [{ ...sentence, notAsked: 'open' }],
      '4.2/path is checked and excluded, or neither',
    ],
    [
      'if a requirement names a sentence that does not exist',
      [{ ...requirement, sentences: ['4.2/path', '4.2/paths'] }],
      [sentence],
      'create/answers names 4.2/paths, which is no sentence',
    ],
    [
      'if a requirement names a sentence twice',
      [{ ...requirement, sentences: ['4.2/path', '4.2/path'] }],
      [sentence],
      'create/answers names 4.2/path twice',
    ],
    [
      'if a requirement names no sentence',
      [requirement, { id: 'create/lasts', section: '4.2', sentences: [] }],
      [sentence],
      'create/lasts is of section 4.2, but names no sentence of it',
    ],
    [
      'if a requirement names only sentences of other sections',
      [{ ...requirement, section: '4' }],
      [sentence],
      'create/answers is of section 4, but names no sentence of it',
    ],
  ])('%s', (_, requirements, table, complaint) => {
    expect(complaints(requirements, table)).toEqual([complaint]);
  });
});

test('A finding about what a filter finds quotes the sentence about filters, and one about a status the one about statuses.', () => {
  const requirement = { section: '4.4', sentences: ['4.4/filter-meaning', '4.4/status-200'] } as const;
  expect(saysOf(requirement, 'the filter by "a" finds the tag named "b"').says).toBe(
    'tag filters the list by name.',
  );
  expect(saysOf(requirement, 'the list answered 500').says).toBe('A list is answered 200.');
});
