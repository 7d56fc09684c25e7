import { z } from 'zod';
import { open } from '../../lib/check.ts';
import { updatesToNamesInUse } from '../update/effect.ts';
import { updatesOfUnknownTags } from '../update/unknown.ts';
import { acceptance, acceptanceIn, describeAcceptance, describeStatus, status, statusIn } from './answers.ts';

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
    const { onNever, onDeleted, makesTag, looks } = await updatesOfUnknownTags(target);
    return {
      answer: { neverIssued: statusIn(onNever), deleted: statusIn(onDeleted), makesTag },
      exchanges: [onNever, onDeleted, ...looks],
    };
  },
});

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
