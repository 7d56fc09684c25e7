import {
  accepted,
  bodies,
  broken,
  createdIn,
  everySuccess,
  type Exchange,
  holds,
  holdsWithWarning,
  ifDecided,
  quote,
  succeeds,
  type Suite,
  type Target,
  undecided,
  whatCame,
} from '../lib/check.ts';
import { updated } from './listed-tags.ts';
import { jsonForms } from './create/json.ts';
import { stillChangeable } from './create/lasting.ts';
import { makesOneTag } from './create/parts.ts';
import { refusedCreates } from './create/refusals.ts';
import { sameNameTwice } from './create/twins.ts';
import { freedIds } from './freed-ids.ts';
import { stillListed } from './neighbours.ts';
import { oddCreates } from './odd-bodies.ts';
import { foreignId, inventId } from './unknown-ids.ts';

/** A plain name in capitals, and with a capital in front. */
const inCapitals = (name: string): string[] => [
  name.toUpperCase(),
  `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
];

export const create: Suite = {
  topic: 'create',
  requirements: [
    {
      id: 'create/answers',
      section: '4.2',
      sentences: [
        '1/create',
        '1/tag-members',
        '2/tag-name-type',
        '2/tag-id-type',
        '4.2/path',
        '4.2/body',
        '4.2/status-200',
        '4.2/status-200-tagging',
        '4.2/status-200-name',
        '4.2/status-200-tag-id',
        '9/prefix',
      ],
      level: 'required',
      text: 'A create with a name is answered 200 with the tag, which has a name and a tag_id.',
      cause: 'The framework answers creates with 201, or the tag is not wrapped in a member tagging.',
      tags: 1,
      check: async (target) => succeeds(await target.create({ name: target.name() }), bodies.tag),
      watch: everySuccess(({ operation }) => operation === 'create', bodies.tag),
    },
    {
      id: 'create/echoes-name',
      section: '4.2',
      sentences: ['2/tag-name-meaning', '4.2/status-200-name'],
      level: 'required',
      text: 'The answer to a create holds the name as it was sent.',
      cause: 'The answer is made from the stored name, which was trimmed, cut or escaped.',
      tags: 1,
      check: async (target) => {
        const name = target.name().toLowerCase();
        const exchange = await target.create({ name });
        const created = createdIn(exchange);
        if (created === undefined)
          return undecided('failure', `create ${whatCame(exchange)} without a tag`, exchange);
        if (created.name === name) return holds();
        const why = `the answer holds the name ${quote(created.name)}, not ${quote(name)}`;
        // The specification does not show in which letter case names are kept.
        const isKeptForm = inCapitals(name).includes(String(created.name));
        return isKeptForm ? holdsWithWarning(why, exchange) : broken(why, exchange);
      },
    },
    {
      id: 'create/persists',
      section: '4.2',
      sentences: [
        '1/create',
        '1/tag-members',
        '2/tag-name-meaning',
        '2/tag-id-in-paths',
        '4.2/path',
        '4.2/status-200-tag-id',
        '4.4/status-200-name',
        '4.4/status-200-tag-id',
      ],
      level: 'derived',
      derivation:
        'Create assigns the identifier that paths and lists use (2), and list returns the tags (4.4).',
      text: 'A created tag is listed exactly once, under its tag_id and with its name.',
      sign: 'create-lost',
      cause: 'The write is not committed, goes to another store than the read, or is lost under load.',
      tags: 2,
      check: async (target) => {
        const name = target.name();
        const exchange = await target.create({ name });
        const created = createdIn(exchange);
        if (created === undefined)
          return undecided('failure', `create ${whatCame(exchange)} without a tag_id`, exchange);
        if (created.tagId === '.' || created.tagId === '..') {
          return broken(
            `the tag_id is ${quote(created.tagId)}, which cannot stand in a path (RFC 3986, 3.3)`,
            exchange,
          );
        }
        const { seen, good } = await target.untilListed(created.tagId, name);
        const ids = seen.entries.map(({ tagId }) => tagId);
        const others = ids.filter((id) => id !== created.tagId);
        if (others.length > 0) {
          return broken(
            `create gave the tag_id ${quote(created.tagId)}, but the name is listed under ${quote(others)}`,
            exchange,
            ...seen.exchanges,
          );
        }
        if (good) {
          const outcome = target.settings.effort === 'quick' ? holds() : await makesOneTag(target);
          await signsInSecondAccount(target, 1);
          return outcome;
        }
        const listed = seen.entries[0];
        return listed === undefined
          ? broken(`create ${whatCame(exchange)}, but no list shows the tag`, exchange, ...seen.exchanges)
          : broken(
              `the tag is listed with the name ${quote(listed.name)}, not ${quote(name)}`,
              exchange,
              ...seen.exchanges,
            );
      },
    },
    {
      id: 'create/distinct-ids',
      section: '2',
      sentences: ['2/tag-id-meaning', '4.2/status-200-tag-id'],
      level: 'derived',
      derivation:
        'tag_id is the identifier of the tag (2): two existing tags that share one are the same in a path.',
      text: 'Every tag has a tag_id of its own.',
      cause:
        'The tag_id is counted from the number of tags, or made from the time or from too few random bits.',
      sign: 'id-given-twice',
      tags: 2,
      check: async (target) => {
        // A target that derives ids from the number of tags gives one out twice after a delete.
        const { creates: exchanges } = await freedIds(target);
        const ids = exchanges.flatMap((exchange) => createdIn(exchange)?.tagId ?? []);
        if (ids.length < 2) return undecided('failure', 'fewer than two creates gave a tag_id', ...exchanges);
        const twice = ids.find((id, at) => ids.indexOf(id) !== at);
        if (twice !== undefined)
          return broken(`two existing tags were given the tag_id ${quote(twice)}`, ...exchanges);
        await signsInSecondAccount(target, 2);
        return holds();
      },
    },
    {
      id: 'create/assigns-the-id',
      effort: 'standard',
      section: '2',
      sentences: ['2/tag-id-assigned', '4.2/status-200-tag-id'],
      level: 'required',
      text: 'The service assigns the tag_id, and ignores or refuses one that the client sends.',
      cause: 'The whole body is stored with all its members.',
      tags: 5,
      check: async (target) => {
        const [neighbour, another] = await target.makeTwoTags();
        const issued = [neighbour.tagId, another.tagId];
        const wanted = inventId(issued);
        const accepting: Exchange[] = [];
        for (const id of [wanted, foreignId(issued), neighbour.tagId]) {
          const name = target.name();
          // Some code looks at numbers only, some at texts: the invented one is a number, if those of the target are.
          const member = id === wanted && String(Number(id)) === id ? Number(id) : id;
          // The specification does not show whether a request may have further members.
          const exchange = await target.create({ name, tag_id: member, id, tagId: id }, { open: true });
          if (!accepted(exchange)) continue;
          accepting.push(exchange);
          const { entries, exchanges } = await target.lookUp(undefined, name);
          const used = createdIn(exchange)?.tagId === id || entries.some(({ tagId }) => tagId === id);
          if (used)
            return broken(
              `the tag was given the tag_id ${quote(id)} that the client sent`,
              exchange,
              ...exchanges,
            );
        }
        const { seen, good } = await stillListed(target, neighbour);
        return good
          ? holds()
          : broken(
              'a create that held the tag_id of another tag changed that tag, so that no list shows it any more as it was',
              ...accepting,
              ...seen.exchanges,
            );
      },
    },
    sameNameTwice,
    {
      id: 'create/lasts',
      section: '4.2',
      sentences: ['4.2/path'],
      level: 'derived',
      derivation: 'Only delete (4.5) removes a tag, and only update (4.3) renames it.',
      text: 'A tag that nobody updates or deletes is unchanged at the end of the run, and can then be updated and deleted.',
      cause: 'Tags are kept in memory or in a cache that evicts them, or a write to one tag changes others.',
      when: 'throughout',
      tags: 2,
      check: async (target) => {
        const [untouched, tag] = await target.makeTwoTags();
        target.noteKeeper(untouched);
        const renamed = await updated(target, tag);
        await target.othersDone;
        for (const keeper of renamed === undefined ? [untouched] : [untouched, renamed]) {
          const { entries, exchanges } = await target.lookUp(keeper.tagId, keeper.name);
          const now = entries.find(({ tagId }) => tagId === keeper.tagId)?.name;
          if (now !== keeper.name) {
            return broken(
              now === undefined
                ? 'a tag that nobody deleted is no longer listed'
                : `a tag that nobody renamed is now named ${quote(now)}`,
              ...exchanges,
            );
          }
        }
        return renamed === undefined ? holds() : stillChangeable(target, untouched, renamed);
      },
    },
    ...jsonForms,
    ...refusedCreates,
    ...oddCreates,
  ],
};

/** Makes tags in the second account, if there is one: if something is wrong with them, the run records a sign. */
async function signsInSecondAccount(target: Target, count: number): Promise<void> {
  await target.removeTags();
  await ifDecided(() => Promise.all(Array.from({ length: count }, () => target.second.makeTag())));
}
