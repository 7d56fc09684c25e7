import type { Outcome } from './outcome.ts';
import type { Exchange } from './http/exchange.ts';
import type { Target } from './engine/target.ts';

/** How much a requirement weighs, and where it comes from. See the README for what each does to the verdict. */
export const LEVELS = ['required', 'derived', 'advisory', 'open'] as const;
export type Level = (typeof LEVELS)[number];

interface Common {
  /** Stable, read by people: the topic, a slash, a short claim. */
  readonly id: string;
  /** The section of the specification that it comes from, such as `4.2`. */
  readonly section: string;
  /** One sentence that is true of a good target. */
  readonly text: string;
  /** The most tags of its own that the check has alive at once. The run never holds more than its cap in all. */
  readonly tags?: number;
  /**
   * `first`: before all else, because its logins may end the token that the others use. `last`: after all else,
   * because what it sends may lock the account or throttle the address, or because it looks back on the run.
   * `throughout`: begins before all else and waits for the others to end.
   */
  readonly when?: 'first' | 'last' | 'throughout';
  /** What usually causes the fault, in one sentence for the team that has it. */
  readonly cause?: string;
  /** Asks the target and says what was found. Throws only for faults of the suite. */
  readonly check: (target: Target) => Promise<Outcome>;
  /** Looks at every exchange of the whole run as well; returns what is wrong with it, or undefined. */
  readonly watch?: (exchange: Exchange) => string | undefined;
}

/** One checkable sentence: the unit of the catalogue, of a vitest test, and of a line in a report. */
export type Requirement = Common &
  (
    | { readonly level: 'required' | 'advisory' | 'open' }
    | {
        readonly level: 'derived';
        /** In one sentence, how it follows from the specification or the standards that it stands on. */
        readonly derivation: string;
      }
  );

/** A topic of the specification and its requirements, in the order of the document. */
export interface Suite {
  readonly topic: string;
  readonly requirements: readonly Requirement[];
}
