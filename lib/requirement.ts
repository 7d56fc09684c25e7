import type { z } from 'zod';
import type { Sign } from './account/signs.ts';
import type { Effort } from './effort.ts';
import { slim, type Exchange } from './http/exchange.ts';
import { observed, type Observation, type Outcome } from './outcome.ts';
import type { When } from './run/schedule.ts';
import type { Target } from './run/target.ts';

export { LEVELS, type Level } from './level.ts';

/** The sentences of the specification that requirements ask, by their positions. The table in `suites/` declares them. */
export interface AskedSentences {}

/** Where a sentence stands in the specification: the section and a name, such as `4.2/status-200`. */
export type Position = keyof AskedSentences;

/** What requirements of every level have. */
export interface Common {
  /** Stable and read by people: the topic, a slash, a short claim. */
  readonly id: string;
  /** The section of the specification that it comes from, such as `4.2`. */
  readonly section: string;
  /** The sentences of the specification that it asks; at least one stands in its own section. */
  readonly sentences: readonly [Position, ...Position[]];
  /** One sentence that is true of a good target. */
  readonly text: string;
  /** The most tags of its own that the check has at once. */
  readonly tags?: number;
  /** Logins that the check sends for itself in the phase `logins`. */
  readonly logins?: number;
  /** When it is asked; by default `main`. */
  readonly when?: When;
  /** Its cases are generated: a path leads to each of them. */
  readonly isGenerated?: true;
  /** The least effort at which it is asked; by default `quick`. */
  readonly effort?: Effort;
  /** What usually causes the fault, in one sentence for the team that has it. */
  readonly cause?: string;
  /** Asks the target and returns what was found. Throws `Undecided`, and anything else only for faults of the suite. */
  readonly check: (target: Target) => Promise<Outcome>;
  /** A sign of the whole run that breaks the requirement, where the check itself finds nothing wrong or cannot decide. */
  readonly sign?: Sign;
  /** Says what is wrong with an exchange, or undefined; called for every exchange of the run. */
  readonly watch?: (exchange: Exchange) => string | undefined;
}

/** One checkable sentence: the unit of the catalogue, of a vitest test, and of a line in a report. */
export type Requirement = Common &
  (
    | { readonly level: 'required' | 'advisory' }
    | { readonly level: 'open'; readonly question: Question }
    | {
        readonly level: 'derived';
        /** How it follows from the specification or the standards that it stands on, in one sentence. */
        readonly derivation: string;
      }
  );

/** What a requirement of level `open` asks: something that the specification does not show. */
export interface Question<T = unknown> {
  /** Its name in a declaration and the fingerprint: a word, or two with a dot between them, such as `filter.match`. */
  readonly key: string;
  /** The possible answers. They hold no ids, names or times of the run. */
  readonly answers: z.ZodType<T>;
  /** The answer as a sentence. */
  tell(answer: T): string;
  /** Whether the run fails where the declared answer is not the one observed. */
  readonly gates: boolean;
  /** The most tags that asking has at once. */
  readonly tags: number;
  /** Questions whose answers this one needs: they are asked first, while no tag is held. */
  readonly needs: readonly Requirement[];
  ask(target: Target): Promise<Observation<T>>;
}

/** A requirement of level `open` with answers of this type. Checks get the answer by `learn`. */
export type Open<T> = Requirement & { readonly level: 'open'; readonly question: Question<T> };

type Optional = 'gates' | 'tags' | 'needs';

/** Makes a requirement of a question. Its check observes the answer, once in a run. */
export function open<T>(
  parts: Omit<Common, 'check' | 'tags' | 'watch' | 'sign' | 'cause'> &
    Omit<Question<T>, Optional> &
    Partial<Pick<Question<T>, Optional>>,
): Open<T> {
  const { key, answers, tell, ask, gates = true, tags = 0, needs = [], ...rest } = parts;
  const question: Question<T> = { key, answers, tell, ask, gates, tags, needs };
  const requirement: Open<T> = {
    // There are many questions, and only declared answers depend on them.
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
  // A failure here comes again when the question asks for that answer.
  await Promise.allSettled(question.needs.map((need) => need.check(target)));
  return target.shared(
    `question ${id}`,
    question.tags,
    async (shared) => {
      const { answer, exchanges } = await question.ask(shared);
      return { answer: question.answers.parse(answer), exchanges: exchanges.map(slim) };
    },
    { isKept: true, isPatient: true },
  );
}

/**
 * The answer to an open question. A check asks for it before it makes tags.
 *
 * @throws Undecided where the question could not be answered.
 */
export const learn = async <T>(target: Target, open: Open<T>): Promise<T> =>
  (await observe(target, open)).answer;

/** A topic of the specification and its requirements, in the order of the document. */
export interface Suite {
  readonly topic: string;
  readonly requirements: readonly Requirement[];
}
