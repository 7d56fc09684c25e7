import type { ReportedRequirement } from './schema.ts';

/** Says that a requirement failed intermittently; undefined if it failed each time, or was checked only once. */
export function intermittence({ steadiness }: Pick<ReportedRequirement, 'steadiness'>): string | undefined {
  return steadiness === undefined || steadiness.failed === steadiness.asked
    ? undefined
    : `Intermittent: it failed in ${steadiness.failed} of ${steadiness.asked} checks.`;
}
