import {
  accepted,
  broken,
  type Exchange,
  holds,
  ifDecided,
  listedIn,
  type Outcome,
  quote,
  type Requirement,
  type Secret,
  type Tag,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { listUntil, showsNamed, updated } from '../listed-tags.ts';
import { othersStay } from '../neighbours.ts';
import { scopeProbes } from '../scopes/probes.ts';
import { API_AMONG_NARROWER } from '../scopes/scope-sets.ts';
import { tokensEnd } from '../scopes/survey.ts';

/**
 * The number of lists of each kind that are sent at once, on several connections: one of them may reach a worker with a
 * stale copy.
 */
const OF_EACH_KIND = 3;

/** Other tokens of the account, each with other scopes, for lists with a filter and for lists without. */
interface Tokens {
  readonly filtered: readonly Secret[];
  readonly whole: readonly Secret[];
}

/** Scopes that may permit lists without api. */
const NARROWER: readonly string[] = ['mutation_read', 'mutation'];

/** No tokens if logins end earlier ones. */
async function otherTokens(target: Target): Promise<Tokens> {
  if (await tokensEnd(target)) return { filtered: [], whole: [] };
  const probes = await scopeProbes(target);
  const narrower = NARROWER.filter((scope) =>
    probes.some(({ scopes, permits }) => scopes.join() === scope && permits.list),
  );
  const [among, ...others] = await Promise.all(
    [API_AMONG_NARROWER, ...narrower.map((scope) => [scope])].map((scopes) =>
      ifDecided(() => target.token(scopes)),
    ),
  );
  const beside = (full: Secret | undefined): Secret[] =>
    [full, ...others].filter((token) => token !== undefined);
  return { filtered: beside(target.settings.panelToken ?? among), whole: beside(among) };
}

interface Look {
  /** The first list that shows the tag wrongly, if any. */
  readonly wrong: Exchange | undefined;
  readonly exchanges: readonly Exchange[];
}

/** Requests several lists at once, with and without the filter by the name, and with all tokens. */
async function look(target: Target, tag: Tag, tokens: Tokens): Promise<Look> {
  const listWith = (some: readonly Secret[], filter?: string): Promise<readonly Exchange[]> =>
    Promise.all(
      Array.from({ length: OF_EACH_KIND }, (_, at) => {
        const token = some[at];
        return target.list(filter, token === undefined ? undefined : { token });
      }),
    );
  const [filtered, whole] = await target.run('simultaneously', () =>
    Promise.all([listWith(tokens.filtered, tag.name), listWith(tokens.whole)]),
  );
  const namesIn = (list: Exchange): readonly unknown[] | undefined =>
    listedIn(list)
      ?.filter(({ tagId }) => tagId === tag.tagId)
      .map(({ name }) => name);
  const isOther = (list: Exchange): boolean => namesIn(list)?.some((name) => name !== tag.name) === true;
  const isWrong = (list: Exchange): boolean => namesIn(list)?.length === 0 || isOther(list);
  // An unfiltered list may lack the tag because it is paged.
  const wrong = filtered.find(isWrong) ?? whole.find(target.facts.hasShortLists ? isWrong : isOther);
  return { wrong, exchanges: [...filtered, ...whole] };
}

/** How many looks come after the settle time, if earlier lists left something out: perhaps only every tenth list does. */
const LOOKS_AFTERWARDS = 5;

/** Looks once the settle time has passed, until a list is wrong. */
async function lookAfterSettling(target: Target, tag: Tag, tokens: Tokens): Promise<Look> {
  let { seen } = await target.until(
    () => look(target, tag, tokens),
    () => true,
    { late: 'ignored', isAfterwards: true },
  );
  for (let looks = 1; seen.wrong === undefined && looks < LOOKS_AFTERWARDS; looks++)
    seen = await look(target, tag, tokens);
  return seen;
}

/**
 * Updates a tag while lists are under way. If the target clears a cache before it writes, or fills one with a list that it
 * made before, the lists bring back what was true before the update.
 *
 * @param tag the tag, which was given its name just before: no cache holds a list with it yet.
 */
async function updateBesideLists(target: Target, tag: Tag, name: string): Promise<Exchange> {
  const [, update] = await target.run('simultaneously', () =>
    Promise.all([
      target.list(tag.name),
      target.rename(tag.tagId, { name }),
      target.list(),
      target.list(tag.name),
    ]),
  );
  return update;
}

async function checkAgreement(target: Target): Promise<Outcome> {
  const tokens = await otherTokens(target);
  const { tagId } = await target.makeTag();
  const [tag, renamed] = [
    { tagId, name: target.name() },
    { tagId, name: target.name() },
  ];
  // Each token also lists before the change, so that a cache holds the old list. The other filtered tokens are among the whole ones.
  await Promise.all([
    ...tokens.whole.map((token) => target.list(undefined, { token })),
    ...tokens.filtered.slice(0, 1).map((token) => target.list(renamed.name, { token })),
  ]);
  const first = await target.rename(tagId, { name: tag.name });
  const update = accepted(first) ? await updateBesideLists(target, tag, renamed.name) : first;
  if (!accepted(update)) return undecided('failure', `the update ${whatCame(update)}`, update);
  const { seen, good } = await target.untilListed(tag.tagId, renamed.name);
  if (!good && (await updated(target, await target.makeTag())) === undefined)
    return undecided('failure', `the update ${whatCame(update)} without effect`, update);
  if (!good)
    return broken(
      `the update ${whatCame(update)}, but no list shows its effect: lists were sent just before and beside it, and an update without such lists takes effect`,
      update,
      ...seen.exchanges,
    );
  const seenFirst = await look(target, renamed, tokens);
  if (seenFirst.wrong === undefined && !target.facts.effectsShowLate)
    return followsOldName(target, tag, update);
  const { wrong, exchanges } = await lookAfterSettling(target, renamed, tokens);
  if (wrong === undefined) return followsOldName(target, tag, update);
  const shown = listedIn(wrong)?.find(({ tagId }) => tagId === tag.tagId)?.name;
  return broken(
    `after the settle time, one of several concurrent lists ${shown === undefined ? 'leaves out the tag' : `shows the tag as ${quote(shown)}`}, while others show it as ${quote(renamed.name)}`,
    update,
    wrong,
    ...exchanges.filter((list) => list !== wrong),
  );
}

/** Checks that the filter by the old name no longer shows the tag by that name. */
async function followsOldName(target: Target, tag: Tag, update: Exchange): Promise<Outcome> {
  const { list, good } = await listUntil(target, (one) => !showsNamed(one, tag), { filter: tag.name });
  return good
    ? holds()
    : broken(
        `the update ${whatCame(update)}, and unfiltered lists show its effect, but the list filtered by the old name, which was also requested beside the update, still shows the tag as ${quote(tag.name)}`,
        update,
        list,
      );
}

export const listsAgree: Requirement = {
  id: 'list/agrees',
  effort: 'standard',
  section: '4.4',
  sentences: ['1/list', '4.4/status-200-tagging', '4.4/status-200-name'],
  level: 'derived',
  derivation:
    'A confirmed update (4.3) has changed the tag, and every list shows the tags of the account (4.4), on any connection and with any token.',
  text: 'Lists that are requested at the same time, on several connections and with several tokens, all show an earlier update, even if other lists overlapped it.',
  cause:
    'Workers or tokens have separate caches, a cache is filled while a write is under way, or a copy of the data never catches up.',
  // The check runs alone, because any other write could clear a cache.
  when: 'calm',
  tags: 2,
  signs: ['list-changing', 'lists-differ'],
  check: checkAgreement,
};

export const listingChangesNothing: Requirement = {
  id: 'list/changes-nothing',
  effort: 'standard',
  section: '4.4',
  sentences: ['4.4/path'],
  level: 'derived',
  derivation: 'List is a GET, a safe method: the client requests no change (RFC 9110, 9.2.1).',
  text: 'Listing changes no tag.',
  cause: 'Reading also cleans up, marks tags as read, or removes them from a queue.',
  tags: 2,
  check: async (target) => {
    const tags = await Promise.all([target.makeTag(), target.makeTag()]);
    const list = await target.list();
    await target.list(tags[0].name);
    await target.list(target.name());
    return othersStay(target, list, tags, 'list');
  },
};
