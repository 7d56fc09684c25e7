import type { Exchange } from './http/exchange.ts';

/**
 * What a check found. `why` is one sentence that gives both sides ("answered 201, not 200"); `exchanges` are those
 * that show it, in the order in which they were made.
 */
export type Outcome =
  | { readonly kind: 'holds'; readonly warning?: Finding }
  | ({ readonly kind: 'broken'; readonly example?: Example } & Finding)
  | ({ readonly kind: 'observed' } & Observation<unknown>)
  | ({ readonly kind: 'undecided'; readonly because: Lack } & Finding);

export interface Finding {
  readonly why: string;
  readonly exchanges: readonly Exchange[];
}

/** The smallest case found that a property does not hold for. */
export interface Example {
  /** The case, for people. */
  readonly told: string;
  /** Leads to the case again, with the same seed. */
  readonly path: string;
  /** A shell script that sends the case. */
  readonly script?: string;
}

/** What was seen where the specification leaves the answer open, with the exchanges that show it. */
export interface Observation<T> {
  readonly answer: T;
  readonly exchanges: readonly Exchange[];
}

/**
 * Whose doing it is that nothing could be decided: `choice`, a lawful choice of the target that leaves nothing to ask;
 * `tester`, something the tester left out; `failure`, a step before the question that did not work.
 */
export type Lack = 'choice' | 'tester' | 'failure';

export const holds = (): Outcome => ({ kind: 'holds' });

export const broken = (why: string, ...exchanges: readonly Exchange[]): Outcome => ({
  kind: 'broken',
  why,
  exchanges,
});

export const observed = ({ answer, exchanges }: Observation<unknown>): Outcome => ({
  kind: 'observed',
  answer,
  exchanges,
});

/** It holds, in a form that the specification does not promise: a warning whatever the level. */
export const doubtful = (why: string, ...exchanges: readonly Exchange[]): Outcome => ({
  kind: 'holds',
  warning: { why, exchanges },
});

export const undecided = (because: Lack, why: string, ...exchanges: readonly Exchange[]): Outcome => ({
  kind: 'undecided',
  because,
  why,
  exchanges,
});

/**
 * Ends a check whose set-up did not work. It is thrown because it ends the check from any depth of the set-up, and
 * caught in one place, which turns it into an outcome; no other throw is ever taken for one.
 */
export class Undecided extends Error {
  readonly outcome: Outcome;
  constructor(because: Lack, why: string, ...exchanges: readonly Exchange[]) {
    super(why);
    this.name = 'Undecided';
    this.outcome = undecided(because, why, ...exchanges);
  }
}

/** Ends a check whose request was sent, and whose answer was taken away by the end of the run, or says nothing of it. */
export class Unheard extends Undecided {}

/** What some work comes to, or undefined where it cannot be decided. */
export async function ifDecided<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Undecided) return undefined;
    throw error;
  }
}

/** The first outcome that is not plain success, else that it holds. */
export const allOf = (...outcomes: readonly Outcome[]): Outcome =>
  outcomes.find((outcome) => outcome.kind === 'broken') ??
  outcomes.find((outcome) => outcome.kind === 'undecided') ??
  outcomes.find((outcome) => outcome.kind === 'holds' && outcome.warning !== undefined) ??
  holds();
