import {
  accepted,
  broken,
  type Exchange,
  holds,
  listedIn,
  type Outcome,
  type Requirement,
  type Target,
  whatCame,
} from '../../lib/check.ts';
import { deleteBeforeReuse, requireFreeDeletedIds } from '../freed-ids.ts';
import { allTags, lookIn } from '../listed-tags.ts';
import { othersStay } from '../neighbours.ts';
import { inventId } from '../unknown-ids.ts';

/** Updates of a tag_id that was never issued, and of one whose tag was deleted, with their effects. */
interface UnknownUpdates {
  /** The tag_id that was never issued. */
  readonly never: string;
  readonly onNever: Exchange;
  readonly onDeleted: Exchange;
  /** The update that may have had an effect. */
  readonly decisive: Exchange;
  /** Whether a list shows a tag with one of the new names. */
  readonly makesTag: boolean;
  /** The lists in which such a tag was looked for. */
  readonly looks: readonly Exchange[];
  /** Whether all other tags are unchanged. */
  readonly changesNothing: Outcome;
}

/**
 * Updates tags that do not exist, once in a run.
 *
 * @throws Undecided if a stranger's tag may have the tag_id of a deleted tag.
 */
export async function updatesOfUnknownTags(target: Target): Promise<UnknownUpdates> {
  await requireFreeDeletedIds(target);
  return target.shared('updates of unknown tags', 3, updateUnknownTags);
}

async function updateUnknownTags(target: Target): Promise<UnknownUpdates> {
  // A target that issues the highest existing id plus one does not reuse the id of a deleted tag while a younger tag
  // exists.
  const [older, tag, younger] = await target.makeTags('in turn', target.name(), target.name(), target.name());
  const live = new Set(listedIn(await target.list())?.map(({ tagId }) => tagId));
  const never = inventId([tag.tagId, younger.tagId], live);
  const names = [target.name(), target.name()] as const;
  const [onNever, onDeleted] = await target.run('without creates', async () => {
    await deleteBeforeReuse(target, tag);
    return Promise.all([
      target.rename(never, { name: names[0] }, { open: true }),
      target.rename(tag.tagId, { name: names[1] }, { open: true }),
    ]);
  });
  const look = async (): Promise<{ made: boolean; exchanges: readonly Exchange[] }> => {
    const all = await allTags(target);
    const looks = await Promise.all(
      names.map(async (name) =>
        all === undefined ? target.lookUp(undefined, name) : lookIn(all, undefined, name),
      ),
    );
    return {
      made: looks.some(({ entries }) => entries.length > 0),
      exchanges: looks.flatMap(({ exchanges }) => exchanges),
    };
  };
  // A tag that an accepted update made may show late. If both were refused, one look is enough.
  const mayHaveMade = [onNever, onDeleted].some(accepted);
  const seen = mayHaveMade ? (await target.until(look, ({ made }) => made)).seen : await look();
  const decisive = accepted(onNever) ? onNever : onDeleted;
  return {
    never,
    onNever,
    onDeleted,
    decisive,
    makesTag: seen.made,
    looks: seen.exchanges,
    changesNothing: await othersStay(
      target,
      decisive,
      [older, younger],
      'update of a tag_id that no tag has',
    ),
  };
}

export const unknownChangesNothing: Requirement = {
  id: 'update/unknown-changes-nothing',
  effort: 'standard',
  section: '4.3',
  sentences: ['4.3/path-tag-id'],
  level: 'derived',
  derivation:
    'The path identifies the tag to update (4.3): if that tag does not exist, no other is to be updated.',
  text: 'An update of a tag_id that no tag has changes no other tag.',
  cause: 'If no tag is found, the first or the last one is taken.',
  check: async (target) => (await updatesOfUnknownTags(target)).changesNothing,
};

export const unknownMakesNothing: Requirement = {
  id: 'update/unknown-makes-nothing',
  effort: 'standard',
  section: '4.3',
  sentences: ['4.3/path-tag-id'],
  level: 'advisory',
  text: 'An update of a tag_id that no tag has makes no tag.',
  cause: 'The tag is saved without a check that it exists.',
  check: async (target) => {
    const { onNever, onDeleted, decisive, makesTag, looks } = await updatesOfUnknownTags(target);
    return makesTag
      ? broken(`${whatCame(decisive)}, and a tag with the new name is listed`, onNever, onDeleted, ...looks)
      : holds();
  },
};
