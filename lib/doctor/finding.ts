/** One thing that was looked at before a run. */
export interface Finding {
  /** Such as `TLS`. */
  readonly what: string;
  /** `fine`; `note`: a run works, but something may be unexpected; `wrong`: a run would fail. */
  readonly state: 'fine' | 'note' | 'wrong';
  /** The finding as a clause, without a full stop. */
  readonly says: string;
  /** What to do about it, in one sentence; always there unless all is fine. */
  readonly todo?: string;
}

export const fine = (what: string, says: string): Finding => ({ what, state: 'fine', says });
export const note = (what: string, says: string, todo: string): Finding => ({
  what,
  state: 'note',
  says,
  todo,
});
export const wrong = (what: string, says: string, todo: string): Finding => ({
  what,
  state: 'wrong',
  says,
  todo,
});

/** A time in the largest unit of which there are at least two, such as `57 days`. */
export function inWords(ms: number): string {
  const units = [
    [86_400_000, 'days'],
    [3_600_000, 'hours'],
    [60_000, 'minutes'],
    [1_000, 'seconds'],
  ] as const;
  const [size, name] = units.find(([size]) => ms >= 2 * size) ?? [1_000, 'seconds'];
  return `${Math.floor(ms / size)} ${name}`;
}
