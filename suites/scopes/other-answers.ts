import {
  accepted,
  answers,
  broken,
  createdIn,
  type Exchange,
  holds,
  ifDecided,
  matches,
  type Outcome,
  type RequestOverrides,
  type Secret,
  spec,
  statusOf,
  type Tag,
  type TagOperation,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { discloses } from '../disclosure.ts';
import { doDeletedIdsStayFree } from '../freed-ids.ts';
import { listUntil } from '../listed-tags.ts';
import type { Probe } from './probe.ts';
import { API_AMONG_NARROWER } from './scope-sets.ts';
import { listsLater, tokensEnd } from './survey.ts';

/** A token for other scopes than api alone that permits an operation. */
interface Other {
  readonly scopes: readonly string[];
  readonly permitsCreate: boolean;
  readonly token: Secret;
}

/**
 * A token without the scope api that permits the operation, if possible one that permits no creates; undefined if there
 * is none.
 */
async function narrowToken(
  target: Target,
  probes: readonly Probe[],
  operation: TagOperation,
): Promise<Other | undefined> {
  // If tokens end, using another one would take a login.
  if (await tokensEnd(target)) return undefined;
  const able = probes.filter(({ scopes, permits }) => permits[operation] && !scopes.includes('api'));
  const probe = able.find(({ permits }) => !permits.create) ?? able[0];
  const token = probe === undefined ? undefined : await ifDecided(() => target.token(probe.scopes));
  return probe === undefined || token === undefined
    ? undefined
    : { scopes: probe.scopes, permitsCreate: probe.permits.create, token };
}

/** An answer to a narrow token, and the same request with the run's token. */
interface Answered extends Other {
  readonly what: string;
  readonly exchange: Exchange;
  readonly twin: () => Promise<Exchange>;
  readonly judge: (exchange: Exchange) => Outcome;
  /** Whether the token still permits the operation afterwards. The form of an answer to an ended token is open. */
  readonly isAlive: () => Promise<boolean>;
}

/** A list, with a narrow token, that was filtered by the name of a tag before the tag existed. */
function emptyList(target: Target, other: Other, exchange: Exchange, tag: Tag): Answered[] {
  // A list that is not accepted may mean that the token has ended.
  if (!accepted(exchange)) return [];
  const twin = (): Promise<Exchange> => target.list(target.name());
  const isAlive = (): Promise<boolean> => listsLater(target, tag, other.token);
  return [{ ...other, what: 'a list of no tag', exchange, twin, judge: matches.success, isAlive }];
}

/** Sends an update and a create without a name, with another token. */
async function withoutName(target: Target, other: Other, { tagId }: Tag): Promise<Answered[]> {
  const { token } = other;
  const isAlive = async (): Promise<boolean> => {
    const name = target.name();
    const update = await target.rename(tagId, { name }, { token, keepsToken: true });
    return accepted(update) && (await target.untilListed(tagId, name)).good;
  };
  const judge = (one: Exchange): Outcome =>
    matches.refusal({ accepted: one, refused: one }, 422, spec.bodies.validation);
  const asks = [
    { what: 'an update without a name', send: (more?: RequestOverrides) => target.rename(tagId, {}, more) },
    ...(other.permitsCreate
      ? [{ what: 'a create without a name', send: (more?: RequestOverrides) => target.create({}, more) }]
      : []),
  ];
  const answered = await Promise.all(
    asks.map(async ({ what, send }) => ({
      ...other,
      what,
      exchange: await send({ token }),
      twin: () => send(),
      judge,
      isAlive,
    })),
  );
  return answered.filter(({ exchange }) => accepted(exchange) || statusOf(exchange) === 422);
}

/** Checks that a narrow token, which has listed the name before, lists the new tag. */
async function showsNew(target: Target, other: Other, before: Exchange, tag: Tag) {
  const { scopes, token } = other;
  const { list, good } = await listUntil(target, (one) => !accepted(one) || discloses(one, tag), {
    filter: tag.name,
    overrides: { token },
  });
  if (good) return holds();
  const plain = await target.list(tag.name);
  await target.removeTags();
  // A target may answer an ended token with an empty list.
  return discloses(plain, tag) && (await listsLater(target, await target.makeTag(), other.token))
    ? broken(
        `a token for ${scopes.join(', ')} does not list a tag that was made since it listed the name, but one with api does`,
        before,
        list,
        plain,
      )
    : holds();
}

/**
 * Deletes a tag twice with a narrow token that permits deletes. Broken if the second delete is not answered 404, but one with the
 * run's token is.
 */
async function secondDelete(target: Target, probes: readonly Probe[], { tagId }: Tag): Promise<Outcome> {
  const other = await narrowToken(target, probes, 'delete');
  const isThere = target.facts.tags.some((tag) => tag.tagId === tagId && tag.isAlive);
  if (other === undefined || !isThere || !(await doDeletedIdsStayFree(target))) return holds();
  const { scopes, token } = other;
  return target.run('without creates', async () => {
    const first = await target.delete(tagId, { token });
    const second = await target.delete(tagId, { token, open: true });
    if (!accepted(first) || !answers.isClientError(second) || statusOf(second) === 404) return holds();
    const plain = await target.delete(tagId, { open: true });
    return statusOf(plain) === 404
      ? broken(
          `a second delete ${whatCame(second)} with a token for ${scopes.join(', ')}, not 404 as with api alone`,
          second,
          plain,
        )
      : holds();
  });
}

/**
 * Checks answers that the probes do not cover. For every token, an empty list and a validation error have the form of
 * sections 4 and 7, a list shows a new tag although the same token listed the name before, and a second delete is answered 404.
 */
export async function otherAnswers(target: Target, probes: readonly Probe[]): Promise<Outcome> {
  const reader = await narrowToken(target, probes, 'list');
  const wide = probes.find(
    ({ scopes, permits }) => scopes === API_AMONG_NARROWER && permits.rename && permits.create,
  );
  const wideToken =
    wide === undefined || (await tokensEnd(target))
      ? undefined
      : await ifDecided(() => target.token(wide.scopes));
  const writers = [
    await narrowToken(target, probes, 'rename'),
    ...(wideToken === undefined
      ? []
      : [{ scopes: API_AMONG_NARROWER, permitsCreate: true, token: wideToken }]),
  ].filter((one) => one !== undefined);
  const name = target.name();
  const empty = reader === undefined ? undefined : await target.list(name, { token: reader.token });
  if (reader === undefined && writers.length === 0) return holds();
  const created = createdIn(await target.create({ name }));
  if (created === undefined) return undecided('failure', 'no tag could be made to send requests for');
  const tag = { tagId: created.tagId, name };
  const answers = [
    ...(reader === undefined || empty === undefined ? [] : emptyList(target, reader, empty, tag)),
    ...(await Promise.all(writers.map((writer) => withoutName(target, writer, tag)))).flat(),
  ];
  for (const { scopes, what, exchange, twin, judge, isAlive } of answers) {
    const outcome = judge(exchange);
    if (outcome.kind !== 'broken' || !(await isAlive())) continue;
    const plain = await twin();
    return judge(plain).kind === 'broken'
      ? undecided('failure', `${outcome.why}, with api alone as well`, exchange, plain)
      : broken(`${outcome.why}, to ${what} with a token for ${scopes.join(', ')}`, exchange, plain);
  }
  const shown =
    reader === undefined || empty === undefined || !accepted(empty)
      ? holds()
      : await showsNew(target, reader, empty, tag);
  return shown.kind === 'holds' ? secondDelete(target, probes, tag) : shown;
}
