import {
  accepted,
  allOf,
  broken,
  type Exchange,
  holds,
  matches,
  type Outcome,
  type Requirement,
  type Secret,
  spec,
  statusOf,
  type Tag,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { discloses } from '../disclosure.ts';
import { listUntil } from '../listed-tags.ts';
import type { Probe } from '../scopes/probe.ts';
import { operationsOfApi, scopeProbes, whyNotProbed } from '../scopes/probes.ts';
import { API_AMONG_NARROWER } from '../scopes/scope-sets.ts';
import { loginsEndTokens } from '../scopes/survey.ts';
import { tour, workingOperations } from '../tour.ts';
import { updateTakesEffect } from '../update/effect.ts';

/** What the token of a login for api shows. */
interface OwnToken {
  /** The operations that it permits. */
  readonly works: ReadonlySet<string>;
  /** An accepted request of each of them. */
  readonly operations: readonly Exchange[];
}

/** Checks that accepted requests are answered with the bodies of section 4, if this is so with the token of a login. */
function areAnsweredAlike({ operations }: OwnToken, exchanges: readonly Exchange[]): Outcome {
  const isWellAnswered = ({ ask }: Exchange): boolean =>
    operations.some((one) => one.ask.operation === ask.operation && matches.success(one).kind === 'holds');
  return allOf(...exchanges.filter((one) => accepted(one) && isWellAnswered(one)).map(matches.success));
}

/** Checks that the token of a login can update a tag that was made with the token from the control panel. */
async function isChangedByLogin(
  target: Target,
  tagId: string | undefined,
  works: ReadonlySet<string>,
): Promise<Outcome> {
  if (tagId === undefined || !works.has('rename')) return holds();
  const name = target.name();
  const update = await target.rename(tagId, { name });
  const { seen, good } = await target.untilListed(tagId, name);
  return accepted(update) && good
    ? holds()
    : broken(
        `the update of a tag that a token from the control panel made ${whatCame(update)} with the token of a login${accepted(update) ? ', and had no effect' : ''}`,
        update,
        ...seen.exchanges,
      );
}

/**
 * Repeats a list with this token until it shows the tag, because a tag that another token made may show late. Returns
 * the last list.
 */
async function listedBy(target: Target, token: Secret, tag: Tag): Promise<Exchange> {
  const { list } = await listUntil(target, (one) => !accepted(one) || discloses(one, tag), {
    filter: tag.name,
    overrides: { token },
  });
  return list;
}

/**
 * The outcome from the probes, if a login ends earlier tokens: the probes used tags with a later token than the one
 * that made them.
 */
function fromProbes(target: Target, probes: readonly Probe[]): Outcome {
  const probe = probes.find(({ scopes }) => scopes.includes('api'));
  if (probe === undefined)
    return undecided(whyNotProbed(target), 'no login for api and another scope gave a token');
  const refused = (['list', 'rename', 'delete'] as const).find((operation) => !probe.permits[operation]);
  return refused === undefined
    ? holds()
    : broken(
        `the ${spec.nameOf(refused)} ${whatCame(probe.asked[refused])} with another token of the account that made the tag`,
        probe.asked[refused],
        ...probe.looks,
      );
}

/** Checks that an update without a name is refused as with the token of a login. */
async function isRefusedAlike(target: Target, token: Secret, { tagId }: Tag): Promise<Outcome> {
  const exchange = await target.rename(tagId, {}, { token });
  if (statusOf(exchange) === 422) return holds();
  const twin = await target.rename(tagId, {});
  return statusOf(twin) === 422
    ? broken(
        `with the token from the control panel, the update without a name ${whatCame(exchange)}, and with the token of a login it ${whatCame(twin)}`,
        exchange,
        twin,
      )
    : holds();
}

/** The most tags that the check of the token from the control panel has at once. */
const TAGS_WITH_PANEL = 3;

/** Checks that the token from the control panel does what works with the token of a login. */
async function withTokenOfPanel(target: Target, token: Secret, own: OwnToken): Promise<Outcome> {
  const [tag, toDelete] = await target.makeTags('at once', target.name(), target.name());
  const names = { renamed: target.name(), created: target.name() };
  const lists = [await listedBy(target, token, tag), await target.list(undefined, { token })];
  const rename = await target.rename(tag.tagId, { name: names.renamed }, { token });
  const isRenamed = accepted(rename) && (await target.untilListed(tag.tagId, names.renamed, tag.name)).good;
  const create = await target.create({ name: names.created }, { token });
  const made = accepted(create)
    ? await target.until(
        () => target.lookUp(undefined, names.created),
        ({ entries }) => entries.length > 0,
      )
    : undefined;
  const remove = await target.delete(toDelete.tagId, { token });
  const effects = [
    ...lists.slice(0, 1).map((exchange) => ({ exchange, good: lists.some((list) => discloses(list, tag)) })),
    { exchange: rename, good: isRenamed },
    { exchange: create, good: made?.good === true },
    { exchange: remove, good: accepted(remove) && (await target.untilGone(toDelete)).good },
  ];
  const found = effects.find(({ exchange, good }) => own.works.has(exchange.ask.operation) && !good);
  if (found === undefined)
    return allOf(
      areAnsweredAlike(own, [
        ...effects.map(({ exchange }) => exchange),
        await target.list(target.name(), { token }),
      ]),
      await isRefusedAlike(target, token, tag),
      await isChangedByLogin(target, made?.seen.entries[0]?.tagId, own.works),
    );
  const { exchange } = found;
  const isEveryRefused = effects.every((effect) => !accepted(effect.exchange));
  const effect = accepted(exchange) ? ', and had no effect' : '';
  const doubt = isEveryRefused
    ? ', and so were all operations (is CONFORMANCE_ACCESS_TOKEN right and still valid?)'
    : '';
  return broken(
    `with the token from the control panel, the ${spec.nameOf(exchange.ask.operation)} ${whatCame(exchange)}${effect}${doubt}`,
    exchange,
  );
}

/** Checks the token from the control panel, once in a run: if it has faults, no other check uses it. */
export async function panelTokenWorks(target: Target): Promise<Outcome> {
  const token = target.settings.panelToken;
  if (token === undefined)
    return undecided('tester', 'no token from the control panel was given (CONFORMANCE_ACCESS_TOKEN)');
  const own: OwnToken = {
    works: new Set(await operationsOfApi(target, await scopeProbes(target))),
    operations: (await tour(target)).operations,
  };
  return target.shared('whether the token from the control panel works', TAGS_WITH_PANEL, async (shared) => {
    const first = await withTokenOfPanel(shared, token, own);
    if (first.kind !== 'broken' || first.exchanges.some(accepted)) return first;
    // For a moment, everything may have been refused: the run's own token waits for the end of that.
    await shared.removeTags();
    await shared.list();
    return withTokenOfPanel(shared, token, own);
  });
}

/** Checks that another token updates, lists and deletes a tag that the run's token made, as far as these operations work. */
async function isOfBoth(target: Target, token: Secret, works: ReadonlySet<string>): Promise<Outcome> {
  const failed = (exchange: Exchange, effect = '', ...more: readonly Exchange[]): Outcome =>
    broken(
      `the ${spec.nameOf(exchange.ask.operation)} ${whatCame(exchange)} with another token of the account that made the tag${effect}`,
      exchange,
      ...more,
    );
  const tag = await target.makeTag();
  const renamed: Tag = { ...tag, name: target.name() };
  const update = works.has('rename')
    ? await target.rename(tag.tagId, { name: renamed.name }, { token })
    : undefined;
  if (update !== undefined && !accepted(update)) return failed(update);
  if (works.has('list')) {
    const now = update === undefined ? tag : renamed;
    const list = await listedBy(target, token, now);
    if (!accepted(list)) return failed(list);
    if (!discloses(list, now)) {
      const own = await target.list(now.name);
      if (discloses(own, now)) return failed(list, ', and lacks the tag', own);
      const hasEffect = async (): Promise<boolean> => (await updateTakesEffect(target, tag)).kind === 'holds';
      if (update !== undefined && discloses(await target.list(tag.name), tag) && (await hasEffect()))
        return failed(update, ', and had no effect', own);
    }
  }
  if (!works.has('delete')) return holds();
  const remove = await target.delete(tag.tagId, { token });
  return accepted(remove) ? holds() : failed(remove);
}

export const standsForTheAccount: Requirement = {
  id: 'token/stands-for-the-account',
  effort: 'standard',
  section: '5',
  sentences: ['5/substitute', '5/authorization-purpose'],
  level: 'derived',
  derivation:
    'A token is a full substitute for username and password (5), so tags belong to the account, not to the token.',
  text: 'A tag that was made with one token can be listed, updated and deleted with another.',
  cause: 'Tags are kept by token or session, not by account.',
  tags: 2,
  check: async (target) => {
    // Each use of another token than the run's takes a login then.
    if (await loginsEndTokens(target)) return fromProbes(target, await scopeProbes(target));
    const works = await workingOperations(target);
    return works.size === 0
      ? undecided('failure', 'no operation works with a token for api alone')
      : isOfBoth(target, await target.token(API_AMONG_NARROWER), works);
  },
};

export const fromTheControlPanel: Requirement = {
  id: 'token/from-the-control-panel',
  effort: 'standard',
  section: '5',
  sentences: ['5/from-control-panel'],
  level: 'required',
  text: 'A token from the control panel permits all four operations, which are answered as with the token of a login.',
  cause:
    'Tokens of the control panel are stored apart from those of logins, and the guard knows only the latter.',
  tags: 0,
  check: panelTokenWorks,
};
