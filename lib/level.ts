/** How much a requirement weighs, and where it comes from. docs/verdicts.md says what each does to the verdict. */
export const LEVELS = ['required', 'derived', 'advisory', 'open'] as const;
export type Level = (typeof LEVELS)[number];
