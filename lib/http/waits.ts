/**
 * For what a run waits, how long and how often, each time that the target seems not to answer as it usually does. All times
 * are in milliseconds. Effects that show late have the settle time (`account/settling.ts`).
 */
export const WAITS = {
  /** The target defers a request (429, and 503 or 403 with `Retry-After`): it is sent again after a pause. */
  deferred: {
    /** The first pause if the target does not say how long to wait, and if it does; doubled each time. */
    firstMs: { unsaid: 250, said: 10 },
    /** How many times a request waits as long as the target asks. After that, it waits at least that long. */
    timesAsAsked: 2,
    /** The longest pause that the target did not ask for. */
    mostMs: 65_000,
    /** The most times that a request is sent again. */
    times: 8,
    /** The same if waiting did not help an earlier request of its kind, and none of that kind has been answered since. */
    timesInVain: 1,
    /** How many times the whole run waits. After that, only the deferred request waits, if others are answered meanwhile. */
    timesTogether: 2,
    /** After so many repetitions, a 503 without `Retry-After` counts as a server error. */
    timesUnavailable: 4,
  },

  /**
   * After so many requests without an answer in time, some are most likely never answered. Then the run waits so many times the
   * longest time that an answer took, and never less than `leastMs`.
   */
  unanswered: { many: 5, timesSlowest: 20, leastMs: 2_000 },

  /** A probe decides whether the target still answers anything. Probes take requests from the budget. */
  probed: {
    /** After so many requests in a row without an answer. */
    unanswered: 3,
    /** After so many server errors in a row. */
    serverErrors: 3,
    /**
     * After `few` server errors to an operation while others were answered well, only some in a row cause another probe.
     * After `most` probes that were answered well, none is sent any more.
     */
    inVain: { few: 2, most: 20 },
  },

  /**
   * A target that answered before refuses or closes every connection, or answers everything with a server error. It may be
   * restarting.
   */
  down: {
    /** How long the run waits for it, in settle times. */
    settles: 10,
    /** The first pause; each later one is twice as long. */
    firstMs: 50,
    /** The longest pause while it starts, and while it restarts: a run waits for the latter. */
    mostMs: { starting: 1_000, restarting: 500 },
  },

  /** The same for writes only, while lists are answered. Each probe creates a tag and deletes it. */
  downForWrites: {
    mostMs: 1_000,
    /** After so many probes that were answered well, none is sent any more. */
    mostInVain: 6,
  },

  /** Wrong logins have locked the account: the pauses before each new login, in a check and while tidying up. */
  locked: { pausesMs: { check: [2_500, 5_000], tidying: [5_000, 10_000] } },

  /** The address is banned for a while, because of refused requests: the pauses before each look. */
  banned: { pausesMs: [1_000, 3_000, 6_000], times: 10 },

  /** A step failed at requests that may be answered well the next time: how often it is tried in all. */
  tried: {
    /** Closed connections may hold the next time. */
    closed: 4,
    /** Time-outs cost much. */
    timedOut: 2,
    /** An answer may be different the next time. */
    transient: 3,
  },
} as const;
