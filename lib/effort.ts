/** How much a run may ask of its target. */
export const EFFORTS = ['quick', 'standard', 'thorough'] as const;
export type Effort = (typeof EFFORTS)[number];

/** Whether an effort is at least as great as another. */
export const reaches = (effort: Effort, other: Effort): boolean =>
  EFFORTS.indexOf(effort) >= EFFORTS.indexOf(other);

/** The most of each that a run sends: requests, among them such as write tags, logins, and of these such as fail. */
export interface Budget {
  readonly requests: number;
  readonly writes: number;
  readonly logins: number;
  readonly failedLogins: number;
}

/** Targets lock accounts and throttle addresses: what a run may do to them follows from its effort. */
export const BUDGETS: Readonly<Record<Effort, Budget>> = {
  quick: { requests: 400, writes: 250, logins: 12, failedLogins: 8 },
  standard: { requests: 1_600, writes: 1_000, logins: 40, failedLogins: 25 },
  thorough: { requests: 20_000, writes: 15_000, logins: 200, failedLogins: 80 },
};
