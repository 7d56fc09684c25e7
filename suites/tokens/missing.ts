import {
  accepted,
  allOf,
  answers,
  broken,
  createdIn,
  type Exchange,
  holdsWithWarning,
  holds,
  ifDecided,
  listedIn,
  type Outcome,
  quote,
  type Requirement,
  statusOf,
  type Tag,
  type TagOperation,
  type Target,
  whatCame,
} from '../../lib/check.ts';
import { type Pair, sendPair, unrefused } from '../pair.ts';
import { lookInAll, tagToList } from '../listed-tags.ts';
import { disclosesAny } from '../disclosure.ts';
import { tour } from '../tour.ts';

/** The sentences of the specification that require a token. */
const TOKEN_NEEDED: Requirement['sentences'] = [
  '1/bearer',
  '4/bearer',
  '5/authorization-header',
  '5/authorization-purpose',
];

const WITHOUT = { token: 'none' } as const;

/** Requirements about requests without a token. */
export const missingToken: readonly Requirement[] = [
  {
    id: 'token/missing-on-create',
    section: '4',
    sentences: TOKEN_NEEDED,
    level: 'required',
    text: 'A create without an Authorization header is refused and makes no tag.',
    cause: 'The route of create is not guarded, or the check runs after the tag was made.',
    tags: 2,
    check: async (target) => {
      const name = target.name();
      const twin = await twinOf(target, 'create', () => target.create({ name: target.name() }));
      const pair = await sendPair({
        accepted: () => twin,
        refused: () => target.create({ name }, WITHOUT),
      });
      if (createdIn(pair.refused) !== undefined) {
        return broken(
          `${whatCame(pair.refused)} with a tag, though no token was sent`,
          pair.refused,
          pair.accepted,
        );
      }
      const { entries, exchanges } = await lookInAll(target, undefined, name);
      return entries.length === 0
        ? refusedWithoutEffect(pair)
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
    cause: 'The route of update is not guarded, or the check runs after the change.',
    tags: 2,
    check: async (target) => {
      const tag = await target.makeTag();
      const name = target.name();
      const twin = await twinOf(target, 'rename', async () =>
        target.rename((await target.makeTag()).tagId, { name: target.name() }),
      );
      const pair = await sendPair({
        accepted: () => twin,
        refused: () => target.rename(tag.tagId, { name }, WITHOUT),
      });
      // A lagging replica may not show the tag yet.
      const { entries, exchanges } = (await target.untilListed(tag.tagId, tag.name, name)).seen;
      const now = entries.find(({ tagId }) => tagId === tag.tagId)?.name;
      return now === tag.name
        ? refusedWithoutEffect(pair)
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
    cause: 'The route of the list is not guarded, or a cache answers it.',
    tags: 1,
    check: async (target) => {
      const tag = await tagToList(target);
      const twin = await twinOf(target, 'list', () => target.list());
      const pair = await sendPair({
        accepted: () => twin,
        refused: () => target.list(undefined, WITHOUT),
      });
      return allOf(showsNoList(pair, tag), refusedWithoutEffect(pair));
    },
  },
  {
    id: 'token/missing-on-filtered-list',
    section: '4',
    sentences: TOKEN_NEEDED,
    level: 'required',
    text: 'A filtered list without an Authorization header is refused and discloses no tag.',
    cause: 'The filter has a separate route or query, which is not guarded.',
    tags: 1,
    check: async (target) => {
      const tag = await tagToList(target);
      const pair = await sendPair({
        accepted: () => target.list(tag.name),
        refused: () => target.list(tag.name, WITHOUT),
      });
      return allOf(showsNoList(pair, tag), refusedWithoutEffect(pair));
    },
  },
  {
    id: 'token/missing-on-delete',
    section: '4',
    sentences: TOKEN_NEEDED,
    level: 'required',
    text: 'A delete without an Authorization header is refused and removes nothing.',
    cause: 'The route of delete is not guarded, or the check runs after the delete.',
    tags: 2,
    check: async (target) => {
      const tag = await target.makeTag();
      const twin = await twinOf(target, 'delete', async () => target.delete((await target.makeTag()).tagId));
      const pair = await sendPair({
        accepted: () => twin,
        refused: () => target.delete(tag.tagId, WITHOUT),
      });
      const { entries, exchanges } = (await target.untilListed(tag.tagId, tag.name)).seen;
      return entries.some(({ tagId }) => tagId === tag.tagId)
        ? refusedWithoutEffect(pair)
        : broken(
            `${whatCame(pair.refused)} without a token, yet the tag is gone`,
            pair.refused,
            ...exchanges,
          );
    },
  },
];

/** The same operation with a token, if possible the one that the run has sent anyway. */
async function twinOf(
  target: Target,
  operation: TagOperation,
  send: () => Promise<Exchange>,
): Promise<Exchange> {
  const { operations = [] } = (await ifDecided(() => tour(target))) ?? {};
  return operations.find((one) => one.ask.operation === operation && accepted(one)) ?? send();
}

/**
 * The outcome if the request had no effect. A success status is then only a warning.
 */
function refusedWithoutEffect({ accepted: twin, refused }: Pair): Outcome {
  if (statusOf(refused) === 0)
    return unrefused(`the request without a token ${whatCame(refused)}`, refused, twin);
  return accepted(refused)
    ? holdsWithWarning(`${whatCame(refused)}, a success, though the request had no effect`, refused, twin)
    : holds();
}

function showsNoList({ accepted: twin, refused }: Pair, tag: Tag): Outcome {
  if (disclosesAny(refused, tag))
    return broken(`${whatCame(refused)} without a token, yet the answer holds tags`, refused, twin);
  // An error with a success status is only a warning.
  const saysNone =
    accepted(refused) && listedIn(refused) !== undefined && answers.member(refused, 'error') === false;
  return saysNone
    ? broken(`${whatCame(refused)} without a token, with a list of no tags, not a refusal`, refused, twin)
    : holds();
}
