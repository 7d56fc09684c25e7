import {
  accepted,
  type Exchange,
  ifDecided,
  type Lookup,
  type Secret,
  type TagOperation,
  type Target,
} from '../../lib/check.ts';
import { lookInAll } from '../listed-tags.ts';
import { discloses } from '../disclosure.ts';
import { loginInTurn } from '../login/turns.ts';
import { spareAccount } from '../spare-account.ts';
import type { Probe } from './probe.ts';
import { loginsEndTokens } from './survey.ts';

/**
 * All scopes except api. mutation, the widest, is listed twice, and is neither the first nor the last scope, not even
 * of its area, nor the shortest or the longest. Other sets of the run have it before or behind each other scope in the
 * other order. Whether a duplicate is accepted is open.
 */
export const DOUBLED = [
  'user',
  'mutation_read',
  'user_read',
  'bank_read',
  'mutation',
  'mutation',
  'mutation_read',
  'bank',
];

/** The same without duplicates. */
export const MIXED = [...new Set(DOUBLED)];

/**
 * Scopes of all areas, of which only mutation_read is about the area of tags, and it permits no actions. A guard that looks
 * for the area and for a scope that manages something may find both here. Every other scope is the first one of another set.
 */
export const ACROSS_AREAS: readonly string[] = ['bank', 'mutation_read', 'user'];

/** The number of tags that one attempt makes: one with the run's token, one with the token under test. */
export const TAGS = 2;

/** A request of every operation with the token of a login, and the lists that show the effects. */
export interface Tried extends Pick<Probe, 'scopes' | 'permits' | 'looks'> {
  readonly asked: Readonly<Record<TagOperation, Exchange>>;
}

/** Sends a request of every operation with a token. The update overlaps a list with the run's token. */
export async function sendWith(target: Target, scopes: readonly string[], token: Secret): Promise<Tried> {
  const tag = await target.makeTag();
  const list = await target.list(tag.name, { token });
  // If the filter does not find the tag with the run's token, either, the list proves nothing about this token.
  const isListed = discloses(list, tag) || !discloses(await target.list(tag.name), tag);
  const [name, created] = [target.name(), target.name()];
  const [rename] = await target.run('simultaneously', () =>
    Promise.all([target.rename(tag.tagId, { name }, { token }), target.list(tag.name)]),
  );
  const look = (): Promise<Lookup> => lookInAll(target, tag.tagId, name, tag.name, created);
  const isNamed = ({ entries }: Lookup): boolean =>
    entries.some((entry) => entry.tagId === tag.tagId && entry.name === name);
  // A refused update is looked at below, together with the others.
  const renamed = accepted(rename) ? (await target.until(look, isNamed)).seen : undefined;
  const [create, remove] = await Promise.all([
    target.create({ name: created }, { token }),
    target.delete(tag.tagId, { token }),
  ]);
  const isMade = ({ entries }: Lookup): boolean => entries.some((entry) => entry.name === created);
  // A younger tag may have the tag_id now.
  const isGone = ({ entries }: Lookup): boolean =>
    !entries.some((entry) => entry.tagId === tag.tagId && (entry.name === name || entry.name === tag.name));
  // A list that lags may not show the tag yet, as if a refused delete had been carried out.
  const { seen } = await target.until(
    look,
    (one) => accepted(create) === isMade(one) && accepted(remove) === isGone(one),
    { late: accepted(create) && accepted(remove) ? 'recorded' : 'ignored' },
  );
  return {
    scopes,
    asked: { create, rename, list, delete: remove },
    permits: {
      create: isMade(seen),
      rename: isNamed(renamed ?? seen),
      list: isListed,
      delete: isGone(seen),
    },
    looks: [...(renamed?.exchanges ?? []), ...seen.exchanges],
  };
}

/** A login for several scopes, and what its token permits, which is tested before any other login is sent. */
export interface TriedLogin {
  readonly scopes: readonly string[];
  readonly login: Exchange;
  readonly token?: Secret | undefined;
  readonly tried: Tried | undefined;
}

/** @param ended whether a login ends earlier tokens. */
export async function tryLogin(
  target: Target,
  scopes: readonly string[],
  ended: boolean,
  account = target,
): Promise<TriedLogin> {
  let tried: Tried | undefined;
  let token: Secret | undefined;
  // Whether a duplicate is allowed is open.
  const form = scopes === DOUBLED ? 'a right login of an open form' : 'a right login';
  const login = await loginInTurn(target, account, form, async () => {
    token = await ifDecided(() => account.token(scopes, { fresh: true }));
    const exchange = await account.login(scopes);
    // If logins end earlier tokens, the run must now log in again, which ends this token.
    const own = token;
    if (own !== undefined && !ended) tried = await ifDecided(() => sendWith(account, scopes, own));
    return exchange;
  });
  return { scopes, login, token, tried };
}

/** The login for a set with a duplicate; sent once in a run. */
export async function tryDoubled(target: Target): Promise<TriedLogin> {
  const ended = await loginsEndTokens(target);
  return target.shared('login for doubled scopes', TAGS, (shared) => tryLogin(shared, DOUBLED, ended));
}

/** The login for scopes of all areas; sent once in a run, by the spare account, whose rows of failed logins it ends. */
export async function tryAcrossAreas(target: Target): Promise<TriedLogin> {
  const ended = await loginsEndTokens(target);
  return target.shared('login for scopes of all areas', TAGS, (shared) =>
    tryLogin(shared, ACROSS_AREAS, ended, spareAccount(shared)),
  );
}
