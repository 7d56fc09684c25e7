import { type Exchange, type Target, Undecided } from '../../lib/check.ts';

/** The most samples that are tried at once, each with one tag. */
export const SAMPLES_AT_ONCE = 2;

/**
 * Tries samples a few at a time, so that few tags are alive, and removes the tag of each.
 *
 * @throws Undecided if a tag could not be removed.
 */
export async function trySamples<T, R extends { readonly exchange: Exchange }>(
  target: Target,
  samples: readonly T[],
  attempt: (part: Target, sample: T) => Promise<R>,
): Promise<readonly R[]> {
  const tried: R[] = [];
  const { room } = target.facts;
  for (let at = 0; at < samples.length; at += SAMPLES_AT_ONCE) {
    const some = samples.slice(at, at + SAMPLES_AT_ONCE);
    tried.push(...(await Promise.all(some.map((sample) => target.part(1, (part) => attempt(part, sample))))));
    if (target.facts.room < room)
      throw new Undecided(
        'failure',
        'a tag of this question could not be removed',
        ...tried.map(({ exchange }) => exchange),
      );
  }
  return tried;
}
