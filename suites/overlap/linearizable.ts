/** An operation that overlaps with others. If it took effect, it did so between its start and its end. */
export interface Operation<A> {
  readonly action: A;
  readonly start: number;
  readonly end: number;
  /** Whether it is unknown if the operation took effect. It may then take effect even long after its end. */
  readonly isUncertain?: boolean;
}

/** What actions do to a state. A model is pure: a step returns new states and changes none. */
export interface Model<S, A> {
  readonly init: S;
  /** The possible states after an action; none if the action is impossible in the given state. */
  step(state: S, action: A): readonly S[];
  /** A text that identifies the state: different states have different texts. */
  key(state: S): string;
}

/**
 * Whether some order explains the operations. In that order every operation is possible, and an operation that ended
 * before another began comes before it.
 *
 * This is the search of Wing and Gong ("Testing and verifying concurrent objects", 1993), which remembers the states
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

  /** @param done has a bit for each operation that is already ordered. */
  const search = (done: number, state: S): boolean => {
    // An uncertain operation may never have taken effect.
    if ((done & certain) === certain) return true;
    const place = `${done} ${model.key(state)}`;
    if (visited.has(place)) return false;
    visited.add(place);
    // The next operation must have begun before any of the remaining ones ended.
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
