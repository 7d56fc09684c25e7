import { setImmediate as nextCycle } from 'node:timers/promises';
import {
  accepted,
  allOf,
  answers,
  broken,
  createdIn,
  type Exchange,
  holds,
  ifDecided,
  type Outcome,
  type RequestOverrides,
  type Requirement,
  type Secret,
  statusOf,
  type Tag,
  type Target,
  whatCame,
  withCredential,
} from '../../lib/check.ts';
import { mayBePage, shows } from '../listed-tags.ts';
import { spareAccount } from '../spare-account.ts';
import { scopeProbes } from '../scopes/probes.ts';
import { survey, tokensEnd } from '../scopes/survey.ts';
import { isScopeRefusal } from '../scopes/widened.ts';
import { inventId } from '../unknown-ids.ts';

/** Requests that are sent one after another on a new connection. The last one is judged. */
interface Sequence {
  readonly before: readonly ((overrides?: RequestOverrides) => Promise<Exchange>)[];
  readonly last: (overrides?: RequestOverrides) => Promise<Exchange>;
  readonly isGood: (last: Exchange) => boolean;
  /** What is wrong with an answer that is accepted but not good. */
  readonly lacks: string;
}

const OPENING: RequestOverrides = { opensConnection: true };

/**
 * Closes the connection after the last request, so that a fault that depends on the connection disturbs no other check.
 */
const ENDING: RequestOverrides = { headers: { Connection: 'close' } };

/** Sends the requests on one connection: each reuses that of the request before, as long as nothing else is sent. */
async function send({ before, last }: Sequence): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const ask of before) {
    exchanges.push(await ask(exchanges.length === 0 ? OPENING : undefined));
    // The client can reuse the connection after one cycle of the event loop.
    await nextCycle();
  }
  return [...exchanges, await last(exchanges.length === 0 ? { ...OPENING, ...ENDING } : ENDING)];
}

/** @param first the exchanges of the sequence, if it was sent already. */
async function judge(sequence: Sequence, first?: readonly Exchange[]): Promise<Outcome> {
  const isGood = (exchanges: readonly Exchange[]): boolean => exchanges.slice(-1).every(sequence.isGood);
  if (isGood(first ?? (await send(sequence)))) return holds();
  // A request may fail by chance or for another reason, so the same sequence is sent again, and the last request alone.
  const again = await send(sequence);
  const alone = await send({ ...sequence, before: [] });
  const [last] = again.slice(-1);
  if (last === undefined || isGood(again) || !isGood(alone)) return holds();
  const came = `${whatCame(last)}${accepted(last) ? sequence.lacks : ''}`;
  return broken(
    `${answers.line(last)} ${came} after other requests on the same connection, but not as the first request on a new one`,
    ...alone,
    ...again,
  );
}

/**
 * The token that permits the least; undefined if a login ends it, or if it may have ended and no login is left. That the run took
 * a token for ended may be an effect of a fault of this kind.
 */
async function narrowToken(target: Target): Promise<Secret | undefined> {
  const { ended } = await survey(target);
  if (ended || (target.facts.tokensEnd && !target.facts.sparesLogins)) return undefined;
  const permitted = ({ permits }: Awaited<ReturnType<typeof scopeProbes>>[number]): number =>
    Object.values(permits).filter(Boolean).length;
  const [narrowest] = (await scopeProbes(target)).toSorted((one, other) => permitted(one) - permitted(other));
  return narrowest === undefined ? undefined : target.token(narrowest.scopes);
}

/**
 * Checks a list with a narrow token that is sent again, a create without a name that follows both, and a create that follows
 * all.
 *
 * @returns also the first tag that it made.
 */
async function afterNarrowToken(target: Target): Promise<{ readonly outcome: Outcome; readonly tag?: Tag }> {
  const token = await ifDecided(() => narrowToken(target));
  const made: Tag[] = [];
  const create = async (overrides?: RequestOverrides): Promise<Exchange> => {
    const name = target.name();
    const exchange = await target.create({ name }, overrides);
    const tagId = createdIn(exchange)?.tagId;
    if (tagId !== undefined) made.push({ tagId, name });
    return exchange;
  };
  const list: Sequence['last'] = (overrides) =>
    target.list(undefined, token === undefined ? overrides : { ...overrides, token });
  const lists = token === undefined ? [] : [list, list];
  const nameless: Sequence['last'] = (overrides) => target.create({}, { ...overrides, open: true });
  const sequence = { before: [...lists, nameless], last: create, isGood: accepted, lacks: '' };
  const sent = await send(sequence);
  const isRefused = token !== undefined && sent.slice(0, 1).every(isScopeRefusal);
  const outcome = allOf(
    isRefused
      ? await judge({ ...sequence, before: [list], last: list, isGood: isScopeRefusal }, sent.slice(0, 2))
      : holds(),
    await judge(
      { ...sequence, before: lists, last: nameless, isGood: (create) => statusOf(create) === 422 },
      sent.slice(0, -1),
    ),
    await judge(sequence, sent),
  );
  return { outcome, ...(made[0] === undefined ? {} : { tag: made[0] }) };
}

/**
 * Checks a list that follows one with an invalid token, one of the other account, one with a filter that finds nothing,
 * and a delete of a tag_id that no tag has.
 */
function afterOtherLists(target: Target, tag: Tag): Promise<Outcome> {
  // Only an unfiltered list shows whether the filter was kept.
  const isWhole = target.facts.hasShortLists;
  const other = spareAccount(target);
  const invalid = withCredential(`Bearer ${target.name()}`, 'Bearer made-up');
  return judge({
    before: [
      (overrides) => target.list(undefined, { ...overrides, ...invalid }),
      ...(other === target ? [] : [() => other.list()]),
      () => target.list(target.name()),
      () => target.delete(inventId([tag.tagId]), { open: true }),
    ],
    last: (overrides) => target.list(isWhole ? undefined : tag.name, overrides),
    isGood: (list) => shows(list, tag) || (isWhole && mayBePage(target, list)),
    lacks: ', without a tag of the account,',
  });
}

/**
 * Checks, if every token seemed to permit everything, that a narrow one does so on a new connection as well: the probes
 * reuse connections on which the run's token was sent.
 */
async function afterWideToken(target: Target): Promise<Outcome> {
  if (await tokensEnd(target)) return holds();
  const probes = (await scopeProbes(target)).filter(({ scopes }) => !scopes.includes('api'));
  const [probe] = probes;
  const isLimited = probes.some(({ permits }) => Object.values(permits).includes(false));
  const token =
    probe === undefined || isLimited ? undefined : await ifDecided(() => target.token(probe.scopes));
  if (token === undefined || probe === undefined) return holds();
  const { tagId } = await target.makeTag();
  const last: Sequence['last'] = (overrides) =>
    target.rename(tagId, { name: target.name() }, { ...overrides, token, keepsToken: true });
  const update = async (before: Sequence['before']): Promise<Exchange | undefined> =>
    (await send({ before, last, isGood: accepted, lacks: '' })).at(-1);
  const isRefused = (exchange: Exchange | undefined): boolean =>
    exchange !== undefined && isScopeRefusal(exchange);
  const first = await update([]);
  if (first === undefined || !isRefused(first)) return holds();
  const after = await update([(overrides) => target.list(undefined, overrides)]);
  return after !== undefined && accepted(after) && isRefused(await update([]))
    ? broken(
        `an update with a token for ${probe.scopes.join(', ')} ${whatCame(after)} after a list with the run's token on the same connection, and ${whatCame(first)} as the first request on a new one`,
        first,
        after,
      )
    : holds();
}

export const connectionsKeepNothing: Requirement = {
  id: 'transport/connection-keeps-nothing',
  effort: 'standard',
  section: '1',
  sentences: ['1/bearer', '4/bearer'],
  level: 'derived',
  derivation:
    'The token goes with every request (1), and a request means the same whatever came before it on its connection (RFC 9110, 3.3).',
  text: 'The answer to a request depends on its own token and query, not on those of earlier requests on its connection.',
  cause:
    'The user, the scopes, the filter or the errors are kept with the connection or the worker, not with the request.',
  // The check runs alone: the next request reuses the connection only if no others are sent.
  when: 'calm',
  tags: 5,
  check: async (target) => {
    const widened = await afterWideToken(target);
    if (widened.kind !== 'holds') return widened;
    const { outcome, tag } = await afterNarrowToken(target);
    if (outcome.kind !== 'holds') return outcome;
    const isListed = tag !== undefined && (await target.untilListed(tag.tagId, tag.name)).good;
    return afterOtherLists(target, isListed ? tag : await target.makeTag());
  },
};
