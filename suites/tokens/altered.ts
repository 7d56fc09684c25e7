import fc from 'fast-check';
import {
  broken,
  holds,
  ifDecided,
  type Outcome,
  property,
  type Requirement,
  type Target,
  undecided,
  Undecided,
  whatCame,
  withCredential,
} from '../../lib/check.ts';
import { discloses } from '../disclosure.ts';
import { listBothAccounts } from '../accounts/both-lists.ts';
import { tagToList } from '../listed-tags.ts';
import { Pieces } from '../names/pieces.ts';
import { scopeProbes } from '../scopes/probes.ts';
import { ALTERED, alteredAt, type Bearer, FOREIGN, jwtOf, placesIn, QUICK } from './bearers.ts';
import { refusedAll, refusesBearer, refusesCredential } from './refusing.ts';

/** The most places in a token that are altered, one by one. */
const MOST_PLACES = { standard: 16, thorough: 600 } as const;
/** The number of altered tokens in one case, which all use one tag. */
const AT_ONCE = 24;

/** Makes the requirement that an invalid bearer token is refused. */
const requirementFor =
  (section: string, sentences: Requirement['sentences'], derivation: string) =>
  ({ id, what, cause }: Bearer): Requirement => ({
    id: `token/${id}`,
    ...(QUICK.includes(id) ? {} : { effort: 'standard' as const }),
    section,
    sentences,
    level: 'derived',
    derivation,
    text: `A bearer token ${what} is refused by every operation, without effect.`,
    tags: 2,
    cause,
    check: async (target) => {
      const outcome = await refusesBearer(target, id);
      return outcome.kind === 'holds' && id === 'payload-changed' ? refusesPassedOff(target) : outcome;
    },
  });

/** Checks that the list refuses a token of the first account in which its holder put the second one. */
async function refusesPassedOff(target: Target): Promise<Outcome> {
  const passedOff = (await ifDecided(() => listBothAccounts(target)))?.passedOff;
  return passedOff === undefined ? holds() : refusedAll(passedOff.tag, [passedOff]);
}

const foreign = FOREIGN.map(
  requirementFor(
    '5',
    ['2/access-token-meaning', '4/bearer', '5/authorization-header', '5/authorization-purpose'],
    'Every endpoint except login requires a bearer token that was obtained from the service (4, 5).',
  ),
);

const SIGNED = 'The token is a signed string (2), and the service has not signed an altered one.';

const altered = ALTERED.map(requirementFor('2', ['2/access-token-signed'], SIGNED));

/** Requirements about bearer tokens that the service did not issue, or that were altered. */
export const invalidTokens: readonly Requirement[] = [
  ...foreign,
  ...altered,
  property({
    id: 'token/altered-anywhere',
    section: '2',
    sentences: ['2/access-token-signed'],
    level: 'derived',
    derivation: SIGNED,
    text: 'The list refuses a bearer token with one character changed anywhere in its signature or last half.',
    cause: 'A part of the signature is not compared, or is truncated in the database.',
    examples: async (target) => {
      const places = placesIn((await target.token()).reveal());
      const most = target.settings.effort === 'thorough' ? MOST_PLACES.thorough : MOST_PLACES.standard;
      // If there are more places, takes places at equal distances.
      const spread = places.filter(
        (_, at) =>
          places.length <= most ||
          Math.floor((at * most) / places.length) !== Math.floor(((at - 1) * most) / places.length),
      );
      return Array.from({ length: Math.ceil(spread.length / AT_ONCE) }, (_, at) =>
        spread.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
      );
    },
    cases: async (target) => {
      const places = placesIn((await target.token()).reveal());
      if (places.length === 0)
        throw new Undecided('choice', 'tokens of this target have no character that could be changed');
      return new Pieces(fc.uniqueArray(fc.constantFrom(...places), { minLength: 1, maxLength: AT_ONCE }));
    },
    runs: { standard: 0, thorough: 0 },
    lanes: 2,
    tagsEach: 1,
    tell: (places) => `another character at place ${places.map((at) => at + 1).join(', ')} of the token`,
    ask: async (target, places) => {
      const tag = await tagToList(target);
      const token = (await target.token()).reveal();
      // The run may have a new token now, which may not be alterable in the same places.
      const alterable = places.filter((at) => alteredAt(token, at) !== token);
      const lists = await Promise.all(
        alterable.map((at) => {
          const label = `Bearer $TOKEN_ALTERED_${token.length - at}_FROM_END`;
          return target.list(tag.name, withCredential(`Bearer ${alteredAt(token, at)}`, label));
        }),
      );
      const at = lists.findIndex((list) => discloses(list, tag));
      const disclosing = lists[at];
      return disclosing === undefined
        ? holds()
        : broken(
            `the list ${whatCame(disclosing)} to a bearer token with another character at place ${(alterable[at] ?? 0) + 1} of ${token.length}, and holds the account's tags`,
            disclosing,
          );
    },
  }),
  {
    id: 'token/scope-widened',
    effort: 'standard',
    section: '5',
    sentences: ['2/access-token-signed', '5/scopes-limit'],
    level: 'derived',
    derivation: 'A token can be limited by scopes (5), which is no limit if its holder can widen them.',
    text: 'A token whose scopes were widened by its holder is refused.',
    cause: 'The token is decoded, but its signature is not verified.',
    tags: 2,
    check: async (target) => {
      const probes = await scopeProbes(target);
      const narrow = probes.find(({ scopes, permits }) => !scopes.includes('api') && !permits.create);
      if (narrow === undefined) return undecided('choice', 'no token is limited by its scopes');
      const jwt = jwtOf((await target.token(narrow.scopes)).reveal());
      const claim = Object.entries(jwt?.claims ?? {}).find(([, value]) =>
        holdsScope(value, narrow.scopes[0] ?? ''),
      );
      if (jwt === undefined || claim === undefined)
        return undecided('choice', 'tokens of this target do not show their scopes');
      const [name, value] = claim;
      const payload = { ...jwt.claims, [name]: Array.isArray(value) ? ['api'] : 'api' };
      const widened = `${jwt.header}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.${jwt.signature}`;
      return refusesCredential(target, {
        id: `widened-${narrow.scopes[0]}`,
        what: 'whose scopes were widened',
        token: widened,
      });
    },
  },
];

const holdsScope = (value: unknown, scope: string): boolean =>
  Array.isArray(value)
    ? value.includes(scope)
    : typeof value === 'string' && value.split(' ').includes(scope);
