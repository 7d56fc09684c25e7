/** Usual limits to the length of a name, in characters: of columns, indexes and validation rules. */
const LENGTHS: readonly number[] = [30, 50, 191, 255, 500, 1_000, 10_000];

/** Further usual limits, which the effort `thorough` adds. */
const FURTHER_LENGTHS: readonly number[] = [20, 32, 40, 64, 96, 100, 128, 160];

/**
 * The lengths of the names to send: one more than each usual limit and, with the effort `thorough`, the limits
 * themselves and further ones. Of the lengths that the target does not accept, only the first and the last are sent.
 *
 * @param longest the greatest length that the target is known to accept.
 */
export function lengthsFor(longest: number | undefined, isThorough: boolean): number[] {
  const lengths = isThorough
    ? [...LENGTHS, ...FURTHER_LENGTHS].toSorted((a, b) => a - b).flatMap((length) => [length, length + 1])
    : LENGTHS.map((length) => length + 1);
  const firstTooLong = lengths.findIndex((length) => longest !== undefined && length > longest);
  return [...new Set(lengths)].filter(
    (_, at, all) => firstTooLong < 0 || at <= firstTooLong || at === all.length - 1,
  );
}
