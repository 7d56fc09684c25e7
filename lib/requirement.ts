import type { z } from 'zod';
import type { Effort } from './effort.ts';
import { observed, type Observation, type Outcome } from './outcome.ts';
import type { Exchange } from './http/exchange.ts';
import type { Target } from './engine/target.ts';
import type { Sign } from './run/signs.ts';

/** How much a requirement weighs, and where it comes from. See the README for what each does to the verdict. */
export const LEVELS = ['required', 'derived', 'advisory', 'open'] as const;
export type Level = (typeof LEVELS)[number];

/** The sentences of the specification that requirements ask, by their positions. The table in `suites/` declares them. */
export interface AskedSentences {}

/** Where a sentence stands in the specification: the section and a name, such as `4.2/status-200`. */
export type Position = keyof AskedSentences;

interface Common {
  /** Stable, read by people: the topic, a slash, a short claim. */
  readonly id: string;
  /** The section of the specification that it comes from, such as `4.2`. */
  readonly section: string;
  /** The sentences of the specification that it asks; at least one stands in its own section. */
  readonly sentences: readonly [Position, ...Position[]];
  /** One sentence that is true of a good target. */
  readonly text: string;
  /** The most tags of its own that the check has alive at once. The run never holds more than its cap in all. */
  readonly tags?: number;
  /**
   * `first`: before all else, because its logins may end the token that the others use. `logins`: after all else, because wrong logins may end tokens, lock the account or throttle
   * the address.
   * `throughout`: begins before all else and waits for the others to end. `calm`: one after another while nothing else
   * goes on, with as many tags as the run may have, because how many there are, or their order, is what it asks.
   * `generated`: after these, because it asks as much as the budget lets it.
   */
  readonly when?: 'first' | 'calm' | 'generated' | 'logins' | 'throughout';
  /** Whether its cases are generated: then a path leads to each of them. */
  readonly isGenerated?: true;
  /** The least effort at which it is asked; by default the smallest. */
  readonly effort?: Effort;
  /** What usually causes the fault, in one sentence for the team that has it. */
  readonly cause?: string;
  /** Asks the target and says what was found. Throws only for faults of the suite. */
  readonly check: (target: Target) => Promise<Outcome>;
  /** A sign of the whole run that breaks it as well, where the check finds nothing wrong or cannot decide. */
  readonly sign?: Sign;
  /** Looks at every exchange of the whole run as well; returns what is wrong with it, or undefined. */
  readonly watch?: (exchange: Exchange) => string | undefined;
}

/** One checkable sentence: the unit of the catalogue, of a vitest test, and of a line in a report. */
export type Requirement = Common &
  (
    | { readonly level: 'required' | 'advisory' }
    | { readonly level: 'open'; readonly question: Question }
    | {
        readonly level: 'derived';
        /** In one sentence, how it follows from the specification or the standards that it stands on. */
        readonly derivation: string;
      }
  );

/** What a requirement of level open asks: something that the specification does not show, and that has an answer. */
export interface Question<T = unknown> {
  /** By which a declaration and the fingerprint know it: a name, or two with a dot between them, such as `filter.match`. */
  readonly key: string;
  /** The answers that there can be. They hold no ids, names or times of the run. */
  readonly answers: z.ZodType<T>;
  /** The answer as a sentence for people. */
  tell(answer: T): string;
  /** Whether a declared answer that is another than the one seen fails the run. */
  readonly gates: boolean;
  /** The most tags that asking has alive at once. */
  readonly tags: number;
  /** Questions whose answers asking takes: they are asked first, while no tag is held. */
  readonly needs: readonly Requirement[];
  ask(target: Target): Promise<Observation<T>>;
}

/** A requirement of level open whose answer has this type; checks ask the target for it with `target.learn`. */
export type Open<T> = Requirement & { readonly level: 'open'; readonly question: Question<T> };

type Optional = 'gates' | 'tags' | 'needs';

/** Makes a requirement of a question; its check observes the answer, once in a run whoever asks. */
export function open<T>(
  parts: Omit<Common, 'check' | 'tags' | 'watch' | 'sign' | 'cause'> &
    Omit<Question<T>, Optional> &
    Partial<Pick<Question<T>, Optional>>,
): Open<T> {
  const { key, answers, tell, ask, gates = true, tags = 0, needs = [], ...rest } = parts;
  const question: Question<T> = { key, answers, tell, ask, gates, tags, needs };
  const requirement: Open<T> = {
    // Answers are many, and nothing depends on them but where they were declared.
    effort: 'standard',
    ...rest,
    level: 'open',
    question,
    check: async (target) => observed(await target.observe(requirement)),
  };
  return requirement;
}

/** A topic of the specification and its requirements, in the order of the document. */
export interface Suite {
  readonly topic: string;
  readonly requirements: readonly Requirement[];
}
