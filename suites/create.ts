import {
  accepted,
  bodies,
  broken,
  createdIn,
  doubtful,
  type Exchange,
  holds,
  type Outcome,
  quote,
  RawBody,
  refuses,
  type Requirement,
  statusOf,
  succeeds,
  type Suite,
  type Target,
  undecided,
  whatCame,
} from '../lib/check.ts';
import { inventId } from './unknown-ids.ts';
import { leavesNothing } from './refused-creates.ts';
import { NO_NAMES, NO_OBJECTS, noObject, TEXT_LIKE } from './invalid-names.ts';

/** A create that is accepted, beside those that must not be; made once in a run. */
const twin = (target: Target): Promise<Exchange> =>
  target.shared('create-accepted', 1, (shared) => shared.create({ name: shared.name() }));

const refusesNoName = NO_NAMES.map(({ id, what, sentences, body }): Requirement => ({
  id: `create/${id}`,
  ...(id === 'name-missing' || id === 'name-null' ? {} : { effort: 'standard' as const }),
  section: id === 'name-missing' ? '7' : '4.2',
  sentences: sentences.create,
  level: 'required',
  text: `A create ${what} is answered 422 and makes no tag.`,
  tags: 2,
  check: async (target) => {
    const invalid = body(target);
    const { exchange, left } = await leavesNothing(target, () => target.create(invalid.body), invalid.traces);
    const pair = await target.pair({
      accepted: () => twin(target),
      refused: () => Promise.resolve(exchange),
    });
    return left === undefined ? refuses(pair, 422) : broken(left.why, ...left.exchanges);
  },
}));

const refusesOtherTypes = TEXT_LIKE.map(({ id, what, sentences, body }): Requirement => ({
  id: `create/${id}`,
  effort: 'standard',
  section: '4.2',
  sentences: sentences.create,
  level: 'required',
  text: `A create ${what} is answered 422 and makes no tag.`,
  tags: 2,
  check: async (target) => {
    const invalid = body(target);
    const pair = await target.pair({
      accepted: () => twin(target),
      refused: () => target.create(invalid.body),
    });
    if (!accepted(pair.refused)) return refuses(pair, 422);
    const created = createdIn(pair.refused);
    if (created === undefined) return broken(`${whatCame(pair.refused)}, not 422`, pair.refused);
    const { entries, exchanges } = await target.lookUp(created.tagId, ...invalid.traces);
    const kept = entries.find(({ tagId }) => tagId === created.tagId)?.name;
    return typeof kept === 'string' && invalid.traces.includes(kept) && created.name === kept
      ? doubtful(
          `answered ${statusOf(pair.refused)}, not 422: the value was taken as its text ${quote(kept)}`,
          pair.refused,
        )
      : broken(
          `${whatCame(pair.refused)}, not 422, and the name became ${quote(kept)}`,
          pair.refused,
          ...exchanges,
        );
  },
}));

const refusesNoObject = NO_OBJECTS.map(({ id, what }): Requirement => ({
  id: `create/${id}`,
  effort: 'standard',
  section: '4.2',
  sentences: ['4/json-sent', '4.2/body', '5/content-type-purpose'],
  level: 'derived',
  derivation:
    'Bodies are JSON (5), and that of a create is an object with a name (4.2): this one is none in any reading of RFC 8259.',
  text: `A create whose body ${what} is refused and makes no tag.`,
  cause:
    'What cannot be parsed counts as empty or is parsed in another way, and the name is not asked for afterwards.',
  tags: 1,
  check: async (target) => {
    const { exchange, left } = await noObject(target, id);
    const pair = await target.pair({
      accepted: () => twin(target),
      refused: () => Promise.resolve(exchange),
    });
    if (left !== undefined) return broken(left.why, ...left.exchanges);
    if (!accepted(pair.refused))
      return statusOf(exchange) === 0
        ? undecided('failure', `the create ${whatCame(exchange)}`, exchange)
        : holds();
    return broken(`${whatCame(pair.refused)}, a success`, pair.refused, pair.accepted);
  },
}));

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
      tags: 1,
      check: async (target) => succeeds(await target.create({ name: target.name() }), bodies.tag),
    },
    {
      id: 'create/echoes-name',
      section: '4.2',
      sentences: ['2/tag-name-meaning', '4.2/status-200-name'],
      level: 'required',
      text: 'The answer to a create holds the name as it was sent.',
      tags: 1,
      check: async (target) => {
        const name = target.name();
        const exchange = await target.create({ name });
        const created = createdIn(exchange);
        if (created === undefined)
          return undecided('failure', `create ${whatCame(exchange)} without a tag`, exchange);
        return created.name === name
          ? holds()
          : broken(`the answer holds the name ${quote(created.name)}, not ${quote(name)}`, exchange);
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
      cause: 'The write is not committed, goes to another place than the read, or is lost under load.',
      tags: 1,
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
        if (good) return holds();
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
        'tag_id is the identifier of the tag (2): two living tags that share one cannot be told apart in a path.',
      text: 'Every tag is given a tag_id of its own.',
      sign: 'id-given-twice',
      tags: 4,
      check: async (target) => {
        const first = await target.makeTag();
        const living = await Promise.all([1, 2].map(() => target.create({ name: target.name() })));
        // A target that counts the tags there are gives out an id twice once one is gone.
        await target.delete(first.tagId);
        const exchanges = [...living, await target.create({ name: target.name() })];
        const ids = exchanges.flatMap((exchange) => createdIn(exchange)?.tagId ?? []);
        if (ids.length < 2) return undecided('failure', `there are no tag_ids to compare`, ...exchanges);
        const twice = ids.find((id, at) => ids.indexOf(id) !== at);
        return twice === undefined
          ? holds()
          : broken(`two tags that are alive were given the tag_id ${quote(twice)}`, ...exchanges);
      },
    },
    {
      id: 'create/assigns-the-id',
      effort: 'standard',
      section: '2',
      sentences: ['2/tag-id-assigned', '4.2/status-200-tag-id'],
      level: 'required',
      text: 'The service assigns the tag_id: one that the client sends is not used.',
      cause: 'The whole body is stored, with whatever members it has.',
      tags: 4,
      check: async (target) => {
        const neighbour = await target.makeTag();
        const wanted = inventId([neighbour.tagId, (await target.makeTag()).tagId], new Set());
        for (const id of [wanted, neighbour.tagId]) {
          const name = target.name();
          // Whether further members are allowed in a request is not shown.
          const exchange = await target.create({ name, tag_id: id, id }, { open: true });
          if (!accepted(exchange)) continue;
          const { entries, exchanges } = await target.lookUp(undefined, name);
          const used = createdIn(exchange)?.tagId === id || entries.some(({ tagId }) => tagId === id);
          if (used)
            return broken(
              `the tag was given the tag_id ${quote(id)} that the client sent`,
              exchange,
              ...exchanges,
            );
        }
        const { entries, exchanges } = await target.lookUp(neighbour.tagId, neighbour.name);
        return entries.some(({ tagId, name }) => tagId === neighbour.tagId && name === neighbour.name)
          ? holds()
          : broken('a create that held the tag_id of another tag changed that tag', ...exchanges);
      },
    },
    {
      id: 'create/lasts',
      section: '4.2',
      sentences: ['4.2/path'],
      level: 'derived',
      derivation:
        'Delete (4.5) is what removes a tag, and update (4.3) what renames it; nothing else is said to.',
      text: 'A tag that nobody touches is still there, unchanged, at the end of the run.',
      cause: 'Tags live in memory or in a cache that forgets, or a write to one tag reaches others.',
      when: 'throughout',
      tags: 2,
      check: async (target) => {
        const keepers = await Promise.all([target.makeTag(), target.makeTag()]);
        await target.othersDone;
        for (const keeper of keepers) {
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
        return holds();
      },
    },
    {
      id: 'create/json-spelling',
      effort: 'standard',
      section: '4.2',
      sentences: ['2/tag-name-meaning', '4/json-sent', '4.2/body', '5/content-type-purpose'],
      level: 'derived',
      derivation: 'Escapes and white space make no difference to what a JSON text means (RFC 8259, 2 and 7).',
      text: 'A name that is written with escapes and between white space is the same name.',
      cause: 'The body is searched as text, or parsed by something that is no JSON parser.',
      tags: 2,
      check: async (target) => {
        const name = target.name();
        const escaped = [...name]
          .map((char, at) => (at % 3 === 0 ? `\\u00${char.charCodeAt(0).toString(16)}` : char))
          .join('');
        return keepsSpelling(target, name, ` \r\n\t{ \n "n\\u0061me"\t:\n"${escaped}" } \n`);
      },
    },
    {
      id: 'create/json-escapes',
      effort: 'standard',
      section: '4.2',
      sentences: ['2/tag-name-meaning', '4/json-sent', '4.2/body', '5/content-type-purpose'],
      level: 'derived',
      derivation:
        'An escaped solidus and an escaped surrogate pair are the character that they stand for (RFC 8259, 7).',
      text: 'Escaped solidi and escaped surrogate pairs are the characters that they stand for.',
      cause: 'Escapes are undone by hand, or code units are taken for characters.',
      tags: 3,
      check: async (target) => {
        const twin = target.names.endingIn('a/😀');
        const plain = await target.create({ name: twin });
        const kept = (await target.lookUp(undefined, twin)).entries.some((entry) => entry.name === twin);
        if (!accepted(plain) || !kept)
          return undecided('choice', 'names with these characters are not taken as they are', plain);
        const name = target.names.endingIn('a/😀');
        return keepsSpelling(
          target,
          name,
          `{"name":"${name.replace('/', '\\/').replace('😀', '\\uD83D\\uDE00')}"}`,
        );
      },
    },
    ...refusesNoName,
    ...refusesOtherTypes,
    ...refusesNoObject,
  ],
};

/** Whether a body that spells a name otherwise makes the tag of that name. */
async function keepsSpelling(target: Target, name: string, content: string): Promise<Outcome> {
  const exchange = await target.create(new RawBody(content), undefined, [name]);
  if (!accepted(exchange)) {
    const twin = await target.create({ name: target.name() });
    return accepted(twin)
      ? broken(
          `${whatCame(exchange)}, though the body means the same as one that is accepted`,
          exchange,
          twin,
        )
      : undecided('failure', `a create ${whatCame(twin)}`, twin);
  }
  const answered = createdIn(exchange);
  const { entries, exchanges } = await target.lookUp(answered?.tagId, name);
  const kept = [answered?.name, ...entries.map((entry) => entry.name)];
  return kept.includes(name)
    ? holds()
    : broken(`the name became ${quote(kept[0])}, not ${quote(name)}`, exchange, ...exchanges);
}
