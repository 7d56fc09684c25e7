import { z } from 'zod';
import { accepted, type Exchange, listedIn, open, Undecided, whatCame } from '../../lib/check.ts';
import { inventId } from '../unknown-ids.ts';
import { acceptance, acceptanceIn, status, statusIn, tellAcceptance, tellStatus } from './answers.ts';

export const unknownTagOnUpdate = open({
  id: 'open/unknown-tag-on-update',
  section: '7',
  sentences: ['7/update-unknown'],
  text: 'How is an update of a tag that is not there answered?',
  key: 'unknownTagOnUpdate',
  answers: z.object({ neverIssued: status, deleted: status, makesTag: z.boolean() }),
  tags: 3,
  tell: ({ neverIssued, deleted, makesTag }) =>
    neverIssued === deleted
      ? `An update of a tag that is not there is answered ${tellStatus(deleted)}${makesTag ? ', and makes one' : ''}.`
      : `An update of a tag that never was is answered ${tellStatus(neverIssued)}, of one that was deleted ${tellStatus(deleted)}${makesTag ? '; it makes one' : ''}.`,
  ask: async (target) => {
    const tag = await target.makeTag();
    // A younger tag keeps a target that counts its ids on from the highest from giving the first one's out again.
    const younger = await target.makeTag();
    const live = new Set(listedIn(await target.list())?.map(({ tagId }) => tagId));
    const never = inventId([tag.tagId, younger.tagId], live);
    const names = [target.name(), target.name()] as const;
    const [onNever, onDeleted] = await target.withoutCreates(async () => {
      const removed = await target.delete(tag.tagId);
      if (!accepted(removed) || !(await target.untilGone(tag)).good)
        throw new Undecided(
          'failure',
          `the tag is still there after its delete, which ${whatCame(removed)}`,
          removed,
        );
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
    // A tag that was made all the same may take its time to show; what was refused is looked for once.
    const isPossible = [onNever, onDeleted].some(accepted);
    const seen = isPossible ? (await target.until(look, ({ made }) => made)).seen : await look();
    return {
      answer: { neverIssued: statusIn(onNever), deleted: statusIn(onDeleted), makesTag: seen.made },
      exchanges: [onNever, onDeleted, ...seen.exchanges],
    };
  },
});

export const sameNameRename = open({
  id: 'open/same-name-rename',
  section: '4.3',
  sentences: ['4.3/name-type'],
  text: 'Is an update to the name that the tag has already accepted?',
  key: 'sameNameRename',
  answers: acceptance,
  tags: 1,
  tell: (answer) => `An update to the name that the tag has is ${tellAcceptance(answer)}.`,
  ask: async (target) => {
    const tag = await target.makeTag();
    const exchange = await target.rename(tag.tagId, { name: tag.name }, { open: true });
    return { answer: acceptanceIn(exchange), exchanges: [exchange] };
  },
});

export const takenNameRename = open({
  id: 'open/taken-name-rename',
  section: '4.3',
  sentences: ['4.3/name-type'],
  text: 'Is an update to the name of another tag accepted?',
  key: 'takenNameRename',
  answers: acceptance,
  tags: 2,
  tell: (answer) => `An update to the name of another tag is ${tellAcceptance(answer)}.`,
  ask: async (target) => {
    const [tag, other] = await Promise.all([target.makeTag(), target.makeTag()]);
    const exchange = await target.rename(tag.tagId, { name: other.name }, { open: true });
    return { answer: acceptanceIn(exchange), exchanges: [exchange] };
  },
});
