import { createdIn, PLAIN_LETTERS, type Tag, type Target } from '../../lib/check.ts';
import { variedLetters } from '../names/sizes.ts';

/** Lengths of names that a query for plain names might treat in another way; a target may refuse the first one. */
const LENGTHS = [120, 40];

/** What a query that is put together as text might take for a part of itself, and letters outside ASCII and the BMP. */
const ODD = ` '%_|;&+é漢🍣`;

/** Makes a tag with a long name of unusual characters; undefined if the target accepts no such name. */
export async function makeOdd(target: Target): Promise<Tag | undefined> {
  for (const length of LENGTHS) {
    if (target.facts.room === 0) return undefined;
    const name = target.names.endingIn(`${ODD}${variedLetters(length - PLAIN_LETTERS - ODD.length)}`);
    const created = createdIn(await target.create({ name }, { open: true }));
    // A target may keep the name in another form.
    if (created !== undefined && typeof created.name === 'string')
      return { tagId: created.tagId, name: created.name };
  }
  return undefined;
}
