/** Why a check may conclude something else from the evidence than in the run. */
export class Doubts {
  /** It asked for more than the evidence holds. */
  endsEarly = false;
  /** A body was needed of which only the digest is kept. */
  lacksBody = false;
  /** It asked for something else than in the run, because the request is random or secret. */
  asksOtherwise = false;
  /** In the run, something that it asked for could not be sent or decided. */
  wasUndecided = false;
  /** The doubts of the shared work that it used. */
  readonly used = new Set<Doubts>();

  /** Its own doubts and those of all work that it used. */
  get all(): ReadonlySet<Doubts> {
    const all = new Set<Doubts>([this]);
    for (const one of all) for (const used of one.used) all.add(used);
    return all;
  }

  has(doubt: 'endsEarly' | 'lacksBody' | 'asksOtherwise' | 'wasUndecided'): boolean {
    return [...this.all].some((one) => one[doubt]);
  }
}
