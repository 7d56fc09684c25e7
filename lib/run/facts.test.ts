import { expect, test } from 'vitest';
import { factsOf } from './facts.ts';

const recorded = factsOf(undefined as never, () => 'recorded' as never);

test.each(Object.getOwnPropertyNames(recorded))(
  '%s is taken from the record of a run where there is no run',
  (fact) => {
    expect(Reflect.get(recorded, fact)).toBe('recorded');
  },
);
