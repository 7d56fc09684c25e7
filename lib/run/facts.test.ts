import { expect, test } from 'vitest';
import { Facts } from './facts.ts';

const { constructor: _, ...getters } = Object.getOwnPropertyDescriptors(Facts.prototype);

test.each(Object.keys(getters))('%s is taken from the record of a run where there is no run', (name) => {
  const recorded = new Facts(undefined as never, () => 'recorded' as never);
  expect(Reflect.get(recorded, name)).toBe('recorded');
});
