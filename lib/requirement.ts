import type { z } from 'zod';
import type { Sign } from './account/signs.ts';
import type { Effort } from './effort.ts';
import { slim, type Exchange } from './http/exchange.ts';
import { observed, type Observation, type Outcome } from './outcome.ts';
import type { When } from './run/schedule.ts';
import type { Target } from './run/target.ts';

export { LEVELS, type Level } from './level.ts';

/** The sentences of the specification, by their positions. The table in `suites/sentences.ts` declares them. */
export interface AskedSentences {}

/** The position of a sentence in the specification: its section and a name, such as `4.2/status-200`. */
export type Position = keyof AskedSentences;

/** What requirements of every level have. */
export interface Common {
  /** Stable and read by people: the topic, a slash, a short claim. */
  readonly id: string;
  /** The section of the specification that it comes from, such as `4.2`. */
  readonly section: string;
  /** The sentences of the specification that it checks; at least one is in its own section. */
  readonly sentences: readonly [Position, ...Position[]];
  /** One sentence that is true of a good target. */
  readonly text: string;
  /** The most tags that the check has at once. */
  readonly tags?: number;
  /** The number of logins that the check sends in the phase `logins`. */
  readonly logins?: number;
  /** When the check runs; by default `main`. */
  readonly when?: When;
  /** Its cases are generated. Each has a path, which leads to it again. */
  readonly isGenerated?: true;
  /** The least effort at which it is checked; by default `quick`. */
  readonly effort?: Effort;
  /** The usual cause of the fault, in one sentence for the team that has to mend it. */
  readonly cause?: string;
  /** Tests the target and returns the outcome. It throws `Undecided` if its set-up fails; any other error is a fault of the suite. */
  readonly check: (target: Target) => Promise<Outcome>;
  /** Signs that any check may record. Each breaks the requirement, unless its own check already did. */
  readonly signs?: readonly Sign[];
  /** Called for every exchange of the run. Returns what is wrong with it, or undefined. */
  readonly watch?: (exchange: Exchange) => string | undefined;
}

/** One checkable sentence. It is one entry of the catalogue, one vitest test and one line of a report. */
export type Requirement = Common &
  (
    | { readonly level: 'required' | 'advisory' }
    | { readonly level: 'open'; readonly question: Question }
    | {
        readonly level: 'derived';
        /** How it follows from the specification, or from the standards that it builds on, in one sentence. */
        readonly derivation: string;
      }
  );

/** A question that the specification leaves open. Each requirement of level `open` has one. */
export interface Question<T = unknown> {
  /** Its name in a declaration and in the fingerprint: one word, or two with a dot between them, such as `filter.match`. */
  readonly key: string;
  /** The possible answers. They hold no ids, names or times of the run. */
  readonly answers: z.ZodType<T>;
  /** The answer as a sentence. */
  tell(answer: T): string;
  /** Whether the run fails if the observed answer differs from the declared one. */
  readonly gates: boolean;
  /** The most tags that asking has at once. */
  readonly tags: number;
  /** Questions whose answers this one needs. They are asked first, before this one makes any tag. */
  readonly needs: readonly Requirement[];
  ask(target: Target): Promise<Observation<T>>;
}

/** A requirement of level `open` whose answers have this type. Checks get the answer with `learn`. */
export type Open<T> = Requirement & { readonly level: 'open'; readonly question: Question<T> };

type Optional = 'gates' | 'tags' | 'needs';

/** Makes a requirement of a question. Its check observes the answer, once in a run. */
export function open<T>(
  parts: Omit<Common, 'check' | 'tags' | 'watch' | 'signs' | 'cause'> &
    Omit<Question<T>, Optional> &
    Partial<Pick<Question<T>, Optional>>,
): Open<T> {
  const { key, answers, tell, ask, gates = true, tags = 0, needs = [], ...rest } = parts;
  const question: Question<T> = { key, answers, tell, ask, gates, tags, needs };
  const requirement: Open<T> = {
    // There are many questions, and they gate only declared answers.
    effort: 'standard',
    ...rest,
    level: 'open',
    question,
    check: async (target) => observed(await observe(target, requirement)),
  };
  return requirement;
}

/** The answer to an open question, with the exchanges that show it; asked once in a run. */
async function observe<T>(target: Target, { id, question }: Open<T>): Promise<Observation<T>> {
  // Failures are not lost: the question gets them again when it asks for the answers.
  await Promise.allSettled(question.needs.map((need) => need.check(target)));
  return target.shared(
    `question ${id}`,
    question.tags,
    async (shared) => {
      const { answer, exchanges } = await question.ask(shared);
      return { answer: question.answers.parse(answer), exchanges: exchanges.map(slim) };
    },
    { isKept: true, isOfBoth: true },
  );
}

/**
 * The answer to an open question. Call it before the check makes tags.
 *
 * @throws Undecided if the question could not be answered.
 */
export const learn = async <T>(target: Target, open: Open<T>): Promise<T> =>
  (await observe(target, open)).answer;

/** A topic of the specification and its requirements, in the order of the document. */
export interface Suite {
  readonly topic: string;
  readonly requirements: readonly Requirement[];
}
