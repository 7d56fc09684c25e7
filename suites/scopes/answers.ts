import {
  accepted,
  answers,
  broken,
  createdIn,
  type Exchange,
  listedIn,
  matches,
  type Outcome,
  type Requirement,
  spec,
  type TagOperation,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { leavingOut, leftOut } from './left-out.ts';
import type { Probe } from './probe.ts';
import { otherAnswers } from './other-answers.ts';
import { probeAgain, probeOfApi, probesAndTwin } from './probes.ts';

/** How the answers to a permitted operation differ from section 4; undefined if they do not. */
function differenceIn({ asked, permits }: Probe, operation: TagOperation) {
  if (!permits[operation]) return undefined;
  const exchanges = operation === 'list' ? [asked.list, asked.filtered] : [asked[operation]];
  return exchanges
    .filter(accepted)
    .map(matches.success)
    .find(({ kind }) => kind === 'broken');
}

const messageOf = (exchange: Exchange): unknown =>
  accepted(exchange) ? answers.member(exchange, 'message') : undefined;

/**
 * Broken if an update or a delete without effect is answered with the same message as with api alone, two times in a
 * row.
 */
async function confirmedWithoutEffect(
  target: Target,
  operation: TagOperation,
  probe: Probe,
  api: Probe,
): Promise<Outcome | undefined> {
  const message = messageOf(api.asked[operation]);
  // A refusal may have a success status. Only the message shows that this is no refusal.
  const isWithoutEffect = ({ asked, permits }: Probe): boolean =>
    typeof message === 'string' && !permits[operation] && messageOf(asked[operation]) === message;
  if (!isWithoutEffect(probe)) return undefined;
  const again = await probeAgain(target, probe.scopes);
  return again === undefined || !isWithoutEffect(again)
    ? undefined
    : broken(
        `the ${spec.nameOf(operation)} ${whatCame(again.asked[operation])} to a token for ${probe.scopes.join(', ')}, as to one for api alone, but had no effect`,
        again.asked[operation],
        ...again.looks,
      );
}

/** Whether a create was answered with a tag that no list shows under its tag_id. */
const isLost = ({ asked, isListed }: Probe): boolean =>
  createdIn(asked.create) !== undefined && !isListed.created;

/** Broken if a create is answered with a tag that lists do not show to a token for api alone, two times in a row. */
async function createdWithoutEffect(target: Target, probe: Probe, api: Probe): Promise<Outcome | undefined> {
  if (isLost(api) || !isLost(probe)) return undefined;
  const again = await probeAgain(target, probe.scopes);
  return again === undefined || !isLost(again)
    ? undefined
    : broken(
        `the create ${whatCame(again.asked.create)} with a tag to a token for ${probe.scopes.join(', ')}, but no list shows it under its tag_id to one with api alone`,
        again.asked.create,
        ...again.looks,
      );
}

/**
 * Broken if a token may change the tags that it made, but not those of other tokens: a tag belongs to the account. A token that may
 * change none is limited by its scopes.
 */
async function changesOwnOnly(target: Target, probe: Probe, api: Probe): Promise<Outcome | undefined> {
  const isLimited = ({ permits }: Probe): boolean =>
    permits.create && (['rename', 'delete'] as const).some((one) => !permits[one] && api.permits[one]);
  if (probe.scopes.includes('api') || !isLimited(probe)) return undefined;
  const again = await probeAgain(target, probe.scopes);
  if (again === undefined || !isLimited(again)) return undefined;
  await target.removeTags();
  const token = await target.token(probe.scopes);
  const [before, name] = [target.name(), target.name()];
  const tagId = createdIn(await target.create({ name: before }, { token }))?.tagId;
  if (tagId === undefined) return undefined;
  const isDelete = again.permits.rename;
  const own = isDelete
    ? await target.delete(tagId, { token, open: true })
    : await target.rename(tagId, { name }, { token, open: true });
  // A refusal may be answered with 200.
  const isDone =
    accepted(own) &&
    (isDelete ? await target.untilGone({ tagId, name: before }) : await target.untilListed(tagId, name)).good;
  const others = isDelete ? again.asked.delete : again.asked.rename;
  return isDone
    ? broken(
        `with a token for ${probe.scopes.join(', ')}, the ${spec.nameOf(own.ask.operation)} of a tag that it made ${whatCame(own)}, but that of another tag of the account ${whatCame(others)}${accepted(others) ? ', without effect' : ''}`,
        others,
        own,
      )
    : undefined;
}

/**
 * Whether the filter left out most of the other tags that the unfiltered list shows; undefined if that list shows none. Other
 * checks may delete some of them between the two lists.
 */
function isFiltered({ asked, tag }: Probe): boolean | undefined {
  const [whole, filtered] = [listedIn(asked.list), listedIn(asked.filtered)];
  const others = (whole ?? []).filter(({ name }) => name !== tag.name);
  if (filtered === undefined || others.length === 0) return undefined;
  const shown = others.filter(({ tagId }) => filtered.some((entry) => entry.tagId === tagId));
  return shown.length * 2 < others.length;
}

/** Broken if a list is filtered for a token for api alone, but not for these scopes, two times in a row. */
async function unfiltered(target: Target, probe: Probe, api: Probe): Promise<Outcome | undefined> {
  if (isFiltered(api) !== true || isFiltered(probe) !== false) return undefined;
  const again = await probeAgain(target, probe.scopes);
  return again === undefined || isFiltered(again) !== false
    ? undefined
    : broken(
        `the list with a filter shows every tag to a token for ${probe.scopes.join(', ')}, but not with api alone`,
        again.asked.filtered,
        again.asked.list,
      );
}

/** Whether the answers to a token, and the effects of its requests, are as with api alone. */
export const isAlike = (probe: Probe, api: Probe): boolean =>
  spec.tagOperations.every(
    (operation) =>
      accepted(probe.asked[operation]) === probe.permits[operation] &&
      differenceIn(probe, operation) === undefined,
  ) &&
  isLost(probe) === isLost(api) &&
  isFiltered(probe) !== false &&
  leavingOut(probe) === leavingOut(api);

async function checkAnswers(target: Target): Promise<Outcome> {
  const { twin, probes } = await probesAndTwin(target);
  const api = probeOfApi(probes);
  for (const probe of probes) {
    const found = api === undefined ? undefined : await unfiltered(target, probe, api);
    if (found !== undefined) return found;
    const lost = api === undefined ? undefined : await createdWithoutEffect(target, probe, api);
    if (lost !== undefined) return lost;
    const left = api === undefined ? undefined : await leftOut(target, probe, api);
    if (left !== undefined) return left;
    const ownOnly = api === undefined ? undefined : await changesOwnOnly(target, probe, api);
    if (ownOnly !== undefined) return ownOnly;
    for (const operation of twin) {
      const ineffective =
        api === undefined ? undefined : await confirmedWithoutEffect(target, operation, probe, api);
      if (ineffective !== undefined) return ineffective;
      const difference = differenceIn(probe, operation);
      if (difference?.kind !== 'broken') continue;
      const { why, exchanges } = difference;
      return api === undefined || differenceIn(api, operation) !== undefined
        ? undecided('failure', `${why}, with api alone as well`, ...exchanges)
        : broken(`${why}, to a token for ${probe.scopes.join(', ')}`, ...exchanges);
    }
  }
  return otherAnswers(target, probes);
}

export const answersAlike: Requirement = {
  id: 'scope/answers-alike',
  effort: 'standard',
  section: '4.2',
  sentences: ['4.2/status-200', '4.3/status-200', '4.4/status-200', '4.5/status-200'],
  level: 'derived',
  derivation:
    'Section 4 gives one answer for each operation that succeeds, whichever scopes the token has that permits it.',
  text: 'An operation that a token of any scope permits has the same answer and the same effect as with api alone.',
  cause: 'The routes of other scopes have separate code, which answers in another form or keeps tags apart.',
  // One tag, and those of accepted creates without a name.
  tags: 4,
  check: checkAnswers,
};
