/** Whole numbers as text, with a range for consecutive ones: `3 7-9`. */
export function rangesOf(numbers: Iterable<number>): string {
  const ranges: { from: number; to: number }[] = [];
  for (const number of [...numbers].toSorted((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last !== undefined && number <= last.to + 1) last.to = Math.max(last.to, number);
    else ranges.push({ from: number, to: number });
  }
  return ranges.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`)).join(' ');
}

/** The numbers that such a text names. */
export function numbersIn(ranges: string): number[] {
  return ranges
    .split(' ')
    .filter((range) => range !== '')
    .flatMap((range) => {
      const [from = Number.NaN, to = from] = range.split('-').map(Number);
      return Array.from({ length: to - from + 1 }, (_, more) => from + more);
    });
}
