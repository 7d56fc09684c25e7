import {
  accepted,
  ifDecided,
  listedIn,
  spec,
  type TagOperation,
  type Secret,
  type Target,
  Undecided,
} from '../../lib/check.ts';
import { sendInTurn, newNames, type Subjects } from '../every-operation.ts';
import { workingOperations } from '../tour.ts';
import {
  type Answers,
  sendWith,
  concluded,
  permitsList,
  type Probe,
  TAGS_OF_A_PROBE,
  tagsFor,
} from './probe.ts';
import { likelyPermitAll, READ_ONLY_SCOPES, setsToProbe } from './scope-sets.ts';
import { survey, tokensEnd } from './survey.ts';

/** Each further group may have made a tag, which counts until its create is known to be refused: some refusals are a 200. */
const TAGS_OF_PROBES_TOGETHER = TAGS_OF_A_PROBE + 2;

/** Probes a token of every set of scopes for which a login gives one; once in a run. */
export async function scopeProbes(target: Target): Promise<readonly Probe[]> {
  const { early } = await survey(target);
  if (early !== undefined) return early;
  const most = Math.min(TAGS_OF_PROBES_TOGETHER, target.settings.sharedTags);
  const powerless =
    (await target.shared('scope-probes-together', most, (shared) =>
      ifDecided(() => shared.part(most, together)),
    )) ?? [];
  const others = setsToProbe(target).filter((scopes) => !powerless.some((probe) => probe.scopes === scopes));
  const probes = await Promise.all(
    others.map((scopes) =>
      target.shared(`scope-probe-${scopes.join('-')}`, TAGS_OF_A_PROBE, (shared) => alone(shared, scopes)),
    ),
  );
  return [...powerless, ...probes.filter((probe) => probe !== undefined)];
}

/**
 * Probes the sets that are likely to be refused, all with the same tags, so that one look shows whether any had an effect. The
 * read-only sets share one look. Each other set has a look of its own, because a target may let
 * every scope that manages something write.
 *
 * @returns the probes of sets that had no effect. Every other set must be probed alone.
 */
async function together(shared: Target): Promise<readonly Probe[]> {
  const tags = await tagsFor(shared);
  const sets = setsToProbe(shared).filter((scopes) => !likelyPermitAll(scopes));
  const isReading = (scopes: readonly string[]): boolean =>
    scopes.every((scope) => READ_ONLY_SCOPES.includes(scope));
  const others = sets.filter((scopes) => !isReading(scopes)).map((scopes) => [scopes]);
  // If logins end earlier tokens, each look costs the run a login.
  const groups = shared.facts.haveLoginsEndedTokens ? [sets] : [sets.filter(isReading), ...others];
  const probes: Probe[] = [];
  const refusals = new Set<string>();
  for (const group of groups) {
    // Another group may be permitted to create a tag of its name.
    const powerless = await allPowerless(shared, { ...tags, names: newNames(shared) }, group, refusals);
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
  refusals: Set<string>,
): Promise<readonly Probe[] | undefined> {
  const { toRename, toDelete, names } = subjects;
  const send = async (
    scopes: readonly string[],
  ): Promise<{ answers: Answers; asked: Answers['asked'] } | undefined> => {
    const token = await ifDecided(() => shared.token(scopes));
    if (token === undefined) return undefined;
    const answers = await sendWith(shared, scopes, token, subjects, names);
    return { answers, asked: answers.asked };
  };
  const asked = await sendInTurn(shared, subjects, sets, send, refusals);
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
 * @returns undefined if the token ended meanwhile, that is, it listed tags at first and later did not, or may have ended before:
 *   it listed none, and another login came between.
 * @throws Undecided if the login gives no token.
 */
export const probeAgain = (
  target: Target,
  scopes: readonly string[],
  options = { fresh: true },
): Promise<Probe | undefined> =>
  target.shared(`scope-probe-again-${scopes.join('-')}`, TAGS_OF_A_PROBE, async (shared) => {
    const before = shared.facts.logins;
    const again = await probe(shared, scopes, options);
    if (listedIn(again.asked.list) === undefined) {
      // A token that permits nothing is answered like one that another login ended.
      const mayHaveEnded = shared.facts.logins > before + 1 && !shared.facts.tokensOutliveLogins;
      return mayHaveEnded ? undefined : again;
    }
    const token = await shared.token(scopes);
    const lists = await shared.list(undefined, { token, keepsToken: true });
    return listedIn(lists) === undefined ? undefined : again;
  });

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

/** A token whose scopes permit no update; undefined if there is none, or if using it would take a login. */
export async function tokenWithoutUpdates(target: Target): Promise<Secret | undefined> {
  if (await tokensEnd(target)) return undefined;
  const probe = (await scopeProbes(target)).find(({ permits }) => !permits.rename);
  return probe === undefined ? undefined : target.token(probe.scopes);
}
