import { createdIn, generated, type Tag, type Target } from '../../lib/check.ts';
import { variedLetters } from '../names/sizes.ts';

/** Lengths of the name to try: a query may treat long names in another way. A target may refuse the first one. */
const LENGTHS = [120, 40];

/**
 * Characters with a meaning in SQL and LIKE patterns, which break a query that is concatenated from strings, and
 * letters outside ASCII and the BMP.
 */
const ODD = ` '%_|;&+é漢🍣`;

/** Makes a tag with a long name of unusual characters; undefined if the target accepts no such name. */
export async function makeOdd(target: Target): Promise<Tag | undefined> {
  for (const length of LENGTHS) {
    if (target.facts.room === 0) return undefined;
    const name = target.names.endingIn(
      `${ODD}${variedLetters(length - generated.plainLetters - ODD.length)}`,
    );
    const created = createdIn(await target.create({ name }, { open: true }));
    // A target may keep the name in another form.
    if (created !== undefined && typeof created.name === 'string')
      return { tagId: created.tagId, name: created.name };
  }
  return undefined;
}
