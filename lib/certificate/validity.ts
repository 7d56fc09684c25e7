import type { Predicate } from './statement.ts';

export const DAY_MS = 24 * 3_600_000;

/** The most days that a certificate may be valid: servers change, and so does the suite. */
export const MOST_DAYS = 366;

/** The tolerated difference between the clocks of the maker and the verifier, in milliseconds. */
const SKEW_MS = 5 * 60_000;

/** The reasons to refuse a certificate because of its times or the present time, one sentence each. */
export function untimely(
  {
    startedAt,
    endedAt,
    issuedAt,
    notAfter,
  }: Pick<Predicate, 'startedAt' | 'endedAt' | 'issuedAt' | 'notAfter'>,
  now: Date,
): string[] {
  const [started, ended, issued, last] = [startedAt, endedAt, issuedAt, notAfter].map((time) =>
    Date.parse(time),
  ) as [number, number, number, number];
  return [
    ...(now.getTime() > last
      ? [`The certificate expired on ${dayOf(notAfter)}; the product has to be certified again.`]
      : []),
    ...(issued > now.getTime() + SKEW_MS
      ? [`The certificate says that it was made on ${dayOf(issuedAt)}, which is in the future.`]
      : []),
    ...(started > ended || ended > issued + SKEW_MS || issued >= last
      ? [
          'The times in the certificate contradict each other: a run starts, ends, and is certified, in this order.',
        ]
      : []),
    ...(last - issued > MOST_DAYS * DAY_MS
      ? [`The certificate claims to be valid for more than ${MOST_DAYS} days, which is not allowed.`]
      : []),
  ];
}

/** The day of a time, in UTC. */
export const dayOf = (time: string): string => time.slice(0, 10);
