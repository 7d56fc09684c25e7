/** A moment such as `2026-03-01 09:30:00 UTC`. */
export const moment = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;

/** A time such as `1.5 s`. */
export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
