import {
  accepted,
  type Exchange,
  ifDecided,
  listedIn,
  type Secret,
  spec,
  type Tag,
  type TagOperation,
  type Target,
  Undecided,
} from '../../lib/check.ts';
import { discloses } from '../disclosure.ts';
import { sendInTurn, newNames, type Subjects } from '../every-operation.ts';
import { listUntil } from '../listed-tags.ts';
import {
  type Answers,
  sendWith,
  concluded,
  permitsList,
  type Probe,
  TAGS_OF_A_PROBE,
  tagsFor,
} from './probe.ts';
import { workingOperations } from '../tour.ts';

/**
 * All seven scopes, unordered. api is neither first, last nor in the middle, so that it has another place when the set
 * is reversed.
 */
export const API_AMONG_ALL = ['user_read', 'mutation_read', 'bank_read', 'user', 'api', 'bank', 'mutation'];

/**
 * The same without the scopes that may permit operations on tags. Joined, they are as long as the read-only scopes below: a
 * cache of tokens must not take one set for the other.
 */
export const API_AMONG_NARROWER = API_AMONG_ALL.filter((scope) => !scope.startsWith('mutation'));

/** The scope that most likely permits lists is neither the first nor the last one. */
export const READ_ONLY_SCOPES = ['bank_read', 'mutation_read', 'user_read'];

/** The scope of the first login after that for api. */
export const NARROW: readonly string[] = ['user_read'];

/** The sets of scopes whose tokens are probed. The others are compared with the set of api alone. */
const SETS: readonly (readonly string[])[] = [
  ...spec.limitedScopes.map((scope) => [scope]),
  READ_ONLY_SCOPES,
  API_AMONG_NARROWER,
  ['api'],
];

/** The sets for a target on which a login ends earlier tokens, because each set costs an additional login there. */
const FEWER_SETS = SETS.filter((scopes) => scopes !== READ_ONLY_SCOPES && scopes.join() !== 'api');

/**
 * The sets to probe. If logins end earlier tokens after a while, each probe takes another login, so one set is left
 * out.
 */
const setsToProbe = ({ facts }: Target): readonly (readonly string[])[] =>
  SETS.filter((scopes) => scopes !== READ_ONLY_SCOPES || !facts.haveLoginsEndedTokens);

/** Probes a token of every set of scopes for which a login gives one; once in a run. */
export async function scopeProbes(target: Target): Promise<readonly Probe[]> {
  const { early } = await survey(target);
  if (early !== undefined) return early;
  const powerless =
    (await target.shared('scope-probes-together', TAGS_OF_A_PROBE, (shared) =>
      ifDecided(() => shared.part(TAGS_OF_A_PROBE, together)),
    )) ?? [];
  const others = setsToProbe(target).filter((scopes) => !powerless.some((probe) => probe.scopes === scopes));
  const probes = await Promise.all(
    others.map((scopes) =>
      target.shared(`scope-probe-${scopes.join('-')}`, TAGS_OF_A_PROBE, (shared) => alone(shared, scopes)),
    ),
  );
  return [...powerless, ...probes.filter((probe) => probe !== undefined)];
}

/** Scopes that permit everything with tags on many targets. */
const LIKELY_PERMITTED = new Set(['api', 'mutation']);

/**
 * Probes the sets that are likely to be refused, all with the same tags, so that one look shows whether any had an effect. The
 * read-only sets share one look. Each other set has a look of its own, because a target may let
 * every scope that manages something write.
 *
 * @returns the probes of sets that had no effect. Every other set must be probed alone.
 */
async function together(shared: Target): Promise<readonly Probe[]> {
  const tags = await tagsFor(shared);
  const sets = setsToProbe(shared).filter((scopes) => !scopes.some((scope) => LIKELY_PERMITTED.has(scope)));
  const isReading = (scopes: readonly string[]): boolean =>
    scopes.every((scope) => READ_ONLY_SCOPES.includes(scope));
  const others = sets.filter((scopes) => !isReading(scopes)).map((scopes) => [scopes]);
  // If logins end earlier tokens, each look costs the run a login.
  const groups = shared.facts.haveLoginsEndedTokens ? [sets] : [sets.filter(isReading), ...others];
  const probes: Probe[] = [];
  for (const group of groups) {
    // Another group may be permitted to create a tag of its name.
    const powerless = await allPowerless(shared, { ...tags, names: newNames(shared) }, group);
    if (powerless === undefined) break;
    probes.push(...powerless);
  }
  return probes;
}

/** Probes sets on the same tags; undefined if one had an effect. */
async function allPowerless(
  shared: Target,
  subjects: Subjects,
  sets: readonly (readonly string[])[],
): Promise<readonly Probe[] | undefined> {
  const { toRename, toDelete, names } = subjects;
  const asked = await sendInTurn(shared, subjects, sets, async (scopes) => {
    const token = await ifDecided(() => shared.token(scopes));
    if (token === undefined) return undefined;
    const answers = await sendWith(shared, scopes, token, subjects, names);
    return { answers, asked: answers.asked };
  });
  return asked?.all.map((one) => ({
    scopes: one.scopes,
    asked: one.asked,
    tag: toRename,
    toDelete,
    created: names.created,
    isListed: { created: false },
    permits: { create: false, rename: false, list: permitsList(one.asked, toRename), delete: false },
    looks: asked.after.exchanges,
  }));
}

/** Probes a set on separate tags. */
async function alone(shared: Target, scopes: readonly string[]): Promise<Probe | undefined> {
  const token = await ifDecided(() => shared.token(scopes));
  if (token === undefined) return undefined;
  const first = await concluded(shared, await sendWith(shared, scopes, token, await tagsFor(shared)));
  if (!scopes.includes('api') || spec.tagOperations.some((operation) => first.permits[operation]))
    return first;
  // If a token with api permits nothing, it may have ended before the probe.
  await shared.removeTags();
  return (await ifDecided(() => probe(shared, scopes, { fresh: true }))) ?? first;
}

/** @throws Undecided if the login gives no token. */
async function probe(
  target: Target,
  scopes: readonly string[],
  options: { readonly fresh: boolean },
): Promise<Probe> {
  const tags = await tagsFor(target);
  const token = await target.token(scopes, options);
  return concluded(target, await sendWith(target, scopes, token, tags));
}

/**
 * Probes a set once more, with a token that was valid the whole time.
 *
 * @param options.fresh whether to log in again for the token; true by default.
 * @returns undefined if the token ended meanwhile, that is, it listed tags at first and later did not.
 * @throws Undecided if the login gives no token.
 */
export const probeAgain = (
  target: Target,
  scopes: readonly string[],
  options = { fresh: true },
): Promise<Probe | undefined> =>
  target.shared(`scope-probe-again-${scopes.join('-')}`, TAGS_OF_A_PROBE, async (shared) => {
    const again = await probe(shared, scopes, options);
    const token = await shared.token(scopes);
    const lists = async (): Promise<boolean> =>
      listedIn(await shared.list(undefined, { token, keepsToken: true })) !== undefined;
    return listedIn(again.asked.list) === undefined || (await lists()) ? again : undefined;
  });

/** Whether logins end earlier tokens. */
interface Survey {
  /** A list with an earlier token, sent after another login. */
  readonly still: Exchange;
  /**
   * An update with the token of that login to the name that the tag has, because some faulty servers let later logins
   * widen it; undefined if that token was not tried.
   */
  readonly narrow?: Exchange | undefined;
  /** A list without a token right after a login, because some faulty servers remember who logged in last. */
  readonly bare: Exchange;
  /** Whether that token had ended after the other login, or after all logins. */
  readonly ended: boolean;
  /** The probes, if they had to be made here because logins end earlier tokens. */
  readonly early?: readonly Probe[];
  /**
   * A list with that token after another login for api, if it works again. Then the token had not ended, but lost its
   * scope.
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
  const groupSize = Math.max(1, Math.floor((target.settings.sharedTags - 1) / TAGS_OF_A_PROBE));
  return target.shared('scope-survey', groupSize * TAGS_OF_A_PROBE + 1, async (shared) => {
    const tag = await shared.makeTag();
    const before = await shared.token();
    await shared.login(NARROW);
    const still = await shared.list(tag.name, { token: before, keepsToken: true });
    const narrow = shared.settings.effort !== 'quick' ? await narrowUpdate(shared, tag) : undefined;
    let last = still;
    // A target may keep only a few tokens of each account. The logins that the run needs anyway show whether it does.
    const further = shared.settings.effort !== 'quick' ? SETS : [];
    for (let at = 0; at < further.length && discloses(last, tag); at += LOGINS_BETWEEN_LOOKS) {
      const sets = further.slice(at, at + LOGINS_BETWEEN_LOOKS);
      await Promise.all(sets.map((scopes) => ifDecided(() => shared.token(scopes))));
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
      return { still, narrow, bare, ended: false };
    // The earlier token may be valid and its list only show the tag late.
    const isLate = listedIn(last) !== undefined && (await listsLater(shared, tag, before));
    if (isLate) return { still, narrow, bare, ended: false };
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

/** Updates a tag to the name that it has, with the token of the narrow login. */
async function narrowUpdate(shared: Target, { tagId, name }: Tag): Promise<Exchange | undefined> {
  const token = await ifDecided(() => shared.token(NARROW));
  return token === undefined
    ? undefined
    : shared.rename(tagId, { name }, { token, keepsToken: true, open: true });
}

/** The reason for a set that was not probed: if few logins are left, they may have been too few for it. */
export const whyNotProbed = ({ facts }: Target): 'failure' | 'budget' =>
  facts.sparesLogins ? 'failure' : 'budget';

/** The probe of the token with the scope api alone. */
export const probeOfApi = (probes: readonly Probe[]): Probe | undefined =>
  probes.find(({ scopes }) => scopes.join() === 'api');

/** The operations that work with api alone. If api was not probed, those that worked in the tour. */
export async function operationsOfApi(
  target: Target,
  probes: readonly Probe[],
): Promise<readonly TagOperation[]> {
  const api = probeOfApi(probes);
  const works = api === undefined ? await workingOperations(target) : undefined;
  return spec.tagOperations.filter((operation) =>
    api === undefined ? works?.has(operation) : accepted(api.asked[operation]) && api.permits[operation],
  );
}

/** The probes, and the operations to compare them with: those that work with api alone. */
export async function probesAndTwin(
  target: Target,
): Promise<{ twin: readonly TagOperation[]; probes: readonly Probe[] }> {
  const probes = await scopeProbes(target);
  const twin = await operationsOfApi(target, probes);
  if (twin.length === 0) throw new Undecided('failure', 'no operation works with a token for api alone');
  return { twin, probes };
}
