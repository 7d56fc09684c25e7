import { z } from 'zod';
import { accepted, type Exchange, listedIn, open, type Target } from '../../lib/check.ts';
import { deleteBeforeReuse, requireRestingIds } from '../freed-ids.ts';
import { inventId } from '../unknown-ids.ts';
import { updatesToNamesInUse } from '../update/names-in-use.ts';
import {
  acceptance,
  acceptanceIn,
  describeAcceptance,
  describeStatus,
  type Status,
  status,
  statusIn,
} from './answers.ts';

export const unknownTagOnUpdate = open({
  id: 'open/unknown-tag-on-update',
  section: '7',
  sentences: ['7/update-unknown'],
  text: 'How is an update of a tag that does not exist answered?',
  key: 'unknownTagOnUpdate',
  answers: z.object({ neverIssued: status, deleted: status, makesTag: z.boolean() }),
  tell: ({ neverIssued, deleted, makesTag }) =>
    neverIssued === deleted
      ? `An update of a tag that does not exist is answered ${describeStatus(deleted)}${makesTag ? ' and makes a tag' : ''}.`
      : `An update of a tag that never existed is answered ${describeStatus(neverIssued)}, and one of a deleted tag ${describeStatus(deleted)}${makesTag ? '; at least one of them makes a tag' : ''}.`,
  ask: async (target) => {
    await requireRestingIds(target);
    return target.shared('updates of unknown tags', 3, updateUnknownTags);
  },
});

/** Updates a tag that never existed and one that was deleted. */
async function updateUnknownTags(target: Target): Promise<{
  answer: { neverIssued: Status; deleted: Status; makesTag: boolean };
  exchanges: readonly Exchange[];
}> {
  const tag = await target.makeTag();
  // A target that counts on from its highest id does not reuse the id of the first tag while a younger one exists.
  const younger = await target.makeTag();
  const live = new Set(listedIn(await target.list())?.map(({ tagId }) => tagId));
  const never = inventId([tag.tagId, younger.tagId], live);
  const names = [target.name(), target.name()] as const;
  const [onNever, onDeleted] = await target.withoutCreates(async () => {
    await deleteBeforeReuse(target, tag);
    return Promise.all([
      target.rename(never, { name: names[0] }, { open: true }),
      target.rename(tag.tagId, { name: names[1] }, { open: true }),
    ]);
  });
  const look = async (): Promise<{ made: boolean; exchanges: readonly Exchange[] }> => {
    const looks = await Promise.all(names.map((name) => target.lookUp(undefined, name)));
    return {
      made: looks.some(({ entries }) => entries.length > 0),
      exchanges: looks.flatMap(({ exchanges }) => exchanges),
    };
  };
  // An accepted update may have made a tag that shows late. If both were refused, one look is enough.
  const mayHaveMade = [onNever, onDeleted].some(accepted);
  const seen = mayHaveMade ? (await target.until(look, ({ made }) => made)).seen : await look();
  return {
    answer: { neverIssued: statusIn(onNever), deleted: statusIn(onDeleted), makesTag: seen.made },
    exchanges: [onNever, onDeleted, ...seen.exchanges],
  };
}

export const sameNameRename = open({
  id: 'open/same-name-rename',
  section: '4.3',
  sentences: ['4.3/name-type'],
  text: 'Is an update to the name that the tag already has accepted?',
  key: 'sameNameRename',
  answers: acceptance,
  tell: (answer) => `An update to the name that the tag already has is ${describeAcceptance(answer)}.`,
  ask: async (target) => {
    const { same } = await updatesToNamesInUse(target);
    return { answer: acceptanceIn(same), exchanges: [same] };
  },
});

export const takenNameRename = open({
  id: 'open/taken-name-rename',
  section: '4.3',
  sentences: ['4.3/name-type'],
  text: 'Is an update to the name of another tag accepted?',
  key: 'takenNameRename',
  answers: acceptance,
  tell: (answer) => `An update to the name of another tag is ${describeAcceptance(answer)}.`,
  ask: async (target) => {
    const { taken } = await updatesToNamesInUse(target);
    return { answer: acceptanceIn(taken), exchanges: [taken] };
  },
});
