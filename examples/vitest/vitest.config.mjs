import { levels } from 'account-mutation-conformance';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['*.test.mjs'],
    // The level of each requirement is a tag: `vitest run --tags-filter required`.
    tags: levels.map((name) => ({ name })),
  },
});
