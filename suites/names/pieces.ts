import fc from 'fast-check';

/** The most characters (UTF-16 units) that a pack adds to a plain name, so that lawful limits let it pass. */
export const PACK = 32;

/** Puts pieces into packs of at most `most` units, in their order; a longer piece is a pack of its own. */
export function packed(pieces: readonly string[], most = PACK): string[][] {
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

/** The two halves of what has at least two pieces. */
export function halves<T>(pieces: readonly T[]): [T[], T[]] {
  const middle = Math.ceil(pieces.length / 2);
  return [pieces.slice(0, middle), pieces.slice(middle)];
}

/** More parts are not left out one by one: of a very long text some would be as good as others. */
const MOST_PARTS = 64;

/** What cases consist of. */
type Piece = string | number;

/** How far cases are shrunk. */
export interface Bounds {
  /** The fewest pieces that a case has. */
  readonly least: number;
  /** A text is not taken apart into its characters. */
  readonly areWhole: boolean;
}

/**
 * What is smaller than a case of several pieces, and may fail as well: a half of it; then it without a quarter, an
 * eighth and so on, for what takes two pieces that stand apart. One text alone is taken for its characters.
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
 * Cases of several pieces, which are shrunk by halves: the one piece of a pack that fails is found in a few steps, where
 * arrays of fast-check are shrunk piece by piece.
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
    // A text that is taken apart leaves texts.
    const all = smaller(pieces, this.#bounds) as Generator<T[]>;
    return fc.stream(all).map((some) => new fc.Value(some, undefined));
  }
}

/** Packs of such pieces. */
export const packsOf = (piece: fc.Arbitrary<string>, most = PACK): fc.Arbitrary<string[]> =>
  fc
    .array(piece, { minLength: 2, maxLength: 16, size: 'max' })
    .map((pieces) => packed(pieces, most)[0] ?? []);
