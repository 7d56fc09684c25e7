import type { Exchange } from './http/exchange.ts';

/**
 * What a check found. `why` is one clause that gives both sides ("answered 201, not 200"). `exchanges` are those that
 * show it, in the order in which they were made.
 */
export type Outcome =
  | { readonly kind: 'holds'; readonly warning?: Finding }
  | ({ readonly kind: 'broken'; readonly example?: Example } & Finding)
  | ({ readonly kind: 'observed' } & Observation<unknown>)
  | ({ readonly kind: 'undecided'; readonly because: Lack } & Finding);

/** The outcome if nothing could be decided. */
type UndecidedOutcome = Extract<Outcome, { readonly kind: 'undecided' }>;

export interface Finding {
  readonly why: string;
  readonly exchanges: readonly Exchange[];
}

/** The smallest case found for which a property does not hold. */
export interface Example {
  /** The case in words. */
  readonly told: string;
  /** Together with the seed, it leads to the same case again. */
  readonly path: string;
  /** A shell script that sends the case. */
  readonly script?: string;
  /** Whether a limit of the run ended the search for a smaller case. */
  readonly isCutShort?: true;
}

/** The observed answer to an open question, with the exchanges that show it. */
export interface Observation<T> {
  readonly answer: T;
  readonly exchanges: readonly Exchange[];
}

/**
 * Why nothing could be decided. `choice`: a lawful choice of the target leaves nothing to check. `tester`: the tester left
 * something out. `budget`: a limit on what the run may send was reached. `failure`: a step before the deciding one failed.
 */
export type Lack = (typeof LACKS)[number];
export const LACKS = ['choice', 'tester', 'budget', 'failure'] as const;

export const holds = (): Outcome => ({ kind: 'holds' });

/** Removes duplicates: one list may show several effects. The deciding exchange often comes last, so its last place is kept. */
const once = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.filter((exchange, at) => exchanges.lastIndexOf(exchange) === at);

/** The requirement holds, but in a form that the specification does not describe: a warning at any level. */
export const holdsWithWarning = (why: string, ...exchanges: readonly Exchange[]): Outcome => ({
  kind: 'holds',
  warning: { why, exchanges: once(exchanges) },
});

export const broken = (why: string, ...exchanges: readonly Exchange[]): Outcome => ({
  kind: 'broken',
  why,
  exchanges: once(exchanges),
});

export const observed = ({ answer, exchanges }: Observation<unknown>): Outcome => ({
  kind: 'observed',
  answer,
  exchanges,
});

export const undecided = (
  because: Lack,
  why: string,
  ...exchanges: readonly Exchange[]
): UndecidedOutcome => ({
  kind: 'undecided',
  because,
  why,
  exchanges,
});

/**
 * Ends a check whose set-up failed, at any depth of calls. `outcomeOf` turns it into an outcome. Any other error is a fault
 * of the suite.
 */
export class Undecided extends Error {
  readonly outcome: UndecidedOutcome;
  /** The request that failed was sent, so it may have had its effect. */
  wasSent = false;

  constructor(because: Lack, why: string, ...exchanges: readonly Exchange[]) {
    super(why);
    this.name = 'Undecided';
    this.outcome = undecided(because, why, ...exchanges);
  }

  /** Marks that the request was sent. */
  afterSending(): this {
    this.wasSent = true;
    return this;
  }
}

/** The result of the work, or undefined if it throws `Undecided`. */
export async function ifDecided<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Undecided) return undefined;
    throw error;
  }
}

/** The outcome of a check, even if it throws `Undecided`. */
export async function outcomeOf(check: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof Undecided) return error.outcome;
    throw error;
  }
}

/** The worst of several outcomes, in this order: broken, undecided, a warning; else it holds. */
export const allOf = (...outcomes: readonly Outcome[]): Outcome =>
  outcomes.find((outcome) => outcome.kind === 'broken') ??
  outcomes.find((outcome) => outcome.kind === 'undecided') ??
  outcomes.find((outcome) => outcome.kind === 'holds' && outcome.warning !== undefined) ??
  holds();
