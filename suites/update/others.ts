import { accepted, broken, holds, quote, type Requirement, undecided, whatCame } from '../../lib/check.ts';
import { sendUntilAnswered } from '../further-members.ts';
import { showingLast } from '../listed-tags.ts';
import {
  areStillFound,
  findsByStart,
  neighbours,
  othersStay,
  stillListed,
  swappedCase,
} from '../neighbours.ts';
import { foreignId, inventId } from '../unknown-ids.ts';
import { isFoundBesideNamesake, updateTakesEffect } from './effect.ts';

export const leavesOthers: Requirement = {
  id: 'update/others-stay',
  section: '4.3',
  sentences: ['2/tag-id-meaning', '4.3/path-tag-id'],
  level: 'derived',
  derivation: 'The path identifies the tag to update (4.3), and no other.',
  text: 'An update changes no other tag, even if its name is the same, the same in another letter case, a shorter or a longer one.',
  cause: 'The tag is looked up by its name or the start of its name, not by its tag_id.',
  tags: 6,
  check: async (target) => {
    // This must come before the check makes tags.
    const isFoundByStart = await findsByStart(target);
    // A target may keep tags as a tree and rename whole branches.
    const { tag, others } = await neighbours(target, [' z', '/z']);
    const [namesake] = others;
    const taken = namesake?.name;
    // The specification leaves open whether a name in another letter case counts as taken.
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
    if (outcome.kind !== 'holds' || namesake === undefined) return outcome;
    // The specification leaves open whether two tags may have the same name. Either way, the tag that has the name must
    // stay unchanged.
    const toTaken = await target.rename(tag.tagId, { name: namesake.name }, { open: true });
    const afterTaken = await othersStay(target, toTaken, others, 'update to a name that another tag has');
    if (afterTaken.kind !== 'holds' || !accepted(toTaken)) return afterTaken;
    const renamed = { tagId: tag.tagId, name: namesake.name };
    const { outcome: found, list } = await isFoundBesideNamesake(target, renamed, namesake, toTaken);
    return found.kind === 'holds' && isFoundByStart
      ? areStillFound(target, exchange, list, namesake.name, others, 'update')
      : found;
  },
};

export const keepsTheId: Requirement = {
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
    const [tag, other] = await target.makeTags('at once', target.name(), target.name());
    const wanted = inventId([tag.tagId, other.tagId]);
    const name = target.name();
    // Some code accepts ids of one form only.
    const foreign = foreignId([tag.tagId, other.tagId]);
    const before = await target.rename(
      tag.tagId,
      { name: tag.name, tag_id: foreign, id: foreign },
      { open: true },
    );
    // Some code takes the first member of the body for the name.
    const exchange = await sendUntilAnswered(
      [
        { tag_id: wanted, id: wanted, name },
        { id: wanted, name },
        { tag_id: wanted, name },
      ],
      (body) => target.rename(tag.tagId, body, { open: true }),
    );
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
};
