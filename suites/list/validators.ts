import {
  accepted,
  allOf,
  answers,
  broken,
  createdIn,
  type Exchange,
  holds,
  type Listed,
  listedIn,
  type Outcome,
  type Requirement,
  spec,
  statusOf,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { tour } from '../tour.ts';

/**
 * The least age of a usable Last-Modified date, in milliseconds. A date has a resolution of one second, so a later
 * change within the same second has the same date (RFC 9110, 8.8.2).
 */
const OLD_MS = 2_000;

/** The header that makes a request conditional on a change since this list; undefined if the list has no validator. */
function conditionOf({ answer }: Exchange): Readonly<Record<string, string>> | undefined {
  if (answer === undefined) return undefined;
  const [etag, changed, date] = ['etag', 'last-modified', 'date'].map((name) => answers.header(answer, name));
  if (etag !== undefined) return { 'If-None-Match': etag };
  const age = Date.parse(date ?? '') - Date.parse(changed ?? '');
  return changed !== undefined && age >= OLD_MS ? { 'If-Modified-Since': changed } : undefined;
}

/**
 * Sends a conditional list after a change, with the validator from before the change. Broken if it is answered 304
 * although the list has changed.
 *
 * @param isConcerned whether a tag is the changed one.
 */
async function afterChange(
  target: Target,
  filter: string | undefined,
  before: Exchange,
  changed: Exchange,
  isConcerned: (tag: Listed) => boolean,
): Promise<Outcome> {
  const headers = conditionOf(before);
  if (headers === undefined) return holds();
  const { good, seen } = await target.until(
    async () => {
      const exchange = await target.list(filter, { headers });
      return { exchange, exchanges: [exchange] };
    },
    ({ exchange }) => statusOf(exchange) !== 304,
    { late: 'ignored' },
  );
  if (good) return holds();
  // Only the changed tag counts: a page without it stays the same, and strangers' tags may change at any time.
  const now = await target.list(filter);
  const concerned = (list: Exchange): string => JSON.stringify(listedIn(list)?.filter(isConcerned));
  if (concerned(now) === concerned(before)) return holds();
  // Strangers' changes may have moved the tag onto the page just now. Then the target no longer answers 304.
  const again = await target.list(filter, { headers });
  if (statusOf(again) !== 304) return holds();
  return broken(
    `the list ${whatCame(seen.exchange)} to a validator from before the ${spec.nameOf(changed.ask.operation)}`,
    before,
    changed,
    seen.exchange,
    now,
    again,
  );
}

export const validators: Requirement = {
  id: 'list/validators-change',
  effort: 'standard',
  section: '4.4',
  sentences: ['4.4/status-200', '4.4/status-200-tagging'],
  level: 'derived',
  derivation:
    'A 304 says that the list is the one whose entity tag or date the client sent (RFC 9110, 13.1.2, 13.1.3 and 15.4.5), and after an update it is another one.',
  text: 'If lists have an entity tag or the date of their last change, a conditional list is not answered 304 after an update, a create or a delete has changed it, with a filter or without.',
  cause:
    'The entity tag is derived from the number of tags or from the URL, not from the content, or the date is that of the first tag or of the start of the server.',
  // The check runs alone, because other checks would also change the list.
  when: 'calm',
  tags: 2,
  check: async (target) => {
    const { exchanges } = await tour(target);
    if (
      !exchanges.some((exchange) => exchange.ask.operation === 'list' && conditionOf(exchange) !== undefined)
    )
      return undecided('choice', 'lists have neither an entity tag nor the date of an earlier change');
    const [tag, newName] = [await target.makeTag(), target.name()];
    const isConcerned = ({ tagId, name }: Listed): boolean => tagId === tag.tagId || name === newName;
    let made: string | undefined;
    const changes = [
      { name: tag.name, change: () => target.rename(tag.tagId, { name: target.name() }) },
      {
        name: newName,
        change: async () => {
          const create = await target.create({ name: newName });
          made = createdIn(create)?.tagId;
          return create;
        },
      },
      // The tag is replaced by another one of the same name, so that the list differs only in the tag_id.
      {
        name: newName,
        isOpen: true,
        change: async () => {
          if (made !== undefined) await target.delete(made);
          return target.create({ name: newName }, { open: true });
        },
      },
    ];
    for (const { name, change, isOpen } of changes) {
      const views = [undefined, name];
      const before = await Promise.all(views.map((filter) => target.list(filter)));
      const changed = await change();
      if (!accepted(changed))
        return isOpen === true ? holds() : undecided('failure', `the change ${whatCame(changed)}`, changed);
      const outcomes = await Promise.all(
        views.map(async (filter, at) => {
          const list = before[at];
          return list === undefined ? holds() : afterChange(target, filter, list, changed, isConcerned);
        }),
      );
      const outcome = allOf(...outcomes);
      if (outcome.kind !== 'holds') return outcome;
    }
    return holds();
  },
};
