import { isUnlike } from '../account/unlike.ts';
import type { Sign } from '../account/signs.ts';
import { accepted, isClientError, statusOf, type Exchange } from '../http/exchange.ts';
import { createdIn, listedIn, tokenIn } from '../spec/reading.ts';
import type { TagOperation } from '../spec/operations.ts';
import { filterIn } from '../spec/requests.ts';

/**
 * Whether the exchanges that a run recorded for a sign show it by themselves.
 *
 * @param exchanges in the order in which the run recorded them.
 * @param isOfRun whether the run made the tag with this tag_id.
 */
type Shows = (exchanges: readonly Exchange[], isOfRun: (tagId: string) => boolean) => boolean;

const isIn = (tagId: string | undefined, list: Exchange): boolean =>
  listedIn(list)?.some((tag) => tag.tagId === tagId) === true;

const segmentsOf = ({ ask }: Exchange): readonly string[] => (ask.path.split('?')[0] ?? '').split('/');

/** The tag_id in the path of an update or a delete. */
const tagIdIn = (exchange: Exchange): string => decodeURIComponent(segmentsOf(exchange).at(-1) ?? '');

const queryOf = ({ ask }: Exchange): string | undefined => ask.path.split('?')[1];

/** Whether the list shows the created tag, and another with its name that no create gave. */
const showsCopy: Shows = (exchanges, isOfRun) => {
  const [create, list] = [exchanges[0], exchanges.at(-1)];
  const made = create === undefined ? undefined : createdIn(create);
  const shown = (list === undefined ? undefined : listedIn(list)) ?? [];
  const tag = shown.find(({ tagId }) => tagId === made?.tagId);
  return tag !== undefined && shown.some(({ tagId, name }) => name === tag.name && !isOfRun(tagId));
};

/** Whether a request of the operation failed although no other one was under way. */
const showsError =
  (operation: TagOperation): Shows =>
  ([exchange]) =>
    exchange?.ask.operation === operation && statusOf(exchange) === 500 && exchange.beside === undefined;

/** A sign that is missing here rests on more than its exchanges, such as what the run knew of a tag at that time. */
const SHOWS: Partial<Record<Sign, Shows>> = {
  'login-without-token': ([login]) =>
    login?.ask.operation === 'login' && accepted(login) && tokenIn(login) === undefined,
  'create-lost': ([create, ...lists]) => {
    const tagId = create === undefined ? undefined : createdIn(create)?.tagId;
    return (
      tagId !== undefined &&
      lists.length > 0 &&
      lists.every((list) => listedIn(list) !== undefined && !isIn(tagId, list))
    );
  },
  'create-refused': ([create]) => create?.ask.operation === 'create' && isClientError(create),
  'update-refused': ([update]) => update?.ask.operation === 'rename' && isClientError(update),
  'create-error': showsError('create'),
  'update-error': showsError('rename'),
  'delete-error': showsError('delete'),
  'list-error': showsError('list'),
  'filter-error': showsError('list'),
  'made-twice': showsCopy,
  'copied-by-update': showsCopy,
  'update-lost': ([update, list]) =>
    update?.ask.operation === 'rename' &&
    accepted(update) &&
    list !== undefined &&
    list.startedAt > update.startedAt + update.durationMs &&
    listedIn(list)?.some(
      ({ tagId, name }) => tagId === tagIdIn(update) && JSON.stringify({ name }) !== update.ask.body,
    ) === true,
  'delete-without-effect': ([removal, list]) =>
    removal?.ask.operation === 'delete' &&
    accepted(removal) &&
    list !== undefined &&
    list.startedAt > removal.startedAt + removal.durationMs &&
    isIn(tagIdIn(removal), list),
  'list-failed': ([failed, other]) =>
    failed !== undefined && statusOf(failed) >= 500 && other !== undefined && listedIn(other) !== undefined,
  'filter-unlike': ([list], isOfRun) => {
    const filter = list === undefined ? undefined : filterIn(queryOf(list));
    if (list === undefined || filter === undefined) return false;
    const isShown = (tagId: string, name: unknown): boolean =>
      typeof name === 'string' && isOfRun(tagId) && isUnlike(filter, name);
    return listedIn(list)?.some(({ tagId, name }) => isShown(tagId, name)) === true;
  },
};

/** Whether the exchanges of one of these findings show the sign by themselves. */
export function showsSign(
  sign: Sign,
  findings: readonly (readonly Exchange[])[],
  isOfRun: (tagId: string) => boolean,
): boolean {
  return findings.some((exchanges) => SHOWS[sign]?.(exchanges, isOfRun) === true);
}
