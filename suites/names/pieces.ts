import fc from 'fast-check';

/** The most UTF-16 units that a pack adds to a plain name, within the usual limits of the length of names. */
export const MOST_IN_PACK = 32;

/** Puts pieces, in their order, into packs of at most `most` UTF-16 units. A longer piece is a pack alone. */
export function packed(pieces: readonly string[], most = MOST_IN_PACK): string[][] {
  const packs: string[][] = [];
  let length = 0;
  for (const piece of pieces) {
    const last = packs.at(-1);
    if (last === undefined || length + piece.length > most) {
      packs.push([piece]);
      length = piece.length;
    } else {
      last.push(piece);
      length += piece.length;
    }
  }
  return packs;
}

/** The two halves of a list of at least two pieces. */
export function halves<T>(pieces: readonly T[]): [T[], T[]] {
  const middle = Math.ceil(pieces.length / 2);
  return [pieces.slice(0, middle), pieces.slice(middle)];
}

/** Cases are divided into at most this many parts, so that a very long text has few smaller cases. */
const MOST_PARTS = 64;

/** A case is a list of these. */
type Piece = string | number;

/** Limits of shrinking. */
interface Bounds {
  /** The fewest pieces that a case has. */
  readonly least: number;
  /** Whether a piece is never divided into its characters. */
  readonly areWhole: boolean;
}

/**
 * The smaller cases to try when a case fails: first its halves, then the case without one of its quarters, eighths and
 * so on, because a fault may need two pieces that are not adjacent. A single text is divided into its characters.
 */
export function* smaller<T extends Piece>(pieces: readonly T[], bounds: Bounds): Generator<(T | string)[]> {
  const { least, areWhole } = bounds;
  if (pieces.length <= least) {
    const [only] = pieces;
    const characters = typeof only === 'string' ? [...only] : [];
    if (!areWhole && pieces.length === 1 && characters.length > 1) yield* smaller(characters, bounds);
    return;
  }
  const known = new Set([pieces.join('\n')]);
  const isNew = (some: readonly Piece[]): boolean => {
    const text = some.join('\n');
    return some.length >= least && !known.has(text) && known.add(text) !== undefined;
  };
  yield* halves(pieces).filter(isNew);
  for (let parts = 4; parts < 2 * pieces.length && parts <= MOST_PARTS; parts *= 2) {
    const size = Math.ceil(pieces.length / parts);
    for (let at = 0; at < pieces.length; at += size) {
      const some = [...pieces.slice(0, at), ...pieces.slice(at + size)];
      if (isNew(some)) yield some;
    }
  }
}

/**
 * Generates cases of several pieces and shrinks them by halves. This finds the one piece at fault in a few steps; the
 * arrays of fast-check shrink piece by piece.
 */
export class Pieces<T extends Piece = string> extends fc.Arbitrary<readonly T[]> {
  readonly #arrays: fc.Arbitrary<readonly T[]>;
  readonly #bounds: Bounds;

  /** @param arrays generates the cases. */
  constructor(arrays: fc.Arbitrary<readonly T[]>, bounds: Partial<Bounds> = {}) {
    super();
    this.#arrays = arrays;
    this.#bounds = { least: 1, areWhole: false, ...bounds };
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<readonly T[]> {
    return new fc.Value(this.#arrays.generate(random, bias).value, undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is readonly T[] {
    return Array.isArray(value);
  }

  override shrink(pieces: readonly T[]): fc.Stream<fc.Value<readonly T[]>> {
    // The cast is safe: only strings are divided, and their parts are strings.
    const all = smaller(pieces, this.#bounds) as Generator<T[]>;
    return fc.stream(all).map((some) => new fc.Value(some, undefined));
  }
}

/** Generates packs of at most `most` UTF-16 units from these pieces. */
export const packsOf = (piece: fc.Arbitrary<string>, most = MOST_IN_PACK): fc.Arbitrary<string[]> =>
  fc
    .array(piece, { minLength: 2, maxLength: 16, size: 'max' })
    .map((pieces) => packed(pieces, most)[0] ?? []);
