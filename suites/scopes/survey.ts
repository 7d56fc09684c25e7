import {
  createdIn,
  type Exchange,
  ifDecided,
  listedIn,
  type Secret,
  type Tag,
  type Target,
} from '../../lib/check.ts';
import { discloses } from '../disclosure.ts';
import { listUntil } from '../listed-tags.ts';
import { type Answers, concluded, type Probe, sendWith, TAGS_OF_A_PROBE, tagsFor } from './probe.ts';
import { FEWER_SETS, NARROW, SETS } from './scope-sets.ts';

/** Whether logins end earlier tokens. */
interface Survey {
  /** A list with an earlier token, sent after another login. */
  readonly still: Exchange;
  /**
   * An update with the token of that login to the name that the tag has, because some faulty servers let later logins
   * widen it; undefined if that token was not tried.
   */
  readonly narrow?: Exchange | undefined;
  /**
   * A create with a read-only token as its first request, right after its login, and a list that shows its tag; undefined if it
   * made none. A target may know a token before it knows its scopes.
   */
  readonly madeAtOnce?: readonly Exchange[] | undefined;
  /** A list without a token right after a login, because some faulty servers remember who logged in last. */
  readonly bare: Exchange;
  /** Whether the earlier token had ended after the other login, or after all logins. */
  readonly ended: boolean;
  /** The probes, if they had to be made here because logins end earlier tokens. */
  readonly early?: readonly Probe[];
  /**
   * A list with the earlier token after another login for api, if it works again. Then that token had not ended, but lost
   * its scope.
   */
  readonly back?: Exchange;
}

/** Whether a list with the token shows the tag within the settle time. */
export const listsLater = async (target: Target, tag: Tag, token: Secret): Promise<boolean> => {
  const overrides = { token, keepsToken: true };
  const options = { filter: tag.name, overrides, late: 'ignored' } as const;
  return (await listUntil(target, (list) => discloses(list, tag), options)).good;
};

/** Whether another login ends a token, either at once or later (as far as the run has noticed). */
export const loginsEndTokens = async (target: Target): Promise<boolean> =>
  (await survey(target)).ended || target.facts.haveLoginsEndedTokens;

/** Whether each use of another token than the run's takes a login: tokens are ended by logins or expire soon. */
export const tokensEnd = async (target: Target): Promise<boolean> =>
  (await survey(target)).ended || target.facts.tokensEnd;

/** The number of logins between two looks. It is small: each login after the one that ended the token must be repeated. */
const LOGINS_BETWEEN_LOOKS = 3;

/**
 * Finds out whether one or several logins end earlier tokens. If they do, each token must be probed before the next
 * login, while no other request is sent. So the survey probes them itself, before any other check.
 */
export function survey(target: Target): Promise<Survey> {
  const groupSize = Math.max(1, Math.floor((target.settings.sharedTags - 2) / TAGS_OF_A_PROBE));
  return target.shared('scope-survey', groupSize * TAGS_OF_A_PROBE + 2, async (shared) => {
    const tag = await shared.makeTag();
    const before = await shared.token();
    await shared.login(NARROW);
    const still = await shared.list(tag.name, { token: before, keepsToken: true });
    const narrow = shared.settings.effort !== 'quick' ? await narrowUpdate(shared, tag) : undefined;
    let last = still;
    let madeAtOnce: readonly Exchange[] | undefined;
    const logIn = async (scopes: readonly string[]): Promise<void> => {
      const token = await ifDecided(() => shared.token(scopes));
      if (token !== undefined && scopes.join() === READ_ONLY) madeAtOnce = await createFirst(shared, token);
    };
    // A target may keep only a few tokens of each account. The logins that the run needs anyway show whether it does.
    const further = shared.settings.effort !== 'quick' ? SETS : [];
    for (let at = 0; at < further.length && discloses(last, tag); at += LOGINS_BETWEEN_LOOKS) {
      const sets = further.slice(at, at + LOGINS_BETWEEN_LOOKS);
      await Promise.all(sets.map(logIn));
      last = await shared.list(tag.name, { token: before, keepsToken: true });
    }
    // One refusal may have another reason, which is gone the next time.
    if (!discloses(last, tag)) last = await shared.list(tag.name, { token: before, keepsToken: true });
    const bare = await shared.list(undefined, { token: 'none' });
    // Other checks may have met the narrow scopes and logged in again before the lists here were answered.
    const wasReplaced = (await shared.token()).reveal() !== before.reveal();
    const lost = wasReplaced && discloses(last, tag) ? await lostScopes(shared, tag, before) : undefined;
    if (lost !== undefined) return { ...lost, bare, ended: true, early: [] };
    // A request with the run's token succeeds, because the run replaces an ended token. So the earlier token has ended
    // if only that request shows the tag.
    if (discloses(last, tag) || !discloses(await shared.list(tag.name), tag))
      return { still, narrow, madeAtOnce, bare, ended: false };
    // The earlier token may be valid and its list only show the tag late.
    const isLate = listedIn(last) !== undefined && (await listsLater(shared, tag, before));
    if (isLate) return { still, narrow, madeAtOnce, bare, ended: false };
    // A login may return the same token as an earlier one. Then that token has lost nothing.
    const isAnother = (await shared.token()).reveal() !== before.reveal();
    const again = await shared.list(tag.name, { token: before, keepsToken: true });
    // The scopes of the latest login hold for all tokens, so probes would not show what a token's own scopes permit.
    if (isAnother && discloses(again, tag)) return { still, bare, ended: true, early: [], back: again };
    const early: Probe[] = [];
    for (let at = 0; at < FEWER_SETS.length; at += groupSize) {
      const prepared: { scopes: readonly string[]; tags: Awaited<ReturnType<typeof tagsFor>> }[] = [];
      for (const scopes of FEWER_SETS.slice(at, at + groupSize))
        prepared.push({ scopes, tags: await tagsFor(shared) });
      const answered: Answers[] = [];
      for (const { scopes, tags } of prepared) {
        const token = await ifDecided(() => shared.token(scopes, { fresh: true }));
        if (token !== undefined) answered.push(await sendWith(shared, scopes, token, tags));
      }
      for (const one of answered) early.push(await concluded(shared, one));
      await shared.removeTags();
    }
    return { still, bare, ended: true, early };
  });
}

/**
 * The list with a token right after a narrow login, and the one after a login for api, if only the second one shows the tag: then
 * the scopes of the latest login hold for all tokens. Tries a few times, because other checks may log in between.
 */
async function lostScopes(
  shared: Target,
  tag: Tag,
  token: Secret,
): Promise<Required<Pick<Survey, 'still' | 'back'>> | undefined> {
  const list = (): Promise<Exchange> => shared.list(tag.name, { token, keepsToken: true });
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await ifDecided(() => shared.token(NARROW, { fresh: true }));
    const still = await list();
    if (discloses(still, tag)) continue;
    await ifDecided(() => shared.token(undefined, { fresh: true }));
    const back = await list();
    if (discloses(back, tag)) return { still, back };
  }
  return undefined;
}

const ATTEMPTS = 3;

/** The scope of the token that creates a tag as its first request. */
const READ_ONLY = 'mutation_read';

/** Creates a tag, and looks whether a list shows it. */
async function createFirst(shared: Target, token: Secret): Promise<readonly Exchange[] | undefined> {
  const name = shared.name();
  const create = await shared.create({ name }, { token, keepsToken: true, open: true });
  const tagId = createdIn(create)?.tagId;
  const list = tagId === undefined ? undefined : await shared.list(name);
  return tagId !== undefined && list !== undefined && discloses(list, { tagId, name })
    ? [create, list]
    : undefined;
}

/** Updates a tag to the name that it has, with the token of the narrow login. */
async function narrowUpdate(shared: Target, { tagId, name }: Tag): Promise<Exchange | undefined> {
  const token = await ifDecided(() => shared.token(NARROW));
  return token === undefined
    ? undefined
    : shared.rename(tagId, { name }, { token, keepsToken: true, open: true });
}
