/** An operation that overlaps with others. If it took effect, it did so between its start and its end. */
export interface Operation<A> {
  readonly action: A;
  readonly start: number;
  readonly end: number;
  /** Whether the operation took effect is unknown, and so is when: it may have done so long after its end. */
  readonly isUncertain?: boolean;
}

/** What actions do to a state. A model is pure: a step returns new states and changes none. */
export interface Model<S, A> {
  readonly init: S;
  /** The states that there can be after an action; none if the action is impossible in that state. */
  step(state: S, action: A): readonly S[];
  /** A text that is the same for equal states only. */
  key(state: S): string;
}

/**
 * Whether some order explains the operations: every operation is possible in it, and one that ended before another
 * began comes first.
 *
 * This is the search of Wing and Gong ("Testing and verifying concurrent objects", 1993), with a memory of the states
 * that it has visited (Lowe, "Testing for linearizability", 2017). It takes at most 31 operations.
 */
export function isLinearizable<S, A>(model: Model<S, A>, operations: readonly Operation<A>[]): boolean {
  if (operations.length > 31)
    throw new Error(`${operations.length} operations are too many: at most 31 can be ordered`);
  const certain = operations.reduce(
    (bits, { isUncertain }, at) => (isUncertain === true ? bits : bits | (1 << at)),
    0,
  );
  const visited = new Set<string>();

  /** @param done has a bit for each operation that the order contains already. */
  const search = (done: number, state: S): boolean => {
    // An uncertain operation may never have taken effect.
    if ((done & certain) === certain) return true;
    const place = `${done} ${model.key(state)}`;
    if (visited.has(place)) return false;
    visited.add(place);
    // The next operation has to begin before any of those left ended.
    const firstEnd = Math.min(
      ...operations.map(({ end, isUncertain }, at) =>
        (done >> at) & 1 || isUncertain === true ? Infinity : end,
      ),
    );
    return operations.some(
      ({ action, start }, at) =>
        ((done >> at) & 1) === 0 &&
        start <= firstEnd &&
        model.step(state, action).some((next) => search(done | (1 << at), next)),
    );
  };
  return search(0, model.init);
}
