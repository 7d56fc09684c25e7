import { expect, test } from 'vitest';
import { catalogue, suites } from './index.ts';

const ids = catalogue.map(({ id }) => id);

// Ids stand in records that people keep, so they never change. A snapshot shows each one that comes or goes in the diff.
test('the ids of the catalogue are those of ids.txt', async () => {
  await expect(`${ids.join('\n')}\n`).toMatchFileSnapshot('ids.txt');
});

test('each id stands once in the catalogue', () => {
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});

test('each id begins with the topic of its suite', () => {
  const wrong = suites.flatMap(({ topic, requirements }) =>
    requirements
      .filter(({ id }) => !id.startsWith(`${topic}/`))
      .map(({ id }) => `${id} stands in the suite ${topic}`),
  );
  expect(wrong).toEqual([]);
});

test('every text is a sentence, or a question if the requirement is open, and every derivation is a sentence', () => {
  for (const requirement of catalogue) {
    expect(requirement.text, requirement.id).toMatch(
      requirement.level === 'open' ? /^[A-Z].*\?$/s : /^[A-Z].*\.$/s,
    );
    if (requirement.level === 'derived') expect(requirement.derivation, requirement.id).toMatch(/\.$/);
  }
});

test('every requirement that can fail says what usually causes the fault', () => {
  for (const { id, level, cause } of catalogue)
    if (level !== 'open') expect(cause, id).toMatch(/^[A-Z].*\.$/s);
});
