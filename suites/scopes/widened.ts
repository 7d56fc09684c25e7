import {
  accepted,
  broken,
  type Exchange,
  holds,
  ifDecided,
  type Outcome,
  type Secret,
  statusOf,
  type Target,
} from '../../lib/check.ts';
import { loginInTurn } from '../login/turns.ts';
import type { Probe } from './probe.ts';
import { NARROW } from './scope-sets.ts';
import { survey } from './survey.ts';

/** Statuses of a refusal that may have another reason than the scope: the name of the update, or too many requests. */
const OTHER_REASONS = [409, 422, 429];

/** Whether an answer may be a refusal for lack of scope. Other failures may be temporary. */
export const isScopeRefusal = (exchange: Exchange): boolean => {
  const status = statusOf(exchange);
  return status >= 400 && status < 500 && !OTHER_REASONS.includes(status);
};

/**
 * Checks that a token with one narrow scope permits no updates after a later login for api, if it permitted none before
 * any other login, nor after an update to the name that the tag has.
 */
export async function staysNarrow(target: Target, probes: readonly Probe[]): Promise<Outcome> {
  const { narrow } = await survey(target);
  const probe = probes.find(({ scopes }) => scopes.join() === NARROW.join());
  if (narrow === undefined || probe === undefined) return holds();
  if (accepted(narrow) && !probe.permits.rename && isScopeRefusal(probe.asked.rename))
    return isOpened(target, probe.asked.rename);
  if (!isScopeRefusal(narrow) || !probe.permits.rename) return holds();
  const { tagId } = await target.makeTag();
  let outcome: Outcome = holds();
  // No other login may come between these two.
  await loginInTurn(target, target, 'a right login', async () => {
    const token = await ifDecided(() => target.token(NARROW, { fresh: true }));
    const login = await target.login(NARROW);
    if (token !== undefined) outcome = await isWidened(target, tagId, token);
    return login;
  });
  return outcome;
}

/** Updates a tag with a narrow token to the name that it has, and then to another one. */
async function isOpened(target: Target, refused: Exchange): Promise<Outcome> {
  const token = await ifDecided(() => target.token(NARROW));
  if (token === undefined) return holds();
  const { tagId, name } = await target.makeTag();
  const renamed = target.name();
  const overrides = { token, keepsToken: true, open: true };
  const same = await target.rename(tagId, { name }, overrides);
  const update = await target.rename(tagId, { name: renamed }, overrides);
  if (!accepted(update)) return holds();
  const { seen, good } = await target.untilListed(tagId, renamed, name);
  return good
    ? broken(
        `after an update to the name that the tag has, a token for ${NARROW.join()} could update it, which it could not before`,
        update,
        refused,
        same,
        ...seen.exchanges,
      )
    : holds();
}

/** Updates a tag with a narrow token before and after a login for api. */
async function isWidened(target: Target, tagId: string, token: Secret): Promise<Outcome> {
  const update = (): Promise<Exchange> =>
    target.rename(tagId, { name: target.name() }, { token, keepsToken: true });
  // At first, some servers may not know a new token yet.
  const { seen, good } = await target.until(
    async () => {
      const exchange = await update();
      return { exchange, exchanges: [exchange] };
    },
    ({ exchange }) => accepted(exchange),
    { late: 'ignored' },
  );
  if (good || !isScopeRefusal(seen.exchange)) return holds();
  if ((await ifDecided(() => target.token(['api'], { fresh: true }))) === undefined) return holds();
  const login = await target.login(['api']);
  const after = await update();
  return accepted(after)
    ? broken(
        `after a later login for api, a token for ${NARROW.join()} could update, which it could not before`,
        after,
        seen.exchange,
        login,
      )
    : holds();
}
