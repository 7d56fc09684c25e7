import {
  broken,
  createdIn,
  type Exchange,
  holds,
  type Listed,
  listedIn,
  type Outcome,
  quote,
  type Target,
} from '../../lib/check.ts';

/**
 * Characters that programs use to split a text into several names, or a name into levels. With the effort `thorough`,
 * each is also sent alone.
 */
const SEPARATORS = [' ', ',', ';', '|', '/', ':'] as const;

/** Further separators. Some targets allow them in no name. */
const MORE_SEPARATORS = ['\n', ' #'] as const;

/** The number of random letters in each part: enough that no stranger's tag has the part as its name. */
const LETTERS_PER_PART = 6;

/** All sequences of neighbouring parts, with the separators between them, except the whole name. */
const runsOf = (parts: readonly string[], separators: readonly string[]): string[] =>
  parts.flatMap((_, from) =>
    parts
      .slice(from)
      .map((__, count) => joined(parts.slice(from, from + count + 1), separators.slice(from)))
      .slice(0, from === 0 ? -1 : undefined),
  );

const joined = (parts: readonly string[], separators: readonly string[]): string =>
  parts.map((part, at) => (at === 0 ? part : `${separators[at - 1] ?? ''}${part}`)).join('');

/** Parts of random letters. */
function partsOf(target: Target, count: number): string[] {
  const letters = Array.from({ length: Math.ceil(count / 2) }, () =>
    target.names.lettersOf('abdefghijklmnopqrstuvwxyz'),
  );
  return letters
    .flatMap((both) => [both.slice(0, LETTERS_PER_PART), both.slice(-LETTERS_PER_PART)])
    .slice(0, count);
}

/**
 * Creates a tag whose name has these separators between its parts, and looks for a further tag; undefined if the create
 * is refused.
 */
async function findFurther(target: Target, separators: readonly string[]) {
  const parts = partsOf(target, separators.length + 1);
  // Registers the names of possible further tags, so that the run removes such tags: parts, and the whole as an address.
  const further = [...runsOf(parts, separators), ...['-', '_', ''].map((sign) => parts.join(sign))];
  for (const one of further) target.names.extended(one, '');
  const name = target.names.extended(joined(parts, separators), '');
  const create = await target.create({ name });
  const tagId = createdIn(create)?.tagId;
  if (tagId === undefined) return undefined;
  // If lists are long, filters by the last part: a target that splits the name makes a tag of it.
  const list = await target.list(target.facts.hasShortLists ? undefined : parts.at(-1));
  // Somebody else may copy the whole name.
  const isOther = (other: string): boolean => other.trim().toLowerCase() !== name;
  const holdsPart = (other: string): boolean => parts.some((part) => other.toLowerCase().includes(part));
  const isFurther = (tag: Listed): boolean =>
    tag.tagId !== tagId && typeof tag.name === 'string' && isOther(tag.name) && holdsPart(tag.name);
  return { name, create, list, other: listedIn(list)?.find(isFurther) };
}

const alsoMade = (name: string, other: Listed, ...exchanges: readonly Exchange[]): Outcome =>
  broken(`the create with the name ${quote(name)} also made a tag named ${quote(other.name)}`, ...exchanges);

/** Checks that a create with a name of several parts makes no further tag of some of them. */
export async function makesOneTag(target: Target): Promise<Outcome> {
  const isThorough = target.settings.effort === 'thorough';
  const alone = [...SEPARATORS, ...MORE_SEPARATORS].map((separator) => [separator]);
  // If a target refuses a name with all separators, it may allow one of them.
  const queue: (readonly string[])[] = [SEPARATORS, ...(isThorough ? alone : [[SEPARATORS[0]]])];
  for (const [at, separators] of queue.entries()) {
    if (at > 0) await target.removeTags();
    const found = await findFurther(target, separators);
    if (found?.other !== undefined) return alsoMade(found.name, found.other, found.create, found.list);
    if (found !== undefined && !isThorough) break;
  }
  return holds();
}
