import type { ReportedRequirement } from './schema.ts';

/** Says that a requirement failed at times only; undefined: it failed each time, or was asked once. */
export function intermittence({ steadiness }: Pick<ReportedRequirement, 'steadiness'>): string | undefined {
  return steadiness === undefined || steadiness.failed === steadiness.asked
    ? undefined
    : `Intermittent: it failed in ${steadiness.failed} of ${steadiness.asked} checks.`;
}
