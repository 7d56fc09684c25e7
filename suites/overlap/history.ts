import { accepted, type Exchange, holds, type Outcome, statusOf } from '../../lib/check.ts';
import type { Model, Operation } from './linearizable.ts';

/** What a request does to one tag, or what its answer shows about the tag. */
export type TagAction =
  | { readonly do: 'rename'; readonly name: string }
  | { readonly do: 'delete' }
  /** A list shows the tag with this name or, if undefined, does not show it. */
  | { readonly do: 'shown'; readonly name: string | undefined }
  /** The filter by this name finds the tag, or does not. */
  | { readonly do: 'found'; readonly name: string; readonly isFound: boolean };

/** One of several requests that overlap, as a line of a timeline. */
export interface TimedRequest {
  /** The request in words: `update tag 1 to B`. */
  readonly label: string;
  readonly exchange: Exchange;
  /** What the answer shows beyond its status. */
  readonly result?: string;
}

/**
 * A model of one tag. The state is its name, or undefined if it is deleted.
 *
 * @param updatesMakeTags whether an update of a deleted tag makes it again, which the specification leaves open (7).
 */
export const tagModel = (
  firstName: string,
  updatesMakeTags: boolean,
): Model<string | undefined, TagAction> => ({
  init: firstName,
  step: (name, action) => {
    switch (action.do) {
      case 'rename':
        if (name !== undefined) return [action.name];
        return updatesMakeTags ? [undefined, action.name] : [undefined];
      case 'delete':
        return [undefined];
      case 'shown':
        return action.name === name ? [name] : [];
      case 'found':
        return (action.name === name) === action.isFound ? [name] : [];
    }
  },
  key: (name) => name ?? '',
});

export type Effect = 'done' | 'not done' | 'unknown';

/** Whether a write took effect. A refused one did not. After a server error or without an answer, that is unknown. */
export function effectOf(exchange: Exchange): Effect {
  if (accepted(exchange)) return 'done';
  const status = statusOf(exchange);
  return status === 0 || status >= 500 ? 'unknown' : 'not done';
}

/** A write as an operation of the model; none if the write was refused. */
export function writeOperations(action: TagAction, exchange: Exchange): Operation<TagAction>[] {
  const effect = effectOf(exchange);
  if (effect === 'not done') return [];
  return [{ action, ...intervalOf(exchange), ...(effect === 'unknown' ? { isUncertain: true } : {}) }];
}

/** The time from the request to the end of its answer, in milliseconds. */
export function intervalOf({ startedAt, durationMs }: Exchange): { start: number; end: number } {
  return { start: startedAt, end: startedAt + durationMs };
}

/** An observation after the end of all requests. */
export const observedAtEnd = (action: TagAction): Operation<TagAction> => ({
  action,
  start: Infinity,
  end: Infinity,
});

/** The width of the timeline in characters, from the first start to the last end. */
const WIDTH = 24;

/**
 * Draws overlapping requests as lines of text: a bar from each request to its answer, with the time from left to right.
 *
 * @param finalStates the states after all requests, one clause each.
 */
export function timeline(requests: readonly TimedRequest[], finalStates: readonly string[] = []): string {
  const intervals = requests.map(({ exchange }) => intervalOf(exchange));
  const first = Math.min(...intervals.map(({ start }) => start));
  const scale = (WIDTH - 1) / Math.max(1e-6, Math.max(...intervals.map(({ end }) => end)) - first);
  const longest = Math.max(...requests.map(({ label }) => label.length));
  const lines = requests.map(({ label, exchange, result }, at) => {
    const { start, end } = intervals[at] ?? { start: first, end: first };
    const from = Math.round((start - first) * scale);
    const to = Math.max(from + 1, Math.round((end - first) * scale));
    const bar = `${' '.repeat(from)}|${'-'.repeat(to - from - 1)}|`.padEnd(WIDTH + 1);
    const status = exchange.answer === undefined ? 'no answer' : String(exchange.answer.status);
    return `${label.padEnd(longest)}  ${bar}  ${status}${result === undefined ? '' : `, ${result}`}`;
  });
  return [...lines, ...finalStates.map((state) => `in the end: ${state}`)].join('\n');
}

/**
 * The finding with the timeline of its requests as its example, or the outcome that the requirement holds if there is
 * no finding.
 */
export const withTimeline = (
  finding: Outcome | undefined,
  requests: readonly TimedRequest[],
  finalStates?: readonly string[],
): Outcome =>
  finding?.kind === 'broken'
    ? { ...finding, example: { told: timeline(requests, finalStates), path: '' } }
    : (finding ?? holds());

/** The letter for a name in a timeline, by its number from 0. */
export const letterOf = (at: number): string => String.fromCharCode('A'.charCodeAt(0) + at);
