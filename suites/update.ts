import {
  accepted,
  bodies,
  broken,
  everySuccess,
  holds,
  quote,
  succeeds,
  type Suite,
  type Target,
  undecided,
  whatCame,
} from '../lib/check.ts';
import { showingLast } from './listed-tags.ts';
import { spareAccount } from './login/wrong-logins.ts';
import { neighbours, othersStay, stillListed, swappedCase } from './neighbours.ts';
import { oddBodyUpdates } from './odd-bodies.ts';
import { foreignId, inventId } from './unknown-ids.ts';
import { updateToNameAlike } from './update/alike.ts';
import { inKeptCase, updateToAnyName } from './update/any-name.ts';
import { updateOfWholeId } from './ids-in-paths.ts';
import {
  filterFollows,
  formerNameIsFree,
  isFoundBesideNamesake,
  makeAgain,
  updateTakesEffect,
} from './update/effect.ts';
import { refusedUpdates } from './update/refusals.ts';
import { updatesOfUnknownTags } from './update/unknown.ts';

/** The same letters in an order in which hardly one stays at its place, or beside another: some filters find similar names. */
function shuffled(name: string): string {
  const letters = name.slice(2).split('');
  const [even, odd] = [0, 1].map((rest) => letters.filter((_, at) => at % 2 === rest));
  return [...name.slice(0, 2), ...[...(even ?? []), ...(odd ?? [])].toReversed()].join('');
}

/** Whether an update of a tag of the account shows in its lists. */
async function isUpdated(target: Target): Promise<boolean> {
  const { tagId } = await target.makeTag();
  const name = target.name();
  return accepted(await target.rename(tagId, { name })) && (await target.untilListed(tagId, name)).good;
}

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
      tags: 1,
      check: async (target) => {
        const tag = await target.makeTag();
        return succeeds(await target.rename(tag.tagId, { name: target.name() }), bodies.message);
      },
      watch: everySuccess(({ operation }) => operation === 'rename', bodies.message),
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
      cause: 'The change is not committed, or is written to another row or store than the list reads.',
      tags: 3,
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
    {
      id: 'update/every-time',
      effort: 'standard',
      section: '4.3',
      sentences: ['4.3/path'],
      level: 'derived',
      derivation:
        'Each confirmed update (4.3) gives the tag a new name, however often it is updated and whatever names it has had.',
      text: 'A tag can be updated repeatedly, to a name that it had before, and back to its first name.',
      cause:
        'A cache or a version of the record is kept from an earlier update, or an update that was sent before counts as done.',
      tags: 3,
      check: async (account) => {
        // A fault may show in one account only, and most other checks update tags of the first one.
        const target = spareAccount(account);
        const first = target.name();
        // The first name is the end of the next one.
        const end = target.names.extended(inKeptCase(first.slice(1), first), '');
        const tag = await target.makeTag(end);
        let before = tag.name;
        // Some code compares the letters of two names regardless of their order.
        const anagram = target.names.extended(shuffled(first), '');
        for (const [time, name] of [first, anagram, first, tag.name].entries()) {
          const exchange = await target.rename(tag.tagId, { name });
          if (!accepted(exchange)) {
            if (time === 0) return undecided('failure', `the update ${whatCame(exchange)}`, exchange);
            const again = time >= 2 ? await makeAgain(target, tag) : undefined;
            return again === undefined || accepted(again)
              ? broken(`update ${time + 1} of the same tag ${whatCame(exchange)}`, exchange)
              : undecided('choice', 'a name that a tag has had stays taken', exchange, again);
          }
          const { seen, good } = await target.untilListed(tag.tagId, name);
          // Other requirements tell of updates that never have an effect.
          if (!good && time === 0 && !(await isUpdated(account)))
            return undecided('failure', 'the first update has no effect', exchange);
          if (!good)
            return broken(
              `${target === account ? '' : 'in the second account, '}update ${time + 1} of the same tag ${whatCame(exchange)}, but has no effect`,
              exchange,
              ...seen.exchanges,
            );
          // An index may follow the first updates only.
          const followed =
            time === 2 ? await filterFollows(target, { ...tag, name: before }, name, seen) : holds();
          if (followed.kind !== 'holds') return followed;
          before = name;
        }
        return holds();
      },
    },
    {
      id: 'update/others-stay',
      section: '4.3',
      sentences: ['2/tag-id-meaning', '4.3/path-tag-id'],
      level: 'derived',
      derivation: 'The path identifies the tag to update (4.3), and no other.',
      text: 'An update changes no other tag, even if its name is the same, the same in another letter case, a shorter or a longer one.',
      cause: 'The tag is looked up by its name or the start of its name, not by its tag_id.',
      tags: 6,
      check: async (target) => {
        // A target may keep tags as a tree, whose branches it renames.
        const { tag, others } = await neighbours(target, [' z', '/z']);
        const taken = others[0]?.name;
        // Whether the name of a tag counts as taken in another letter case is open.
        const alike =
          taken === undefined
            ? undefined
            : await target.rename(
                tag.tagId,
                { name: target.names.extended(swappedCase(taken), '') },
                { open: true },
              );
        const exchange =
          alike !== undefined && accepted(alike)
            ? alike
            : await target.rename(tag.tagId, { name: target.name() });
        const outcome = await othersStay(target, exchange, others, 'update');
        if (outcome.kind !== 'holds' || taken === undefined) return outcome;
        // Whether two tags may have the same name is open. The tag that has the name has to stay either way.
        const toTaken = await target.rename(tag.tagId, { name: taken }, { open: true });
        const afterTaken = await othersStay(target, toTaken, others, 'update to a name that another tag has');
        return afterTaken.kind === 'holds' && accepted(toTaken)
          ? isFoundBesideNamesake(target, { tagId: tag.tagId, name: taken }, toTaken)
          : afterTaken;
      },
    },
    {
      id: 'update/keeps-the-id',
      effort: 'standard',
      section: '4.3',
      sentences: ['2/tag-id-assigned', '4.3/path-tag-id'],
      level: 'derived',
      derivation: 'The service assigns the tag_id on create (2), and an update changes the name only.',
      text: 'An update cannot change the tag_id.',
      cause: 'The whole body overwrites the record.',
      tags: 3,
      check: async (target) => {
        const [tag, other] = await target.makeTwoTags();
        const wanted = inventId([tag.tagId, other.tagId]);
        const name = target.name();
        // Some code takes texts of one form only.
        const foreign = foreignId([tag.tagId, other.tagId]);
        const before = await target.rename(
          tag.tagId,
          { name: tag.name, tag_id: foreign, id: foreign },
          { open: true },
        );
        const exchange = await target.rename(tag.tagId, { name, tag_id: wanted, id: wanted }, { open: true });
        const { seen } = await target.until(
          () => target.lookUp(tag.tagId, name, tag.name),
          ({ entries }) =>
            entries.some(
              (entry) =>
                entry.tagId === wanted ||
                (entry.tagId === tag.tagId && (entry.name === name || !accepted(exchange))),
            ),
        );
        const ids = seen.entries.map(({ tagId }) => tagId);
        const isDone = seen.entries.some((entry) => entry.tagId === tag.tagId && entry.name === name);
        if (!isDone && (await updateTakesEffect(target, other)).kind !== 'holds')
          return undecided('failure', 'an update without a tag_id does not work either', exchange);
        if (!isDone && accepted(exchange) && ids.includes(tag.tagId))
          return broken(
            `the update with a tag_id in its body ${whatCame(exchange)}, but has no effect`,
            exchange,
            ...seen.exchanges,
          );
        const now = (await target.lookUp(other.tagId)).entries[0]?.name;
        const swapped = await target.rename(
          tag.tagId,
          { name: target.name(), tag_id: other.tagId, id: other.tagId },
          { open: true },
        );
        const after =
          typeof now === 'string' ? await stillListed(target, { tagId: other.tagId, name: now }) : undefined;
        if (after?.good === false) {
          return broken(
            `${whatCame(swapped)}, and the tag whose tag_id stood in the body was changed`,
            swapped,
            ...after.seen.exchanges,
          );
        }
        return ids.includes(tag.tagId) && !ids.includes(wanted)
          ? holds()
          : broken(
              `${whatCame(exchange)}, and the tag is listed under ${quote(ids)}, not ${quote(tag.tagId)}`,
              before,
              exchange,
              ...showingLast(seen.exchanges, (one) => one.tagId === wanted),
            );
      },
    },
    {
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
    },
    {
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
          ? broken(
              `${whatCame(decisive)}, and a tag with the new name is listed`,
              onNever,
              onDeleted,
              ...looks,
            )
          : holds();
      },
    },
    updateOfWholeId,
  ],
};
