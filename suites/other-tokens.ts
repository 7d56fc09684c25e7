import {
  ifDecided,
  type Outcome,
  type Secret,
  spec,
  type TagOperation,
  type Target,
  Undecided,
} from '../lib/check.ts';
import { discloses } from './disclosure.ts';
import { tagToList } from './listed-tags.ts';
import { isAlike } from './scopes/answers.ts';
import { probeOfApi, scopeProbes } from './scopes/probes.ts';
import { tokensEnd } from './scopes/survey.ts';
import { lackOfTags, spareAccount } from './spare-account.ts';
import { panelTokenWorks } from './tokens/of-the-account.ts';

/** Tokens that permit everything, and tokens that permit lists. The run's own token, undefined, is one of each. */
interface Tokens {
  readonly write: readonly (Secret | undefined)[];
  readonly list: readonly (Secret | undefined)[];
}

/** The token from the control panel, if one was given and lists a tag of the run; looked up once in a run. */
export const workingPanelToken = (target: Target): Promise<Secret | undefined> =>
  target.shared('whether the token from the control panel lists', 1, async (shared) => {
    const token = shared.settings.panelToken;
    if (token === undefined) return undefined;
    const tag = await ifDecided(() => tagToList(shared));
    if (tag === undefined) return undefined;
    const list = await ifDecided(() => shared.list(tag.name, { token }));
    return list !== undefined && discloses(list, tag) ? token : undefined;
  });

/** The same token, unless its own check has found a fault, so that the fault is told there and nowhere else. */
async function panelTokenWithoutFaults(target: Target): Promise<Secret | undefined> {
  if (target.settings.panelToken === undefined) return undefined;
  const outcome = await ifDecided(() => panelTokenWorks(target));
  return outcome?.kind === 'broken' ? undefined : workingPanelToken(target);
}

/**
 * The tokens of the account that behave like the run's own, each with other scopes; undefined if there are none, or if
 * using them would take logins. They are kept until the end of the run: to probe them again would take many requests.
 */
const alike = (target: Target): Promise<Tokens | undefined> =>
  target.shared('tokens that behave alike', 0, findAlike, { isKept: true });

async function findAlike(target: Target): Promise<Tokens | undefined> {
  if (target.settings.effort === 'quick' || (await tokensEnd(target))) return undefined;
  const probes = await scopeProbes(target);
  const api = probeOfApi(probes);
  const some = probes.filter((probe) => probe !== api && api !== undefined && isAlike(probe, api));
  const tokens = await Promise.all(
    some.map(async ({ scopes, permits }) => ({
      permits,
      token: await ifDecided(() => target.token(scopes)),
    })),
  );
  const panelToken = await panelTokenWithoutFaults(target);
  const which = (operations: readonly TagOperation[]): (Secret | undefined)[] => [
    ...(panelToken === undefined ? [] : [panelToken]),
    ...tokens.flatMap(({ permits, token }) =>
      token !== undefined && operations.every((operation) => permits[operation]) ? [token] : [],
    ),
    undefined,
  ];
  const [write, list] = [which(spec.tagOperations), which(['list'])];
  return list.length > 1 ? { write, list } : undefined;
}

/** The cause of failed cases with other tokens or another account, as far as the first of these cases has shown it. */
interface Findings {
  cause?: 'the variation' | 'something else';
}

/** What varies, and what a finding says if it is the cause. */
interface Variation {
  readonly name: string;
  readonly words: string;
}

const TOKENS: Variation = {
  name: 'cases with several tokens',
  words: 'with tokens of the account for other scopes than api alone',
};

const ACCOUNT: Variation = { name: 'cases in the second account', words: 'in the second account' };

/**
 * Checks something with a variation. The first time in a run that it does not hold, the same check without the variation shows
 * whether that is the cause.
 */
async function varied(
  target: Target,
  tags: number,
  check: (part: Target) => Promise<Outcome>,
  { name, words }: Variation,
  withVariation: () => Promise<Outcome>,
): Promise<Outcome> {
  let outcome: Outcome;
  try {
    outcome = await withVariation();
  } catch (error) {
    const alone = error instanceof Undecided ? await ifDecided(() => check(target)) : undefined;
    // If the second attempt decides nothing, the first one says why.
    if (alone === undefined || alone.kind === 'undecided') throw error;
    return alone;
  }
  if (outcome.kind !== 'broken') return outcome;
  const findings = await target.shared(name, 0, () => Promise.resolve<Findings>({}), { isKept: true });
  if (findings.cause === undefined) {
    findings.cause = 'something else';
    const plain = await ifDecided(() => target.part(tags, check));
    if (plain?.kind === 'holds') findings.cause = 'the variation';
  }
  return findings.cause === 'the variation' ? { ...outcome, why: `${words}, ${outcome.why}` } : outcome;
}

/**
 * Checks something with all tokens of the account in turn, because some code may run only for some kinds of tokens.
 *
 * @param tags the most tags that the check has at once.
 * @param from the number of the token to begin with.
 */
export async function withAllTokens(
  target: Target,
  tags: number,
  from: number,
  check: (part: Target) => Promise<Outcome>,
): Promise<Outcome> {
  const tokens = await ifDecided(() => alike(target));
  if (tokens === undefined) return check(target);
  const { write, list } = tokens;
  let at = from;
  // A check may list again what a list did not show, so all its lists have the same token.
  const standIns = (operation: TagOperation): Secret | undefined =>
    operation === 'list' ? list[from % list.length] : write[at++ % write.length];
  return varied(target, tags, check, TOKENS, () => target.part(tags, check, { standIns }));
}

/**
 * Checks something in the second account, because a target may keep its accounts in different places. If no tag can be made
 * there, or logins may be needed, the first account is used.
 *
 * @param tags the most tags that the check has at once.
 */
export async function inSecondAccount(
  target: Target,
  tags: number,
  check: (part: Target) => Promise<Outcome>,
): Promise<Outcome> {
  const hasNone = spareAccount(target) === target;
  return hasNone || (await tokensEnd(target)) || (await lackOfTags(target)) !== undefined
    ? check(target)
    : varied(target, tags, check, ACCOUNT, () => target.part(tags, (part) => check(part.second)));
}
