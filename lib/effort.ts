/** How much a run may send to its target, in ascending order. */
export const EFFORTS = ['quick', 'standard', 'thorough'] as const;
export type Effort = (typeof EFFORTS)[number];

/** Whether an effort is at least as great as another. */
export const reaches = (effort: Effort, other: Effort): boolean =>
  EFFORTS.indexOf(effort) >= EFFORTS.indexOf(other);

/** The limits of what a run sends. Writes and logins count among the requests, failed logins among the logins. */
export interface Budget {
  readonly requests: number;
  readonly writes: number;
  readonly logins: number;
  readonly failedLogins: number;
}

/** About how many requests and logins a whole run sends to a conforming target, measured on the reference. */
export const USUAL: Readonly<Record<Effort, Pick<Budget, 'requests' | 'logins'>>> = {
  quick: { requests: 305, logins: 12 },
  standard: { requests: 1_560, logins: 39 },
  thorough: { requests: 12_180, logins: 90 },
};

/** The budget of each effort. It is limited because targets lock accounts and throttle addresses. */
export const BUDGETS: Readonly<Record<Effort, Budget>> = {
  quick: { requests: 500, writes: 300, logins: 20, failedLogins: 8 },
  standard: { requests: 1_600, writes: 1_000, logins: 40, failedLogins: 25 },
  thorough: { requests: 20_000, writes: 15_000, logins: 200, failedLogins: 80 },
};
