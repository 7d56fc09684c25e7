import {
  accepted,
  bodies,
  broken,
  type Exchange,
  holds,
  quote,
  succeeds,
  type Suite,
  type Tag,
  type Target,
  undecided,
  Undecided,
  whatCame,
} from '../lib/check.ts';
import { neighbours, othersStay } from './neighbours.ts';
import { inventId } from './unknown-ids.ts';
import { renamed } from './update/effect.ts';
import { refusedUpdates } from './update/refusals.ts';

export const update: Suite = {
  topic: 'update',
  requirements: [
    {
      id: 'update/answers',
      section: '4.3',
      sentences: ['1/rename', '4.3/path', '4.3/body', '4.3/status-200', '4.3/status-200-body'],
      level: 'required',
      text: 'An update is answered 200 with a message.',
      tags: 1,
      check: async (target) => {
        const tag = await target.makeTag();
        return succeeds(await target.rename(tag.tagId, { name: target.name() }), bodies.message);
      },
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
        'A confirmed update (4.3) of the tag that the path names has changed that tag, which list shows (4.4).',
      text: 'After an update the same tag_id is listed with the new name, and no longer under the old one.',
      tags: 2,
      check: async (target) => renamed(target, await target.makeTag()),
    },
    ...refusedUpdates,
    {
      id: 'update/every-time',
      effort: 'standard',
      section: '4.3',
      sentences: ['4.3/path'],
      level: 'derived',
      derivation:
        'Each confirmed update (4.3) names the tag anew, however often, also with a name that it had before.',
      text: 'A tag can be updated again and again, also back to its first name.',
      cause: 'A cache or a version of the record is kept from an earlier update.',
      tags: 1,
      check: async (target) => {
        const tag = await target.makeTag();
        let before = tag.name;
        for (const [time, name] of [target.name(), target.name(), target.name(), tag.name].entries()) {
          const exchange = await target.rename(tag.tagId, { name });
          if (!accepted(exchange)) {
            return time === 0
              ? undecided('failure', `the update ${whatCame(exchange)}`, exchange)
              : broken(`update ${time + 1} of the same tag ${whatCame(exchange)}`, exchange);
          }
          const { seen, good } = await target.untilListed(tag.tagId, name, before);
          if (!good && time === 0) return undecided('failure', 'the first update has no effect', exchange);
          if (!good)
            return broken(
              `update ${time + 1} of the same tag ${whatCame(exchange)}, but has no effect`,
              exchange,
              ...seen.exchanges,
            );
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
      derivation: 'The path names the tag to update (4.3): no other one is meant.',
      text: 'An update changes no other tag, also none of the same or of a longer name.',
      cause: 'The tag is found by its name, or by the start of it, in place of by its tag_id.',
      tags: 4,
      check: async (target) => {
        const { tag, others } = await neighbours(target);
        const exchange = await target.rename(tag.tagId, { name: target.name() });
        const outcome = await othersStay(target, exchange, others, 'update');
        const taken = others[0]?.name;
        if (outcome.kind !== 'holds' || taken === undefined) return outcome;
        // Whether a name may be taken twice is open; that the tag which has it stays is not.
        const toTaken = await target.rename(tag.tagId, { name: taken }, { open: true });
        return othersStay(target, toTaken, others, 'update to a name that another tag has');
      },
    },
    {
      id: 'update/keeps-the-id',
      effort: 'standard',
      section: '4.3',
      sentences: ['2/tag-id-assigned', '4.3/path-tag-id'],
      level: 'derived',
      derivation: 'tag_id is assigned by the service on create (2): what an update changes is the name.',
      text: 'An update cannot change the tag_id.',
      cause: 'The whole body is written over the record.',
      tags: 3,
      check: async (target) => {
        const [tag, other] = await Promise.all([target.makeTag(), target.makeTag()]);
        const twin = await renamed(target, other);
        if (twin.kind !== 'holds')
          return undecided('failure', 'an update without a tag_id does not work either');
        const wanted = inventId([tag.tagId, other.tagId], new Set());
        const name = target.name();
        const exchange = await target.rename(tag.tagId, { name, tag_id: wanted, id: wanted }, { open: true });
        const { seen } = await target.until(
          () => target.lookUp(tag.tagId, name, tag.name),
          ({ entries }) => entries.some(({ tagId }) => tagId === tag.tagId || tagId === wanted),
        );
        const ids = seen.entries.map(({ tagId }) => tagId);
        const now = (await target.lookUp(other.tagId)).entries[0]?.name;
        const swapped = await target.rename(
          tag.tagId,
          { name: target.name(), tag_id: other.tagId, id: other.tagId },
          { open: true },
        );
        const after = await target.lookUp(other.tagId, ...(typeof now === 'string' ? [now] : []));
        if (
          now !== undefined &&
          !after.entries.some(({ tagId, name }) => tagId === other.tagId && name === now)
        ) {
          return broken(
            `${whatCame(swapped)}, and the tag whose tag_id stood in the body was changed`,
            swapped,
            ...after.exchanges,
          );
        }
        return ids.includes(tag.tagId) && !ids.includes(wanted)
          ? holds()
          : broken(
              `${whatCame(exchange)}, and the tag is listed under ${quote(ids)}, not ${quote(tag.tagId)}`,
              exchange,
              ...seen.exchanges,
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
        'The path names the tag to update (4.3); where there is no such tag, no other one is meant.',
      text: 'An update of a tag_id that no tag has changes no other tag.',
      cause: 'Where no tag is found, the first or the last one is taken.',
      tags: 3,
      check: async (target) => {
        const { exchange, others } = await updateOfNothing(target);
        return othersStay(target, exchange, others, 'update of a tag_id that no tag has');
      },
    },
    {
      id: 'update/unknown-makes-nothing',
      effort: 'standard',
      section: '4.3',
      sentences: ['4.3/path-tag-id'],
      level: 'advisory',
      text: 'An update of a tag_id that no tag has makes no tag.',
      cause: 'The tag is saved without looking whether it was there.',
      tags: 3,
      check: async (target) => {
        const { exchange, name } = await updateOfNothing(target);
        const { entries, exchanges } = await target.lookUp(undefined, name);
        return entries.length === 0
          ? holds()
          : broken(`${whatCame(exchange)}, and a tag with the new name is listed`, exchange, ...exchanges);
      },
    },
    {
      id: 'update/id-as-a-whole',
      effort: 'standard',
      section: '4.3',
      sentences: ['2/tag-id-in-paths', '4.3/path-tag-id'],
      level: 'derived',
      derivation:
        'The path holds the identifier of the tag (4.3); an identifier with letters behind it is another one.',
      text: 'A tag_id with letters behind it addresses no tag.',
      cause: 'The identifier is read as a number, and reading stops at the first letter.',
      tags: 2,
      check: async (target) => {
        const [tag, other] = await Promise.all([target.makeTag(), target.makeTag()]);
        const exchange = await target.rename(`${tag.tagId}abc`, { name: target.name() }, { open: true });
        return othersStay(target, exchange, [tag, other], 'update of the tag_id with letters behind it');
      },
    },
  ],
};

/** An update of a tag_id that was issued and deleted, beside tags that live. */
async function updateOfNothing(
  target: Target,
): Promise<{ exchange: Exchange; name: string; others: readonly Tag[] }> {
  const [older, gone, younger] = [await target.makeTag(), await target.makeTag(), await target.makeTag()];
  const name = target.name();
  const exchange = await target.withoutCreates(async () => {
    const removed = await target.delete(gone.tagId);
    const { good } = await target.untilGone(gone);
    if (!accepted(removed) || !good)
      throw new Undecided('failure', `the delete ${whatCame(removed)}`, removed);
    return target.rename(gone.tagId, { name }, { open: true });
  });
  return { exchange, name, others: [older, younger] };
}
