import type { Level } from '../requirement.ts';

/** The parts of a requirement that a certificate depends on. */
export interface Entry {
  readonly id: string;
  readonly level: Level;
  readonly text: string;
}

const byId = (one: Entry, other: Entry): number => (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);

/** A requirement that is new, has another level or text, or is gone. */
export type Change =
  | ({ readonly change: 'new' } & Entry)
  | ({ readonly change: 'changed'; readonly was: Omit<Entry, 'id'> } & Entry)
  | ({ readonly change: 'removed' } & Entry);

/** The differences between an earlier catalogue and a later one, sorted by id. */
export function changesBetween(before: readonly Entry[], after: readonly Entry[]): Change[] {
  const old = new Map(before.map((entry) => [entry.id, entry]));
  const kept = new Set(after.map(({ id }) => id));
  return [
    ...after.flatMap(({ id, level, text }): Change[] => {
      const was = old.get(id);
      if (was === undefined) return [{ id, change: 'new', level, text }];
      if (was.level === level && was.text === text) return [];
      return [{ id, change: 'changed', level, text, was: { level: was.level, text: was.text } }];
    }),
    ...before
      .filter(({ id }) => !kept.has(id))
      .map(({ id, level, text }): Change => ({ id, change: 'removed', level, text })),
  ].toSorted(byId);
}

/** Applies changes to a catalogue. */
export function withChanges(before: readonly Entry[], changes: readonly Change[]): Entry[] {
  const entries = new Map(before.map((entry) => [entry.id, entry]));
  for (const { change, id, level, text } of changes) {
    if (change === 'removed') entries.delete(id);
    else entries.set(id, { id, level, text });
  }
  return [...entries.values()];
}
