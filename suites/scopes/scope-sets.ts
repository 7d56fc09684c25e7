import { spec, type Target } from '../../lib/check.ts';

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
export const SETS: readonly (readonly string[])[] = [
  ...spec.limitedScopes.map((scope) => [scope]),
  READ_ONLY_SCOPES,
  API_AMONG_NARROWER,
  ['api'],
];

/** The sets for a target on which a login ends earlier tokens, because each set costs an additional login there. */
export const FEWER_SETS = SETS.filter((scopes) => scopes !== READ_ONLY_SCOPES && scopes.join() !== 'api');

/**
 * The sets to probe. If logins end earlier tokens after a while, each probe takes another login, so one set is left
 * out.
 */
export const setsToProbe = ({ facts }: Target): readonly (readonly string[])[] =>
  SETS.filter((scopes) => scopes !== READ_ONLY_SCOPES || !facts.haveLoginsEndedTokens);

/** Scopes that permit everything with tags on many targets. */
const LIKELY_PERMITTED = new Set(['api', 'mutation']);

/** Whether a token for these scopes most likely permits everything with tags. */
export const likelyPermitAll = (scopes: readonly string[]): boolean =>
  scopes.some((scope) => LIKELY_PERMITTED.has(scope));
