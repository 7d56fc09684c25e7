/** Requirements that many operations together decide: a fault in one of the operations breaks them as well. */
export const ASKS_MANY = [
  'sequence/*',
  'overlap/*',
  'create/lasts',
  'create/same-name-twice',
  'update/to-any-name',
  'update/to-a-name-alike',
  'delete/every-tag',
  'list/agrees',
  'list/filter-of-any-form',
  'login/at-once',
  'transport/works-to-the-end',
];

/** Whether an id is the pattern, or begins like it where the pattern ends in `*`. */
export const fits = (id: string, pattern: string): boolean =>
  pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern;

/** Whether one of the patterns fits an id. */
export const isOneOf = (id: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => fits(id, pattern));
