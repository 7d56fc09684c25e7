import { broken, createdIn, holds, listedIn, type Outcome, quote, type Target } from '../../lib/check.ts';

/** Signs at which clients separate several names. `thorough` asks all of them, other efforts the first. */
const SEPARATORS = [',', ';', '|', '\n', ' #'] as const;

/** The letters of each part: enough random ones that no stranger's tag has them as its name. */
const HALF = 7;

/** Checks that a create with a name of two parts makes no further tag of one of them. */
export async function makesOneTag(target: Target): Promise<Outcome> {
  const all = target.settings.effort === 'thorough' ? SEPARATORS : SEPARATORS.slice(0, 1);
  for (const [at, separator] of all.entries()) {
    if (at > 0) await target.removeTags();
    const letters = target.names.lettersOf('abdefghijklmnopqrstuvwxyz');
    // A tag of one part alone is a tag of the run.
    const parts = [letters.slice(0, HALF), letters.slice(HALF)].map((part) =>
      target.names.extended(part, ''),
    );
    const name = target.names.extended(parts.join(separator), '');
    const create = await target.create({ name });
    const tagId = createdIn(create)?.tagId;
    if (tagId === undefined) continue;
    // The last part is what is left when the first one has been taken for the name.
    const list = await target.list(parts.at(-1));
    const other = listedIn(list)?.find(
      (tag) => tag.tagId !== tagId && typeof tag.name === 'string' && parts.includes(tag.name.trim()),
    );
    if (other !== undefined)
      return broken(
        `the create with the name ${quote(name)} also made a tag named ${quote(other.name)}`,
        create,
        list,
      );
  }
  return holds();
}
