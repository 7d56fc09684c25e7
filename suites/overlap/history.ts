import { accepted, type Exchange, statusOf } from '../../lib/check.ts';
import type { Model, Operation } from './linearizable.ts';

/** What is done to one tag, or seen of it. */
export type Does =
  | { readonly do: 'rename'; readonly name: string }
  | { readonly do: 'delete' }
  /** A list shows it under this name; undefined: not at all. */
  | { readonly do: 'shown'; readonly name: string | undefined }
  /** The filter by this name finds it, or does not. */
  | { readonly do: 'found'; readonly name: string; readonly isFound: boolean };

/** One request of several that overlap. */
export interface Asked {
  /** What it was, for people: `rename tag 1 to B`. */
  readonly what: string;
  readonly exchange: Exchange;
  /** What came of it, where that is more than its status. */
  readonly came?: string;
}

/**
 * One tag as a model: its name, or undefined where it is gone.
 *
 * @param makes whether an update of a tag that is gone makes it again, as the target may (8).
 */
export const tagNamed = (first: string, makes: boolean): Model<string | undefined, Does> => ({
  init: first,
  step: (name, does) => {
    switch (does.do) {
      case 'rename':
        return name !== undefined ? [does.name] : makes ? [undefined, does.name] : [undefined];
      case 'delete':
        return [undefined];
      case 'shown':
        return does.name === name ? [name] : [];
      case 'found':
        return (does.name === name) === does.isFound ? [name] : [];
    }
  },
  key: (name) => name ?? '',
});

export type Fate = 'done' | 'not done' | 'unknown';

/** What was refused was not done; where the server broke down or broke off, nobody knows. */
export function fateOf(exchange: Exchange): Fate {
  if (accepted(exchange)) return 'done';
  const status = statusOf(exchange);
  return status === 0 || status >= 500 ? 'unknown' : 'not done';
}

/** A request that writes as an operation, unless it was refused. */
export function written(does: Does, exchange: Exchange): Operation<Does>[] {
  const fate = fateOf(exchange);
  if (fate === 'not done') return [];
  return [{ does, ...momentsOf(exchange), ...(fate === 'unknown' ? { isUnsure: true } : {}) }];
}

export function momentsOf({ startedAt = 0, durationMs }: Exchange): { start: number; end: number } {
  return { start: startedAt, end: startedAt + durationMs };
}

/** What is seen when all is quiet again. */
export const inTheEnd = (does: Does): Operation<Does> => ({ does, start: Infinity, end: Infinity });

/** Characters from the first start to the last end. */
const WIDTH = 24;

/** Requests that overlap as lines of text, with the time from left to right: a bar from the request to its answer. */
export function timeline(all: readonly Asked[], inTheEnd: readonly string[] = []): string {
  const moments = all.map(({ exchange }) => momentsOf(exchange));
  const first = Math.min(...moments.map(({ start }) => start));
  const scale = (WIDTH - 1) / Math.max(1e-6, Math.max(...moments.map(({ end }) => end)) - first);
  const longest = Math.max(...all.map(({ what }) => what.length));
  const lines = all.map(({ what, exchange, came }, at) => {
    const { start, end } = moments[at] ?? { start: first, end: first };
    const from = Math.round((start - first) * scale);
    const to = Math.max(from + 1, Math.round((end - first) * scale));
    const bar = `${' '.repeat(from)}|${'-'.repeat(to - from - 1)}|`.padEnd(WIDTH + 1);
    const status = exchange.answer === undefined ? 'no answer' : String(exchange.answer.status);
    return `${what.padEnd(longest)}  ${bar}  ${status}${came === undefined ? '' : `, ${came}`}`;
  });
  return [...lines, ...inTheEnd.map((line) => `in the end: ${line}`)].join('\n');
}

/** A number as a letter, by which the names of a case are told. */
export const letter = (at: number): string => String.fromCharCode('A'.charCodeAt(0) + at);
