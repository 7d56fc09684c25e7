import type { ReportedRequirement } from '../reports/schema.ts';
import { suites } from '../../suites/index.ts';

/** One requirement of the catalogue, without its check. */
export interface Requirement {
  /** Stable: a topic, a slash and a short claim. */
  readonly id: string;
  readonly topic: string;
  /** Section of the specification. */
  readonly section: string;
  readonly level: ReportedRequirement['level'];
  /** One sentence that is true of a good target. */
  readonly text: string;
  /** How it follows from the specification or a standard, if it is derived. */
  readonly derivation?: string;
  /** What usually causes the fault. */
  readonly cause?: string;
  /** The name of an open question in declarations and fingerprints. */
  readonly key?: string;
}

/** All requirements, in the order of the specification. */
export const requirements: readonly Requirement[] = suites.flatMap(({ topic, requirements }) =>
  requirements.map((one) => ({
    id: one.id,
    topic,
    section: one.section,
    level: one.level,
    text: one.text,
    ...(one.level === 'derived' ? { derivation: one.derivation } : {}),
    ...(one.cause === undefined ? {} : { cause: one.cause }),
    ...(one.level === 'open' ? { key: one.question.key } : {}),
  })),
);
