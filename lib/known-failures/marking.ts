import type { Masker } from '../judging/masker.ts';
import type { ReportedRequirement } from '../reports/schema.ts';
import type { Gate } from './gate.ts';

/** A requirement with the entry of the list by which its failure is known, if there is one. */
export function marked(
  one: ReportedRequirement,
  { known }: Pick<Gate, 'known'>,
  masker: Masker,
): ReportedRequirement {
  const entry = known.get(one.id);
  if (entry === undefined) return one;
  const { finding, reason, link, until } = entry;
  return {
    ...one,
    known: {
      ...(finding === undefined ? {} : { finding: masker.text(finding) }),
      ...(reason === undefined ? {} : { reason: masker.text(reason) }),
      ...(link === undefined ? {} : { link: masker.text(link) }),
      ...(until === undefined ? {} : { until }),
    },
  };
}
