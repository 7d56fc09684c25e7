import { setImmediate as nextCycle } from 'node:timers/promises';
import {
  accepted,
  allOf,
  broken,
  type Exchange,
  holds,
  holdsWithWarning,
  ifDecided,
  type Outcome,
  RawBody,
  type RequestOverrides,
  type Requirement,
  statusOf,
  type Tag,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { tokenWithoutUpdates } from '../scopes/probes.ts';
import { inventId } from '../unknown-ids.ts';

/** Closes the connection, because a target that does not understand chunks may read them as the next request. */
const CHUNKED: RequestOverrides = {
  isInChunks: true,
  headers: { Connection: 'close' },
  open: true,
};

/** More bytes than a chunk has. */
const PADDING = ' '.repeat(60);

/** A body of several chunks, or of one. */
const bodyOf = (name: string, padding = PADDING): RawBody => new RawBody(`{"name":${padding}"${name}"}`);

/** Characters of three bytes: some chunk ends inside one of them. */
const WIDE = '漢字'.repeat(10);

/** What the check of bodies in chunks found, and the tag that it made, if any. */
interface InChunks {
  readonly outcome: Outcome;
  readonly tag?: Tag;
}

/** Creates a tag with a body of several chunks, and updates it with one whose chunks end inside characters. */
async function sendInChunks(target: Target): Promise<InChunks> {
  const name = target.name();
  const { exchange: created, tagId, isDoubled, looks } = await makeWith(target, bodyOf(name), name, CHUNKED);
  if (isDoubled) {
    const outcome = broken(
      `${whatCame(created)} to a create with its body in chunks, and lists show two tags with its name`,
      created,
      ...looks,
    );
    return { outcome };
  }
  if (tagId !== undefined) {
    const tag = { tagId, name };
    return { outcome: await updateInChunks(target, tag), tag };
  }
  if (statusOf(created) === 411)
    return { outcome: undecided('choice', 'the target asks for the length of bodies', created) };
  return { outcome: await withoutTag(target, created, looks) };
}

/** Judges a create in chunks that made no tag. */
async function withoutTag(target: Target, created: Exchange, looks: readonly Exchange[]): Promise<Outcome> {
  await target.removeTags();
  const plainName = target.name();
  const plain = await makeWith(target, bodyOf(plainName), plainName, { open: true });
  if (plain.tagId === undefined)
    return undecided('failure', 'a create with the length of its body makes no tag either', plain.exchange);
  if (accepted(created))
    return broken(
      `${whatCame(created)} to a create with its body in chunks, but no list shows the tag with its name`,
      created,
      ...looks,
    );
  return refusesChunks(target, created, plain.exchange);
}

/** Creates a tag and looks it up. The tag_id is undefined if no list shows the name. */
async function makeWith(target: Target, body: RawBody, name: string, overrides: RequestOverrides) {
  const exchange = await target.create(body, overrides, [name]);
  if (!accepted(exchange)) return { exchange, tagId: undefined, isDoubled: false, looks: [] };
  const { seen } = await target.until(
    () => target.lookUp(undefined, name),
    ({ entries }) => entries.some((entry) => entry.name === name),
  );
  const tagIds = new Set(seen.entries.flatMap((entry) => (entry.name === name ? [entry.tagId] : [])));
  const [tagId] = tagIds;
  return { exchange, tagId, isDoubled: tagIds.size > 1, looks: seen.exchanges };
}

/**
 * Judges a refusal. Some HTTP servers refuse all bodies in chunks, which is a warning. A server that accepts a single
 * chunk, but not several, is broken.
 */
async function refusesChunks(target: Target, refused: Exchange, plain: Exchange): Promise<Outcome> {
  await target.removeTags();
  const name = target.name();
  const single = await target.create(bodyOf(name, ''), CHUNKED, [name]);
  return accepted(single)
    ? broken(
        `${whatCame(refused)} to a create with its body in several chunks, and ${whatCame(single)} to one with a single chunk`,
        refused,
        single,
      )
    : holdsWithWarning(`${whatCame(refused)} to a create with its body in chunks`, refused, plain);
}

const updateInChunks = (target: Target, tag: Tag): Promise<Outcome> =>
  updateWith(target, tag, CHUNKED, 'with its body in chunks');

/** Updates a tag to a name of wide characters, with a body that is sent in another way than usual. */
async function updateWith(
  target: Target,
  tag: Tag,
  overrides: RequestOverrides,
  how: string,
): Promise<Outcome> {
  const wide = (): string => target.names.endingIn(WIDE);
  const name = wide();
  const update = await target.rename(tag.tagId, bodyOf(name, ''), overrides, name);
  const shown = accepted(update) ? await target.untilListed(tag.tagId, name) : undefined;
  if (shown?.good === true) return holds();
  // A target may refuse such a name or keep it in another form, so the update is compared with a usual one.
  const plain = wide();
  const twin = await target.rename(tag.tagId, { name: plain }, { open: true });
  if (!accepted(twin) || !(await target.untilListed(tag.tagId, plain)).good) return holds();
  const usual = 'a usual update has its effect';
  return shown === undefined
    ? broken(`${whatCame(update)} to an update ${how}, and ${usual}`, twin, update)
    : broken(
        `${whatCame(update)} to an update ${how}, but no list shows the tag with that name, and ${usual}`,
        update,
        ...shown.seen.exchanges,
      );
}

/** Checks bodies in chunks, and then one that the target has to read in two pieces. */
async function sendInParts(target: Target): Promise<Outcome> {
  const { outcome, tag } = await sendInChunks(target);
  if (outcome.kind === 'broken') return outcome;
  const inPieces = async (own: Tag): Promise<Outcome> =>
    updateWith(target, own, { isInPieces: true, open: true }, 'whose body is sent in two pieces');
  const first = await inPieces(tag ?? (await target.makeTag()));
  if (first.kind !== 'broken') return allOf(outcome, first);
  // The update may have failed because it was not the first one of its tag.
  await target.removeTags();
  return allOf(outcome, await inPieces(await target.makeTag()));
}

/** A long body that is no JSON, so that a target refuses it, or refuses the request before it has read the whole body. */
const unfinishedBody = (name: string): RawBody => new RawBody(`{"name":"${name}",${' '.repeat(1_000)}`);

/** Requests with bodies that a target may refuse without reading the body. */
async function refusals(target: Target): Promise<readonly (() => Promise<Exchange>)[]> {
  const token = await ifDecided(() => tokenWithoutUpdates(target));
  const { tagId } = await target.makeTag();
  const unknown = inventId([tagId]);
  const createUnfinished = (overrides: RequestOverrides): Promise<Exchange> => {
    const name = target.name();
    return target.create(unfinishedBody(name), { ...overrides, open: true }, [name]);
  };
  return [
    () => createUnfinished({ token: 'none' }),
    ...(token === undefined ? [] : [() => target.rename(tagId, { name: target.name() }, { token })]),
    () => target.rename(unknown, { name: target.name() }, { open: true }),
    () => createUnfinished({ headers: { 'Content-Type': 'text/plain' } }),
  ];
}

/** Sends a refused request and then a list, which reuses the connection as long as nothing else is sent. */
async function sendBoth(
  target: Target,
  refuse: () => Promise<Exchange>,
): Promise<readonly [Exchange, Exchange]> {
  const refused = await refuse();
  // The client can reuse the connection after one cycle of the event loop.
  await nextCycle();
  return [refused, await target.list()];
}

async function listsAfterRefusals(target: Target): Promise<Outcome> {
  for (const refuse of await refusals(target)) {
    const [refused, list] = await sendBoth(target, refuse);
    if (accepted(refused) || accepted(list)) continue;
    // A list may fail by chance or for another reason, so both are sent again.
    const [refusedAgain, listAgain] = await sendBoth(target, refuse);
    const other = await target.list();
    if (accepted(listAgain) || !accepted(other)) continue;
    return broken(
      `a request with a body ${whatCame(refusedAgain)}, and then the list on the same connection ${whatCame(listAgain)}; sent once more, the list ${whatCame(other)}`,
      refusedAgain,
      listAgain,
      other,
    );
  }
  return holds();
}

/** Requirements about how a target finds the end of a request body. */
export const messageBodies: readonly Requirement[] = [
  {
    id: 'transport/chunked-body',
    effort: 'standard',
    section: '4',
    sentences: ['4/json-accepted', '4.2/body', '4.3/body'],
    level: 'derived',
    derivation:
      'A request body may be sent in chunks (RFC 9112, 7.1), which a server may refuse with 411 (RFC 9110, 15.5.12): it has the same meaning as with a Content-Length.',
    text: 'A create and an update whose bodies are sent in several chunks have the same effect as with a Content-Length, and so has an update whose body is sent in two pieces.',
    cause:
      'Only the first chunk is read, or what comes together with the headers, or each chunk is decoded by itself.',
    // The check needs one tag at a time, and room for creates whose answer is unclear.
    tags: 4,
    check: sendInParts,
  },
  {
    id: 'transport/body-of-refusal',
    effort: 'standard',
    section: '4.4',
    sentences: ['4.4/path'],
    level: 'derived',
    derivation:
      'A body ends where its length says (RFC 9112, 6.3): the unread rest of a refused request is not another request.',
    text: 'A list is answered as usual if it follows a refused request with a body on the same connection.',
    cause:
      'The request is refused before its body is read, which is then taken for the start of the next request.',
    // The check runs alone: the next request reuses the connection only if no others are sent.
    when: 'calm',
    // One tag as a model for an invented tag_id, and the tags of creates that are not refused.
    tags: 4,
    check: listsAfterRefusals,
  },
];
