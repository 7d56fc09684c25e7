/** Something that was asked between two moments: when it took effect, if it did, lies between them. */
export interface Operation<T> {
  readonly does: T;
  readonly start: number;
  readonly end: number;
  /** Whether it was carried out nobody knows, nor when: it may still be, long after its end. */
  readonly isUnsure?: boolean;
}

/** What operations do to a state. A model is pure: a step returns new states and changes none. */
export interface Model<S, T> {
  readonly init: S;
  /** What there can be after an operation; nothing, where it cannot have been carried out in that state. */
  step(state: S, does: T): readonly S[];
  /** The same text for the same state, and for no other one. */
  key(state: S): string;
}

/**
 * Whether some order of the operations explains what they came to: one that keeps those in order of which the first had
 * ended before the second began, and in which each is possible.
 *
 * The search of Wing and Gong ("Testing and verifying concurrent objects", 1993), which remembers the states that it
 * has been in (Lowe, "Testing for linearizability", 2017). For a handful of operations, at most 31.
 */
export function isLinearizable<S, T>(model: Model<S, T>, operations: readonly Operation<T>[]): boolean {
  if (operations.length > 31)
    throw new Error(`${operations.length} operations are too many to be put in order`);
  const sure = operations.reduce(
    (bits, { isUnsure }, at) => (isUnsure === true ? bits : bits | (1 << at)),
    0,
  );
  const seen = new Set<string>();

  /** @param done bits of the operations that are in order already. */
  const search = (done: number, state: S): boolean => {
    // What is unsure may never have been carried out.
    if ((done & sure) === sure) return true;
    const place = `${done} ${model.key(state)}`;
    if (seen.has(place)) return false;
    seen.add(place);
    // Whatever comes next began before every other one that is left had ended.
    const firstEnd = Math.min(
      ...operations.map(({ end, isUnsure }, at) => ((done >> at) & 1 || isUnsure === true ? Infinity : end)),
    );
    return operations.some(
      ({ does, start }, at) =>
        ((done >> at) & 1) === 0 &&
        start <= firstEnd &&
        model.step(state, does).some((next) => search(done | (1 << at), next)),
    );
  };
  return search(0, model.init);
}
