import type { Operation } from '../spec/operations.ts';
import { decisiveIn, operationAtFault } from './at-fault.ts';
import type { ReportedRequirement } from './schema.ts';

/** A finding and what distinguishes it from others. */
export interface Features {
  readonly one: ReportedRequirement;
  readonly operation: Operation | undefined;
  /** The sentence without values of this run. */
  readonly symptom: string;
  /** The number of the exchange that decides. */
  readonly decisive: number | undefined;
}

export function featuresOf(one: ReportedRequirement): Features {
  return {
    one,
    operation: operationAtFault(one),
    symptom: symptomOf(one.reason),
    decisive: decisiveIn(one)?.number,
  };
}

/** The sentence without quoted values, ids and counts of this run. */
const symptomOf = (reason: string): string =>
  reason
    .replace(/ \((and )?\d+ (more|times)[^)]*\)/g, '')
    .replace(/"(?:[^"\\]|\\.)*"?/gs, '…')
    .replace(/\/api\/v2\/\S+/g, '…')
    .replace(/\[\d+\]/g, '[]');

/** Whether the same operation fails in the same way, or in the same exchange. */
export const sharesFault = (one: Features, other: Features): boolean =>
  (one.decisive !== undefined && one.decisive === other.decisive) ||
  (one.operation === other.operation && one.symptom === other.symptom);
