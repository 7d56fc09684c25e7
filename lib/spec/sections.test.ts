import { expect, test } from 'vitest';
import { bySection, sectionName } from './sections.ts';

test.each([
  ['4.2', '4.2 create'],
  ['5', '5 authentication'],
  ['12.7', '12.7'],
])('section %s is called %s', (section, name) => {
  expect(sectionName(section)).toBe(name);
});

test('sections stand in the order of the specification', () => {
  expect(['9', '10', '4.10', '4', '4.2', '1'].toSorted(bySection)).toEqual([
    '1',
    '4',
    '4.2',
    '4.10',
    '9',
    '10',
  ]);
});
