import { matches, type Suite } from '../lib/check.ts';
import { updateOfWholeId } from './ids-in-paths.ts';
import { oddBodyUpdates } from './odd-bodies.ts';
import { updateToNameAlike } from './update/alike.ts';
import { updateToAnyName } from './update/any-name.ts';
import { formerNameIsFree, updateTakesEffect } from './update/effect.ts';
import { everyTime } from './update/every-time.ts';
import { keepsTheId, leavesOthers } from './update/others.ts';
import { refusedUpdates } from './update/refusals.ts';
import { unknownChangesNothing, unknownMakesNothing } from './update/unknown.ts';

export const update: Suite = {
  topic: 'update',
  requirements: [
    {
      id: 'update/answers',
      section: '4.3',
      sentences: ['1/rename', '4.3/path', '4.3/body', '4.3/status-200', '4.3/status-200-body'],
      level: 'required',
      text: 'An update is answered 200 with a message.',
      cause: 'The framework answers updates with 204, or returns the tag in place of a message.',
      signs: ['update-refused', 'update-error'],
      tags: 1,
      check: async (target) => {
        const tag = await target.makeTag();
        return matches.success(await target.rename(tag.tagId, { name: target.name() }));
      },
      watch: matches.everySuccess('rename'),
    },
    {
      id: 'update/takes-effect',
      section: '4.3',
      sentences: [
        '1/rename',
        '2/tag-name-meaning',
        '2/tag-id-in-paths',
        '4.3/path',
        '4.3/path-tag-id',
        '4.3/body',
        '4.3/status-200',
      ],
      level: 'derived',
      derivation:
        'A confirmed update (4.3) has changed the tag that the path identifies, and list shows that tag (4.4).',
      text: 'After an update the same tag_id is listed with the new name, and no longer under the old one.',
      signs: ['copied-by-update', 'update-lost'],
      cause:
        'The change is not committed, is written to another row or store than the list reads, or the list comes from a cache that an update does not clear.',
      tags: 4,
      check: async (target) => {
        const tag = await target.makeTag();
        const outcome = await updateTakesEffect(target, tag);
        return outcome.kind !== 'holds' || target.settings.effort === 'quick'
          ? outcome
          : formerNameIsFree(target, tag);
      },
    },
    ...refusedUpdates,
    ...oddBodyUpdates,
    updateToAnyName,
    updateToNameAlike,
    everyTime,
    leavesOthers,
    keepsTheId,
    unknownChangesNothing,
    unknownMakesNothing,
    updateOfWholeId,
  ],
};
