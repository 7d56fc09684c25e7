import {
  accepted,
  broken,
  type Exchange,
  holds,
  ifDecided,
  type Outcome,
  type RequestOverrides,
  spec,
  type Target,
  whatCame,
} from '../lib/check.ts';
import { newNames, sendInTurn, type Subjects } from './every-operation.ts';
import { lookInAll } from './listed-tags.ts';
import { narrowToken } from './scopes/narrow-token.ts';

const WRITES = ['create', 'rename', 'delete'] as const;
type Write = (typeof WRITES)[number];

/** A departure from the usual request that a guard and a router may read in different ways. */
interface Misread {
  /** Completes "the update …". */
  readonly what: string;
  readonly overrides: RequestOverrides;
  readonly writes: readonly Write[];
}

/** The last letter or digit of a path, unless it is part of a percent-encoding. */
const LAST = /(?<!%.?)[a-z\d](?=[^a-z\d]*$)/i;

// Some guards compare the address as a whole, or believe this header, and the router does neither.
const AS_READ: Misread = {
  what: 'with a query, and a header that names the method GET',
  overrides: { path: (path) => `${path}?v=1`, headers: { 'X-HTTP-Method-Override': 'GET' } },
  writes: WRITES,
};

const WITH_SLASH: Misread = {
  what: 'with a slash at the end of its path',
  overrides: { path: (path) => `${path}/` },
  writes: ['rename', 'delete'],
};

const ENCODED: Misread = {
  what: 'with a character of its path percent-encoded',
  overrides: { path: (path) => path.replace(LAST, (char) => `%${char.charCodeAt(0).toString(16)}`) },
  writes: ['rename', 'delete'],
};

/** A credential that permits no write. */
interface Credential {
  /** Completes "answered 200 …". */
  readonly what: string;
  readonly overrides: RequestOverrides;
  readonly ways: readonly Misread[];
}

export const WITHOUT_TOKEN: Credential = {
  what: 'without a token',
  overrides: { token: 'none' },
  ways: [AS_READ, WITH_SLASH, { ...ENCODED, writes: ['delete'] }],
};

/** A token that most likely permits no write; undefined if there is none. */
export async function withNarrowToken(target: Target): Promise<Credential | undefined> {
  const narrow = await narrowToken(target);
  return (
    narrow && {
      what: `to a token for ${narrow.scopes}`,
      overrides: { token: narrow.token, keepsToken: true },
      ways: [AS_READ, ENCODED],
    }
  );
}

/** The most tags that `misreadWrites` has at once. */
export const TAGS_OF_MISREAD = 2;

/**
 * Checks that creates, updates and deletes that a guard may read in another way than the router have no effect with a
 * credential that permits none of them.
 */
export async function misreadWrites(target: Target, credential: Credential): Promise<Outcome> {
  const narrow = await withNarrowToken(target);
  const credentials = [WITHOUT_TOKEN, ...(narrow === undefined ? [] : [narrow])];
  const hadNoEffect = await target.shared('misread writes', TAGS_OF_MISREAD, (shared) =>
    ifDecided(() => shared.part(TAGS_OF_MISREAD, (part) => together(part, credentials))),
  );
  if (hadNoEffect === true) return holds();
  for (const way of credential.ways) {
    await target.removeTags();
    const subjects = await subjectsOf(target);
    for (const send of requestsOf(target, subjects, credential, way)) {
      const exchange = await send();
      const effect = accepted(exchange) ? await effectOf(target, exchange, subjects) : undefined;
      if (effect === undefined) continue;
      // Another requirement tells of the same request without the departure. By now, a stranger's tag may have the tag_id.
      if (await hasEffectAsUsual(target, credential, exchange)) break;
      return broken(
        `the ${spec.nameOf(exchange.ask.operation)} ${way.what} ${whatCame(exchange)} ${credential.what}, and ${effect.why}`,
        exchange,
        ...effect.exchanges,
      );
    }
  }
  return holds();
}

/** Sends all of them, with all credentials and the same tag, so that one look shows whether any had an effect. */
async function together(target: Target, credentials: readonly Credential[]): Promise<boolean> {
  const subjects = await subjectsOf(target);
  const all = credentials.flatMap((credential) => credential.ways.map((way) => ({ credential, way })));
  const sent = await sendInTurn(target, subjects, all, async ({ credential, way }) => {
    const sends = requestsOf(target, subjects, credential, way);
    const answers = await Promise.all(sends.map((send) => send()));
    const of = (write: Write): Exchange | undefined => answers.find(({ ask }) => ask.operation === write);
    const remove = of('delete');
    if (remove === undefined) return undefined;
    // `sendInTurn` needs an exchange for each operation: the delete takes the place of those that are not sent.
    const asked = {
      list: remove,
      filtered: remove,
      create: of('create') ?? remove,
      rename: of('rename') ?? remove,
      delete: remove,
    };
    return { answers, asked };
  });
  return sent !== undefined;
}

/** Whether the same request has an effect with this credential, too, if it is written as usual. */
async function hasEffectAsUsual(
  target: Target,
  credential: Credential,
  { ask: { operation } }: Exchange,
): Promise<boolean> {
  await target.removeTags();
  const subjects = await subjectsOf(target);
  const writes = WRITES.filter((write) => write === operation);
  const [send] = requestsOf(target, subjects, credential, { what: '', overrides: {}, writes });
  const exchange = await send?.();
  return exchange !== undefined && (await effectOf(target, exchange, subjects)) !== undefined;
}

async function subjectsOf(target: Target): Promise<Subjects> {
  const tag = await target.makeTag();
  return { toRename: tag, toDelete: tag, names: newNames(target) };
}

function requestsOf(
  target: Target,
  { toRename, toDelete, names }: Subjects,
  { overrides: credential }: Credential,
  { overrides, writes }: Misread,
): readonly (() => Promise<Exchange>)[] {
  const all = { ...overrides, ...credential, open: true };
  const requests: Readonly<Record<Write, () => Promise<Exchange>>> = {
    create: () => target.create({ name: names.created }, all),
    rename: () => target.rename(toRename.tagId, { name: names.renamed }, all),
    delete: () => target.delete(toDelete.tagId, all),
  };
  return writes.map((write) => requests[write]);
}

/** What lists show of an accepted request, if it had an effect. */
async function effectOf(
  target: Target,
  { ask }: Exchange,
  { toRename, names }: Subjects,
): Promise<{ readonly why: string; readonly exchanges: readonly Exchange[] } | undefined> {
  if (ask.operation === 'create') {
    const { entries, exchanges } = await lookInAll(target, undefined, names.created);
    return entries.length === 0 ? undefined : { why: 'its tag is listed', exchanges };
  }
  // A lagging replica may not show the tag yet.
  const { seen, good } = await target.untilListed(toRename.tagId, toRename.name);
  return good ? undefined : { why: 'the tag is no longer listed as it was', exchanges: seen.exchanges };
}
