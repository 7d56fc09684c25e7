import {
  accepted,
  type Exchange,
  ifDecided,
  LIMITED_SCOPES,
  listedIn,
  reaches,
  type Secret,
  type Tag,
  TAG_OPERATIONS,
  type TagOperation,
  type Target,
  Undecided,
} from '../../lib/check.ts';
import { discloses } from '../disclosure.ts';
import { askInTurn, newNames, type Subjects } from '../every-operation.ts';
import { listUntil } from '../listed-tags.ts';
import {
  type Answers,
  askWith,
  concluded,
  permitsList,
  type Probe,
  TAGS_OF_A_PROBE,
  tagsFor,
} from './probe.ts';
import { workingOperations } from '../tour.ts';

/**
 * All seven scopes in no order. api is neither first nor last nor in the middle, so its place in the reverse is another
 * one. Scopes that permit nothing are at both ends.
 */
export const API_AMONG_ALL = ['user_read', 'mutation_read', 'bank_read', 'user', 'api', 'mutation', 'bank'];

/** The same without the scope that may permit as much as api. */
export const API_AMONG_NARROWER = API_AMONG_ALL.filter((scope) => scope !== 'mutation');

/** Of these, the scope that lists is neither the first nor the last one. */
export const READ_ONLY_SCOPES = ['bank_read', 'mutation_read', 'user_read'];

/** The sets of scopes whose tokens are probed. The set of api alone is the twin of the others. */
const SETS: readonly (readonly string[])[] = [
  ...LIMITED_SCOPES.map((scope) => [scope]),
  READ_ONLY_SCOPES,
  API_AMONG_NARROWER,
  ['api'],
];

/** Fewer sets for a target that keeps one token at a time: there each set costs one more login of the budget. */
const FEWER_SETS = SETS.filter((scopes) => scopes !== READ_ONLY_SCOPES && scopes.join() !== 'api');

/** If tokens have ended since their logins, each probe takes another login. The token for api alone is the run's. */
const setsToProbe = ({ facts }: Target): readonly (readonly string[])[] =>
  SETS.filter((scopes) => scopes !== READ_ONLY_SCOPES || !facts.loginsEndTokensLater);

/** Probes the token of every set of scopes for which the target gave one; done once in a run. */
export async function scopeProbes(target: Target): Promise<readonly Probe[]> {
  const { early } = await survey(target);
  if (early !== undefined) return early;
  const powerless =
    (await target.shared('scope-probes-together', TAGS_OF_A_PROBE, (shared) =>
      ifDecided(() => together(shared)),
    )) ?? [];
  const others = setsToProbe(target).filter((scopes) => !powerless.some((probe) => probe.scopes === scopes));
  const probes = await Promise.all(
    others.map((scopes) =>
      target.shared(`scope-probe-${scopes.join('-')}`, TAGS_OF_A_PROBE, (shared) => alone(shared, scopes)),
    ),
  );
  return [...powerless, ...probes.filter((probe) => probe !== undefined)];
}

/** Scopes that many targets allow to do everything with tags. */
const LIKELY_PERMITTED = new Set(['api', 'mutation']);

/**
 * Probes the sets that are likely to be refused, all on the same tags and with the same names: one look shows that none
 * of them had an effect. Sets that only read come first, and each other set gets a look of its own, because a target may
 * let any scope write that manages something.
 *
 * @returns those that had no effect. Every other set has to be probed by itself.
 */
async function together(shared: Target): Promise<readonly Probe[]> {
  const tags = await tagsFor(shared);
  const names = newNames(shared);
  const sets = setsToProbe(shared).filter((scopes) => !scopes.some((scope) => LIKELY_PERMITTED.has(scope)));
  const isReading = (scopes: readonly string[]): boolean =>
    scopes.every((scope) => READ_ONLY_SCOPES.includes(scope));
  const others = sets.filter((scopes) => !isReading(scopes)).map((scopes) => [scopes]);
  // Where logins end tokens, the run has to log in again for each look.
  const groups = shared.facts.loginsEndTokensLater ? [sets] : [sets.filter(isReading), ...others];
  const probes: Probe[] = [];
  for (const group of groups) {
    const powerless = await allPowerless(shared, { ...tags, names }, group);
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
  const asked = await askInTurn(shared, subjects, sets, async (scopes) => {
    const token = await ifDecided(() => shared.token(scopes));
    if (token === undefined) return undefined;
    const answers = await askWith(shared, scopes, token, subjects, names);
    return { answers, asked: answers.asked };
  });
  return asked?.all.map((one) => ({
    scopes: one.scopes,
    asked: one.asked,
    tag: toRename,
    toDelete,
    isListed: { created: false },
    permits: { create: false, rename: false, list: permitsList(one.asked, toRename), delete: false },
    looks: asked.after.exchanges,
  }));
}

/** Probes a set on separate tags. */
async function alone(shared: Target, scopes: readonly string[]): Promise<Probe | undefined> {
  const token = await ifDecided(() => shared.token(scopes));
  if (token === undefined) return undefined;
  const first = await concluded(shared, await askWith(shared, scopes, token, await tagsFor(shared)));
  if (!scopes.includes('api') || TAG_OPERATIONS.some((operation) => first.permits[operation])) return first;
  // A token with api that may do nothing at all may have ended since it was fetched.
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
  return concluded(target, await askWith(target, scopes, token, tags));
}

/**
 * Probes a set once more, with a token that was alive throughout.
 *
 * @param options.fresh whether the token is that of another login, by default it is.
 * @returns undefined if the token ended meanwhile: it listed tags at first, and does no longer.
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

/** Whether logins end the tokens before them. */
interface Survey {
  /** A list with an earlier token, sent after another login. */
  readonly still: Exchange;
  /** A list without a token, soon after a login: some servers remember who logged in last. */
  readonly bare: Exchange;
  /** Whether that token had ended then, or after the logins for all sets. */
  readonly ended: boolean;
  /** The probes, if they had to be made at once because it had ended. */
  readonly early?: readonly Probe[];
  /** A list with that token, if it works again after another login for api: it had not ended, but lost its scope. */
  readonly back?: Exchange;
}

/** Whether a list with that token shows the tag in the end. */
export const listsLater = async (target: Target, tag: Tag, token: Secret): Promise<boolean> => {
  const overrides = { token, keepsToken: true };
  const options = { filter: tag.name, overrides, late: 'ignored' } as const;
  return (await listUntil(target, (list) => discloses(list, tag), options)).good;
};

/** Whether another login ends a token: at once, or later, as soon as the run has noticed that. */
export const loginsEndTokens = async (target: Target): Promise<boolean> =>
  (await survey(target)).ended || target.facts.loginsEndTokensLater;

/** Whether using another token than the run's takes a login each time, because logins end it or it expires. */
export const tokensEnd = async (target: Target): Promise<boolean> =>
  (await survey(target)).ended || target.facts.tokensEnd;

/** After so many logins there is a look: each login after the one that ended the token has to be repeated later. */
const LOGINS_BETWEEN_LOOKS = 3;

/**
 * Finds out whether one or several logins end the tokens before them. If they do, each token has to be probed before
 * the next login, while no other requests are sent, so this is done here, before anything else.
 */
export function survey(target: Target): Promise<Survey> {
  const groupSize = Math.max(1, Math.floor((target.settings.sharedTags - 1) / TAGS_OF_A_PROBE));
  return target.shared('scope-survey', groupSize * TAGS_OF_A_PROBE + 1, async (shared) => {
    const tag = await shared.makeTag();
    const before = await shared.token();
    await shared.login(['user_read']);
    const still = await shared.list(tag.name, { token: before, keepsToken: true });
    let last = still;
    // A target may keep a few tokens of each account: logins that the run needs anyway show whether it does.
    const further = reaches(shared.settings.effort, 'standard') ? SETS : [];
    for (let at = 0; at < further.length && discloses(last, tag); at += LOGINS_BETWEEN_LOOKS) {
      const sets = further.slice(at, at + LOGINS_BETWEEN_LOOKS);
      await Promise.all(sets.map((scopes) => ifDecided(() => shared.token(scopes))));
      last = await shared.list(tag.name, { token: before, keepsToken: true });
    }
    const bare = await shared.list(undefined, { token: 'none' });
    // The run replaces its own token if it has ended. So the earlier token has ended if only the run's request sees the tag.
    if (discloses(last, tag) || !discloses(await shared.list(tag.name), tag))
      return { still, bare, ended: false };
    // The earlier token may be valid, and its list show the tag late.
    const isLate = listedIn(last) !== undefined && (await listsLater(shared, tag, before));
    if (isLate) return { still, bare, ended: false };
    // A login may be given the same token as one before, which then has not lost anything.
    const isAnother = (await shared.token()).reveal() !== before.reveal();
    const again = await shared.list(tag.name, { token: before, keepsToken: true });
    // The latest login then sets the scopes of all tokens: a probe would not show what its own token permits.
    if (isAnother && discloses(again, tag)) return { still, bare, ended: true, early: [], back: again };
    const early: Probe[] = [];
    for (let at = 0; at < FEWER_SETS.length; at += groupSize) {
      const prepared: { scopes: readonly string[]; tags: Awaited<ReturnType<typeof tagsFor>> }[] = [];
      for (const scopes of FEWER_SETS.slice(at, at + groupSize))
        prepared.push({ scopes, tags: await tagsFor(shared) });
      const answered: Answers[] = [];
      for (const { scopes, tags } of prepared) {
        const token = await ifDecided(() => shared.token(scopes, { fresh: true }));
        if (token !== undefined) answered.push(await askWith(shared, scopes, token, tags));
      }
      for (const one of answered) early.push(await concluded(shared, one));
      await shared.removeTags();
    }
    return { still, bare, ended: true, early };
  });
}

/** The probe of the token with the scope api alone. */
export const probeOfApi = (probes: readonly Probe[]): Probe | undefined =>
  probes.find(({ scopes }) => scopes.join() === 'api');

/**
 * The operations that are accepted with api alone and have their effect. If api was not probed, the operations of the
 * tour.
 */
export async function operationsOfApi(
  target: Target,
  probes: readonly Probe[],
): Promise<readonly TagOperation[]> {
  const api = probeOfApi(probes);
  const works = api === undefined ? await workingOperations(target) : undefined;
  return TAG_OPERATIONS.filter((operation) =>
    api === undefined ? works?.has(operation) : accepted(api.asked[operation]) && api.permits[operation],
  );
}

/** The probes, and their twin: the operations that work with api alone. */
export async function probesAndTwin(
  target: Target,
): Promise<{ twin: readonly TagOperation[]; probes: readonly Probe[] }> {
  const probes = await scopeProbes(target);
  const twin = await operationsOfApi(target, probes);
  if (twin.length === 0) throw new Undecided('failure', 'no operation works with a token for api alone');
  return { twin, probes };
}
