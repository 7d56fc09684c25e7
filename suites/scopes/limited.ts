import {
  accepted,
  answers,
  broken,
  type Exchange,
  holds,
  holdsWithWarning,
  listedIn,
  type Outcome,
  type Requirement,
  type Secret,
  spec,
  statusOf,
  type Tag,
  type TagOperation,
  type Target,
  undecided,
  Undecided,
  whatCame,
} from '../../lib/check.ts';
import { discloses } from '../disclosure.ts';
import { permittedBy, type Probe } from './probe.ts';
import { survey, tokensEnd } from './survey.ts';
import { probeAgain, probesAndTwin, whyNotProbed } from './probes.ts';

const UNSCOPED = 'every scope permits every operation on tags, so tagging is not limited by scope';

/** A refused update or delete whose answer discloses the name of its tag, which was not in the request. */
function tellsName({ asked, tag, toDelete }: Probe): Exchange | undefined {
  const tells = (exchange: Exchange, one: Tag): boolean => refuses(exchange) && discloses(exchange, one);
  if (tells(asked.delete, toDelete)) return asked.delete;
  return tells(asked.rename, tag) ? asked.rename : undefined;
}

const refuses = (exchange: Exchange): boolean => statusOf(exchange) !== 0 && !accepted(exchange);

/** Like `probesAndTwin`, but only with the probes of tokens without api. */
async function limited(target: Target): ReturnType<typeof probesAndTwin> {
  const { twin, probes } = await probesAndTwin(target);
  const without = probes.filter(({ scopes }) => !scopes.includes('api'));
  if (without.length === 0)
    throw new Undecided(whyNotProbed(target), 'no token without the scope api could be probed');
  return { twin, probes: without };
}

/**
 * Whether a token that seemed to be limited is limited. The token may have ended before, or a concurrent write may have
 * caused a refusal. So a fresh token is probed alone.
 *
 * @throws Undecided if the login gives no token.
 */
async function isSurelyLimited(
  target: Target,
  probes: readonly Probe[],
  twin: readonly TagOperation[],
): Promise<boolean> {
  for (const { scopes } of probes.slice(0, MOST_PROBED_AGAIN)) {
    const again = await probeAgain(target, scopes);
    if (again !== undefined && isLimited(twin)(again)) return true;
  }
  return false;
}

const MOST_PROBED_AGAIN = 2;

const isLimited =
  (operations: readonly TagOperation[]) =>
  ({ permits }: Probe): boolean =>
    operations.some((operation) => !permits[operation]);

function permitted(
  probes: readonly Probe[],
  operations: readonly TagOperation[],
): { what: string; operation: TagOperation; exchanges: readonly Exchange[] } | undefined {
  for (const probe of probes) {
    const { scopes, permits, looks } = probe;
    const operation = operations.find((one) => permits[one]);
    if (operation !== undefined)
      return { what: scopes.join(', '), operation, exchanges: [permittedBy(probe, operation), ...looks] };
  }
  return undefined;
}

export const readOnlyCannotWrite: Requirement = {
  id: 'scope/read-only-cannot-write',
  effort: 'standard',
  section: '2',
  sentences: [
    '2/scope-user-read-no-actions',
    '2/scope-bank-read-no-actions',
    '2/scope-mutation-read-no-actions',
    '4.1/scopes-meaning',
    '5/scopes-limit',
    '5/scopes-by-area',
  ],
  level: 'derived',
  derivation:
    'The scopes whose names end in _read permit "no actions" (2): creating, renaming and deleting are actions.',
  text: 'Where tagging is limited by scope, tokens with read-only scopes, alone or together, cannot create, update or delete.',
  cause: 'The guard accepts any known scope, or any that starts with the name of the area.',
  check: async (target) => {
    const { twin, probes } = await limited(target);
    const unscoped = holdsWithWarning(UNSCOPED, ...probes.flatMap(({ asked }) => asked.create));
    if (!probes.some(isLimited(twin))) return unscoped;
    const found = permitted(
      probes.filter(({ scopes }) => scopes.every((scope) => scope.endsWith('_read'))),
      twin.filter((operation) => operation !== 'list'),
    );
    const { madeAtOnce } = await survey(target);
    if (found === undefined && madeAtOnce === undefined) return holds();
    if (!(await isSurelyLimited(target, probes.filter(isLimited(twin)), twin))) return unscoped;
    return found === undefined
      ? broken(
          'a token with a read-only scope could create right after its login, but not later',
          ...(madeAtOnce ?? []),
        )
      : broken(
          `a token with read-only scopes (${found.what}) could ${spec.nameOf(found.operation)}`,
          ...found.exchanges,
        );
  },
};

export const refusalHasNoEffect: Requirement = {
  id: 'scope/refusal-has-no-effect',
  effort: 'standard',
  section: '2',
  sentences: [
    '2/scope-user-only',
    '2/scope-user-read-only',
    '2/scope-user-read-no-actions',
    '2/scope-bank-only',
    '2/scope-bank-read-only',
    '2/scope-bank-read-no-actions',
    '2/scope-mutation-read-no-actions',
    '5/scopes-limit',
  ],
  level: 'derived',
  derivation: 'A scope limits what a token can do (5), so that a refused request has not been carried out.',
  text: 'A request that is refused for lack of scope has no effect and discloses nothing.',
  cause: 'The scope is checked after the work, or a part of it, is done, or only the status is set.',
  tags: 1,
  check: async (target) => {
    const { twin, probes } = await limited(target);
    if (!probes.some(isLimited(twin))) return undecided('choice', UNSCOPED);
    for (const probe of probes) {
      const { scopes, asked, permits, tag } = probe;
      const carriedOut = twin.find(
        (operation) => operation !== 'list' && refuses(asked[operation]) && permits[operation],
      );
      if (carriedOut !== undefined) {
        return broken(
          `the ${spec.nameOf(carriedOut)} ${whatCame(asked[carriedOut])} to a token with the scope ${scopes.join(', ')}, yet it was carried out`,
          asked[carriedOut],
          ...probe.looks,
        );
      }
      const disclosing = [asked.list, asked.filtered].find((list) => refuses(list) && discloses(list, tag));
      if (disclosing !== undefined) {
        return broken(
          `the list ${whatCame(disclosing)} to a token with the scope ${scopes.join(', ')}, yet it holds the account's tags`,
          disclosing,
        );
      }
      const telling = permits.list ? undefined : tellsName(probe);
      if (telling !== undefined) {
        return broken(
          `the ${spec.nameOf(telling.ask.operation)} ${whatCame(telling)} to a token with the scope ${scopes.join(', ')}, which may not list, and discloses the name of the tag`,
          telling,
        );
      }
    }
    const refused = probes.find(({ asked, permits }) => refuses(asked.create) && !permits.create);
    const outcome = refused === undefined ? holds() : await leavesNameFree(target, refused);
    const listing = await firstListing(target, probes);
    return outcome.kind !== 'holds' || listing === undefined ? outcome : stillLists(target, listing);
  },
};

/** Checks that a create with the name of a refused create is accepted. */
async function leavesNameFree(target: Target, { asked, created, scopes }: Probe): Promise<Outcome> {
  const create = await target.create({ name: created });
  if (accepted(create)) return holds();
  const other = await target.create({ name: target.name() });
  // If every create is refused, the account may be full.
  return accepted(other)
    ? broken(
        `a create ${whatCame(create)}, because the same name was in a create that ${whatCame(asked.create)} to a token with the scope ${scopes.join(', ')}: a create with another name is accepted`,
        asked.create,
        create,
        other,
      )
    : holds();
}

/**
 * The first probe of the run whose token listed tags and could not create. It is kept: when the check is repeated, the
 * target may refuse that token everything.
 */
const firstListing = (target: Target, probes: readonly Probe[]): Promise<Probe | undefined> =>
  target.shared(
    'first token that lists and may not create',
    0,
    () =>
      Promise.resolve(
        probes.find(
          ({ asked, permits }) =>
            listedIn(asked.list) !== undefined && refuses(asked.create) && !permits.create,
        ),
      ),
    { isKept: true },
  );

/** Checks that a token that listed tags still does so after a create with it was refused. */
async function stillLists(target: Target, { asked, scopes }: Probe): Promise<Outcome> {
  if (await tokensEnd(target)) return holds();
  const listWith = async (token: Secret): Promise<Exchange> =>
    target.list(undefined, { token, keepsToken: true });
  const list = await listWith(await target.token(scopes));
  if (listedIn(list) !== undefined || !answers.isClientError(list)) return holds();
  // The token may have ended meanwhile, and a new one may become valid a little later.
  const fresh = await target.token(scopes, { fresh: true });
  const { seen } = await target.until(
    async () => ({ exchanges: [await listWith(fresh)] }),
    ({ exchanges }) => exchanges.some((one) => listedIn(one) !== undefined),
    { late: 'ignored' },
  );
  const [last] = seen.exchanges;
  return last === undefined || !answers.isClientError(last)
    ? holds()
    : broken(
        `after a create that ${whatCame(asked.create)} to a token for ${scopes.join(', ')}, the list with such a token ${whatCame(last)}, which was answered with tags before`,
        asked.create,
        asked.list,
        last,
      );
}

export const otherAreasStayOut: Requirement = {
  id: 'scope/other-areas-stay-out',
  effort: 'standard',
  section: '2',
  sentences: [
    '2/scope-user-only',
    '2/scope-user-read-only',
    '2/scope-bank-only',
    '2/scope-bank-read-only',
    '4.1/scopes-meaning',
    '5/scopes-by-area',
  ],
  level: 'advisory',
  text: 'Tokens with only scopes of other areas (users, bank accounts) do not permit any operation on tags.',
  cause: 'The guard of the tag routes accepts any token, whatever its scopes.',
  check: async (target) => {
    const { twin, probes } = await limited(target);
    const others = probes.filter(({ scopes }) => scopes.every((scope) => /^(user|bank)/.test(scope)));
    const found = permitted(others, twin);
    return found === undefined
      ? holds()
      : broken(
          `a token with the scope ${found.what} could ${spec.nameOf(found.operation)}`,
          ...found.exchanges,
        );
  },
};
