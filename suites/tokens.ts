import fc from 'fast-check';
import {
  accepted,
  allOf,
  broken,
  createdIn,
  doubtful,
  type Exchange,
  holds,
  type Outcome,
  type Pair,
  property,
  quote,
  type Requirement,
  Secret,
  statusOf,
  type Suite,
  type Tag,
  TAG_OPERATIONS,
  type Target,
  undecided,
  Undecided,
  whatCame,
} from '../lib/check.ts';
import { Pieces } from './names/pieces.ts';
import { ALTERED, alteredAt, FOREIGN, jwtOf, placesIn, QUICK, type Bearer } from './bearers.ts';
import { refusesBearer, refusesCredential, workingOperations } from './refused-everywhere.ts';
import { discloses } from './disclosure.ts';
import type { Probe } from './scope-probe.ts';
import { API_AMONG_ALL, scopeProbes, survey } from './scope-probes.ts';
import { tour } from './tour.ts';

/** The sentences that a request without a token contradicts. */
const TOKEN_NEEDED: Requirement['sentences'] = [
  '1/bearer',
  '4/bearer',
  '5/authorization-header',
  '5/authorization-purpose',
];

const WITHOUT = { token: 'none' } as const;

/** Places in a token that are altered one by one. */
const MOST_PLACES = { standard: 48, thorough: 600 } as const;
/** So many of them beside one tag. */
const AT_ONCE = 16;

/** The requirement that a token which is none, or was altered, is refused; `why` follows from the sentences. */
const refusing =
  (section: string, sentences: Requirement['sentences'], why: string) =>
  ({ id, what, cause }: Bearer): Requirement => ({
    id: `token/${id}`,
    ...(QUICK.includes(id) ? {} : { effort: 'standard' as const }),
    section,
    sentences,
    level: 'derived',
    derivation: why,
    text: `A bearer token ${what} is refused by every operation, without effect.`,
    tags: 2,
    cause,
    check: (target) => refusesBearer(target, id),
  });

const foreign = FOREIGN.map(
  refusing(
    '5',
    ['2/access-token-meaning', '4/bearer', '5/authorization-header', '5/authorization-purpose'],
    'Every endpoint except login requires a bearer token that was obtained from the service (4, 5).',
  ),
);

const SIGNED = 'The token is a signed string (2): one that was altered is no longer what the service signed.';

const altered = ALTERED.map(refusing('2', ['2/access-token-signed'], SIGNED));

export const tokens: Suite = {
  topic: 'token',
  requirements: [
    {
      id: 'token/suffices',
      section: '5',
      sentences: [
        '1/bearer',
        '2/access-token-meaning',
        '5/scheme',
        '5/substitute',
        '5/from-login',
        '5/authorization-header',
        '5/content-type-value',
        '5/accept-value',
        '5/authorization-value',
      ],
      level: 'required',
      text: 'A valid bearer token is all that an operation needs beside the headers of section 5.',
      tags: 0,
      check: async (target) => {
        const { operations } = await tour(target);
        const refused = operations.find(
          (exchange) => [401, 407, 419].includes(statusOf(exchange)) || isRedirect(exchange),
        );
        return refused === undefined
          ? holds()
          : broken(
              `${whatCame(refused)} to a request with a valid token and the headers of section 5`,
              refused,
            );
      },
    },
    {
      id: 'token/missing-on-create',
      section: '4',
      sentences: TOKEN_NEEDED,
      level: 'required',
      text: 'A create without an Authorization header is refused and makes no tag.',
      tags: 2,
      check: async (target) => {
        const name = target.name();
        const pair = await target.pair({
          accepted: () => target.create({ name: target.name() }),
          refused: () => target.create({ name }, WITHOUT),
        });
        if (createdIn(pair.refused) !== undefined) {
          return broken(
            `${whatCame(pair.refused)} with a tag, though no token was sent`,
            pair.refused,
            pair.accepted,
          );
        }
        const { entries, exchanges } = await target.lookUp(undefined, name);
        return entries.length === 0
          ? refusedAtAll(pair)
          : broken(
              `${whatCame(pair.refused)} without a token, yet the tag is listed`,
              pair.refused,
              ...exchanges,
            );
      },
    },
    {
      id: 'token/missing-on-update',
      section: '4',
      sentences: TOKEN_NEEDED,
      level: 'required',
      text: 'An update without an Authorization header is refused and changes nothing.',
      tags: 2,
      check: async (target) => {
        const [other, tag] = await Promise.all([target.makeTag(), target.makeTag()]);
        const name = target.name();
        const pair = await target.pair({
          accepted: () => target.rename(other.tagId, { name: target.name() }),
          refused: () => target.rename(tag.tagId, { name }, WITHOUT),
        });
        const { entries, exchanges } = await target.lookUp(tag.tagId, tag.name, name);
        const now = entries.find(({ tagId }) => tagId === tag.tagId)?.name;
        return now === tag.name
          ? refusedAtAll(pair)
          : broken(
              `${whatCame(pair.refused)} without a token, yet the tag is ${now === undefined ? 'no longer listed' : `now named ${quote(now)}`}`,
              pair.refused,
              ...exchanges,
            );
      },
    },
    {
      id: 'token/missing-on-list',
      section: '4',
      sentences: TOKEN_NEEDED,
      level: 'required',
      text: 'A list without an Authorization header is refused and discloses no tag.',
      tags: 1,
      check: async (target) => {
        const tag = await target.makeTag();
        const pair = await target.pair({
          accepted: () => target.list(),
          refused: () => target.list(undefined, WITHOUT),
        });
        return allOf(disclosesNothing(pair, tag), refusedAtAll(pair));
      },
    },
    {
      id: 'token/missing-on-filtered-list',
      section: '4',
      sentences: TOKEN_NEEDED,
      level: 'required',
      text: 'A list with a filter but without an Authorization header is refused and discloses no tag.',
      tags: 1,
      check: async (target) => {
        const tag = await target.makeTag();
        const pair = await target.pair({
          accepted: () => target.list(tag.name),
          refused: () => target.list(tag.name, WITHOUT),
        });
        return allOf(disclosesNothing(pair, tag), refusedAtAll(pair));
      },
    },
    {
      id: 'token/missing-on-delete',
      section: '4',
      sentences: TOKEN_NEEDED,
      level: 'required',
      text: 'A delete without an Authorization header is refused and removes nothing.',
      tags: 2,
      check: async (target) => {
        const [other, tag] = await Promise.all([target.makeTag(), target.makeTag()]);
        const pair = await target.pair({
          accepted: () => target.delete(other.tagId),
          refused: () => target.delete(tag.tagId, WITHOUT),
        });
        const { entries, exchanges } = await target.lookUp(tag.tagId, tag.name);
        return entries.some(({ tagId }) => tagId === tag.tagId)
          ? refusedAtAll(pair)
          : broken(
              `${whatCame(pair.refused)} without a token, yet the tag is gone`,
              pair.refused,
              ...exchanges,
            );
      },
    },
    ...foreign,
    ...altered,
    property({
      id: 'token/altered-anywhere',
      section: '2',
      sentences: ['2/access-token-signed'],
      level: 'derived',
      derivation:
        'The token is a signed string (2): one that was altered is no longer what the service signed.',
      text: 'A bearer token that differs in one character, wherever that is in its signature or last half, is refused by the list.',
      cause: 'A part of the signature is not compared, or is cut off where it is kept.',
      examples: async (target) => {
        const places = placesIn((await target.token()).reveal());
        const most = target.settings.effort === 'thorough' ? MOST_PLACES.thorough : MOST_PLACES.standard;
        // Evenly spread, where there are more.
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
          throw new Undecided('choice', 'tokens of this target have no character that could be another');
        return new Pieces(fc.uniqueArray(fc.constantFrom(...places), { minLength: 1, maxLength: AT_ONCE }));
      },
      runs: { standard: 0, thorough: 0 },
      lanes: 2,
      tagsEach: 1,
      tell: (places) => `another character at place ${places.map((at) => at + 1).join(', ')} of the token`,
      ask: async (target, places) => {
        const tag = await target.makeTag();
        const token = (await target.token()).reveal();
        // The token may be another one by now, which does not differ where that one could.
        const such = places.filter((at) => alteredAt(token, at) !== token);
        const lists = await Promise.all(
          such.map((at) => {
            const altered = new Secret(`Bearer ${alteredAt(token, at)}`, 'Bearer $TOKEN_altered');
            return target.list(tag.name, { token: 'none', headers: { Authorization: altered } });
          }),
        );
        const at = lists.findIndex((list) => discloses(list, tag));
        const told = lists[at];
        return told === undefined
          ? holds()
          : broken(
              `the list ${whatCame(told)} to a bearer token with another character at place ${(such[at] ?? 0) + 1} of ${token.length}, and holds the account's tags`,
              told,
            );
      },
    }),
    {
      id: 'token/scope-widened',
      effort: 'standard',
      section: '5',
      sentences: ['2/access-token-signed', '5/scopes-limit'],
      level: 'derived',
      derivation: 'A token can be limited by scopes (5), which means nothing if its holder can widen them.',
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
          id: 'widened',
          what: 'whose scopes were widened',
          token: widened,
        });
      },
    },
    {
      id: 'token/other-scheme',
      effort: 'standard',
      section: '5',
      sentences: ['5/scheme', '5/authorization-header', '5/authorization-value'],
      level: 'advisory',
      text: 'A valid token under another scheme than Bearer, or under none, is refused.',
      cause: 'The guard takes the last word of the Authorization header.',
      tags: 1,
      check: async (target) => {
        const tag = await target.makeTag();
        const token = (await target.token()).reveal();
        for (const scheme of ['Token ', '']) {
          const credential = new Secret(`${scheme}${token}`, `${scheme}$TOKEN`);
          const list = await target.list(undefined, {
            token: 'none',
            headers: { Authorization: credential },
          });
          if (discloses(list, tag)) {
            return broken(
              `the list ${whatCame(list)} to a valid token under ${scheme === '' ? 'no scheme' : 'the scheme Token'}, and holds the account's tags`,
              list,
            );
          }
        }
        return holds();
      },
    },
    {
      id: 'token/stands-for-the-account',
      effort: 'standard',
      section: '5',
      sentences: ['5/substitute', '5/authorization-purpose'],
      level: 'derived',
      derivation:
        'A token is a full substitute for username and password (5), so that tags belong to the account, not to the token.',
      text: 'A tag that was made under one token is listed, updated and deleted under another.',
      cause: 'Tags are kept by token or session, in place of by account.',
      tags: 1,
      check: async (target) => {
        const { early } = await survey(target);
        if (early !== undefined) return fromProbes(early);
        const tag = await target.makeTag();
        const token = await target.token(API_AMONG_ALL);
        const works = await workingOperations(target);
        if (!discloses(await target.list(tag.name), tag)) works.delete('list');
        const asks = {
          list: () => target.list(tag.name, { token }),
          rename: () => target.rename(tag.tagId, { name: target.name() }, { token }),
          delete: () => target.delete(tag.tagId, { token }),
        };
        for (const [operation, ask] of Object.entries(asks)) {
          if (!works.has(operation)) continue;
          const exchange = await ask();
          if (!accepted(exchange) || (operation === 'list' && !discloses(exchange, tag))) {
            return broken(
              `the ${operation} ${whatCame(exchange)} under another token of the account that made the tag`,
              exchange,
            );
          }
        }
        return works.size === 0
          ? undecided('failure', 'no operation works with a token for api alone')
          : holds();
      },
    },
    {
      id: 'token/from-the-control-panel',
      effort: 'standard',
      section: '5',
      sentences: ['5/from-control-panel'],
      level: 'required',
      text: 'A token that was made in the control panel does all four operations.',
      cause:
        'Tokens of the control panel are kept elsewhere than those of logins, and the guard knows only the latter.',
      tags: 3,
      check: async (target) => {
        const token = target.settings.panelToken;
        if (token === undefined)
          return undecided('tester', 'no token from the control panel was given (CONFORMANCE_ACCESS_TOKEN)');
        const works = await effectiveOperations(target);
        const [tag, doomed] = [await target.makeTag(), await target.makeTag()];
        const names = { renamed: target.name(), created: target.name() };
        const lists = [await target.list(tag.name, { token }), await target.list(undefined, { token })];
        const rename = await target.rename(tag.tagId, { name: names.renamed }, { token });
        const { good: isRenamed } = await target.untilListed(tag.tagId, names.renamed, tag.name);
        const create = await target.create({ name: names.created }, { token });
        const isMade = await target.until(
          () => target.lookUp(undefined, names.created),
          ({ entries }) => entries.length > 0,
        );
        const remove = await target.delete(doomed.tagId, { token });
        const { good: isGone } = await target.untilGone(doomed);
        const effects = [
          ...lists
            .slice(0, 1)
            .map((exchange) => ({ exchange, good: lists.some((list) => discloses(list, tag)) })),
          { exchange: rename, good: isRenamed },
          { exchange: create, good: isMade.good },
          { exchange: remove, good: isGone },
        ];
        const found = effects.find(
          ({ exchange, good }) => works.has(exchange.ask.operation) && !(accepted(exchange) && good),
        );
        if (found === undefined) return holds();
        const { exchange, good } = found;
        return broken(
          `the ${exchange.ask.operation} ${whatCame(exchange)} to the token from the control panel${good ? '' : ', and had no effect'}`,
          exchange,
        );
      },
    },
  ],
};

const holdsScope = (value: unknown, scope: string): boolean =>
  Array.isArray(value)
    ? value.includes(scope)
    : typeof value === 'string' && value.split(' ').includes(scope);

/** Where a login ends the token before it, tags have been tried out under the token after theirs already. */
function fromProbes(probes: readonly Probe[]): Outcome {
  const probe = probes.find(({ scopes }) => scopes.includes('api'));
  if (probe === undefined) return undecided('failure', 'no login for api and another scope gave a token');
  const refused = (['list', 'rename', 'delete'] as const).find((operation) => !probe.permits[operation]);
  return refused === undefined
    ? holds()
    : broken(
        `the ${refused} ${whatCame(probe.asked[refused])} under another token of the account that made the tag`,
        probe.asked[refused],
        ...probe.looks,
      );
}

/** Operations that have their effect for a token with the scope api, where that could be tried out; else as below. */
async function effectiveOperations(target: Target): Promise<ReadonlySet<string>> {
  const api = (await scopeProbes(target)).find(({ scopes }) => scopes.join() === 'api');
  if (api === undefined) return workingOperations(target);
  return new Set(
    TAG_OPERATIONS.filter((operation) => accepted(api.asked[operation]) && api.permits[operation]),
  );
}

/** With no effect shown, a success that carries only an error is odd but harms nobody; silence refuses nothing. */
function refusedAtAll({ accepted: twin, refused }: Pair): Outcome {
  if (statusOf(refused) === 0)
    return undecided('failure', `the request without its token ${whatCame(refused)}`, refused, twin);
  return accepted(refused)
    ? doubtful(`${whatCame(refused)}, a success, though the request had no effect`, refused, twin)
    : holds();
}

function disclosesNothing({ accepted: twin, refused }: Pair, tag: Tag): Outcome {
  return discloses(refused, tag)
    ? broken(`${whatCame(refused)} without a token, yet the answer holds the account's tags`, refused, twin)
    : holds();
}

const isRedirect = (exchange: Exchange): boolean => statusOf(exchange) >= 300 && statusOf(exchange) < 400;
