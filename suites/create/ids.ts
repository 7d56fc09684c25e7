import {
  accepted,
  broken,
  createdIn,
  type Exchange,
  holds,
  ifDecided,
  type Listed,
  listedIn,
  namesInList,
  type Outcome,
  quote,
  type Requirement,
  type Target,
  undecided,
} from '../../lib/check.ts';
import { acceptedCreate } from './refused-together.ts';
import { freedIds } from '../freed-ids.ts';
import { sendUntilAnswered } from '../further-members.ts';
import { stillListed } from '../neighbours.ts';
import { foreignId, inventId } from '../unknown-ids.ts';

/** Makes tags in the second account, if there is one. The run itself records a sign if something is wrong with them. */
export async function signsInSecondAccount(target: Target, count: number): Promise<void> {
  await target.removeTags();
  await ifDecided(() => Promise.all(Array.from({ length: count }, () => target.second.makeTag())));
}

export const distinctIds: Requirement = {
  id: 'create/distinct-ids',
  section: '2',
  sentences: ['2/tag-id-meaning', '4.2/status-200-tag-id'],
  level: 'derived',
  derivation:
    'tag_id is the identifier of the tag (2): two existing tags that share one are the same in a path.',
  text: 'No two existing tags have the same tag_id.',
  cause: 'The tag_id is counted from the number of tags, or made from the time or from too few random bits.',
  signs: ['id-given-twice'],
  tags: 2,
  check: async (target) => {
    // A target that derives the id from the number of tags issues one twice after a delete.
    const { creates: exchanges } = await freedIds(target);
    const ids = exchanges.flatMap((exchange) => createdIn(exchange)?.tagId ?? []);
    if (ids.length < 2) return undecided('failure', 'fewer than two creates gave a tag_id', ...exchanges);
    const twice = ids.find((id, at) => ids.indexOf(id) !== at);
    if (twice !== undefined)
      return broken(`two existing tags were given the tag_id ${quote(twice)}`, ...exchanges);
    await signsInSecondAccount(target, 2);
    return holds();
  },
};

/** The number that a tag_id is written as; undefined if it is none. */
const asNumber = (id: string): number | undefined => (String(Number(id)) === id ? Number(id) : undefined);

export const assignsTheId: Requirement = {
  id: 'create/assigns-the-id',
  effort: 'standard',
  section: '2',
  sentences: ['2/tag-id-assigned', '4.2/status-200-tag-id'],
  level: 'required',
  text: 'The service assigns the tag_id, and ignores or refuses one that the client sends.',
  cause: 'The whole body is stored with all its members.',
  tags: 6,
  check: async (target) => {
    const [neighbour, another] = await target.makeTags('at once', target.name(), target.name());
    const issued = [neighbour.tagId, another.tagId];
    const wanted = inventId(issued);
    const accepting: Exchange[] = [];
    const foreign = foreignId(issued);
    // Some targets read only numbers and some only strings, so invented ids of digits are sent as both.
    const number = asNumber(wanted);
    const asString = number === undefined ? [] : [inventId([...issued, wanted])];
    for (const id of [wanted, ...asString, foreign, neighbour.tagId]) {
      const name = target.name();
      const member = id === wanted ? (number ?? id) : id === foreign ? (asNumber(id) ?? id) : id;
      // The specification does not show whether a request may have further members. Answers wrap the tag in `tagging`,
      // and some servers also read a request of that form.
      const wrapped = id === foreign ? { tagging: { name, tag_id: id } } : {};
      const exchange = await sendUntilAnswered(
        [
          { name, tag_id: id === foreign ? id : member, id: member, tagId: id, ...wrapped },
          { name, id: member },
          { name, tag_id: member },
        ],
        (body) => target.create(body, { open: true }),
      );
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
    if (!good)
      return broken(
        'a create that held the tag_id of another tag changed that tag, so that no list shows it any more as it was',
        ...accepting,
        ...seen.exchanges,
      );
    await target.removeTags();
    return checkNull(target);
  },
};

/** Checks that a tag is given a tag_id if the client sends null, as clients do that write all members of an object. */
async function checkNull(target: Target): Promise<Outcome> {
  const name = target.name();
  const create = await target.create({ name, tag_id: null, id: null }, { open: true });
  const isGiven = (tag: Listed | undefined): boolean => tag !== undefined && tag.tagId !== 'null';
  if (!accepted(create) || isGiven(createdIn(create))) return holds();
  // A target may refuse such a body with a status of success, or show no tag_id in the answer to any create.
  const list = await target.list(name);
  const isListed = listedIn(list)?.some((tag) => tag.name === name && isGiven(tag)) === true;
  return !isListed && namesInList(list).includes(name) && isGiven(createdIn(await acceptedCreate(target)))
    ? broken('a create with the tag_id null made a tag without a tag_id of its own', create, list)
    : holds();
}
