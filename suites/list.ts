import {
  allOf,
  answers,
  broken,
  type Exchange,
  holds,
  ifDecided,
  listedIn,
  matches,
  type Outcome,
  quote,
  type Suite,
  undecided,
  whatCame,
} from '../lib/check.ts';
import { listingChangesNothing, listsAgree } from './list/agreement.ts';
import { filter } from './list/filter.ts';
import { validators } from './list/validators.ts';
import { holdsAllTags } from './list/whole.ts';
import { tagToList } from './listed-tags.ts';

export const list: Suite = {
  topic: 'list',
  requirements: [
    {
      id: 'list/answers',
      section: '4.4',
      sentences: [
        '1/list',
        '1/tag-members',
        '2/tag-name-type',
        '2/tag-id-type',
        '4.4/path',
        '4.4/filter-optional',
        '4.4/status-200',
        '4.4/status-200-error',
        '4.4/status-200-tagging',
        '4.4/status-200-name',
        '4.4/status-200-tag-id',
      ],
      signs: ['list-broken', 'list-error'],
      level: 'required',
      text: 'A list without a filter is answered 200 with an error flag and an array of tags.',
      cause:
        'The list is returned bare, without its members error and tagging, or a stored name is no string.',
      tags: 1,
      check: async (target) => {
        // While lists cannot be read, the run cannot remove tags, and soon may not make any. Then the list is sent
        // without a new tag.
        await ifDecided(() => tagToList(target));
        return matches.success(await target.list());
      },
      watch: matches.everySuccess('list', ({ path }) => !path.includes('?')),
    },
    {
      id: 'list/answers-filtered',
      section: '4.4',
      sentences: [
        '1/filter',
        '4.4/filter-type',
        '4.4/status-200',
        '4.4/status-200-error',
        '4.4/status-200-tagging',
        '4.4/status-200-name',
        '4.4/status-200-tag-id',
      ],
      level: 'required',
      text: 'A list with a filter is answered 200 with an error flag and an array of tags.',
      cause: 'The filter has separate code, which answers in another form or fails.',
      signs: ['list-failed', 'filter-error'],
      tags: 1,
      check: async (target) => {
        const tag = await ifDecided(() => tagToList(target));
        return matches.success(await target.list(tag?.name ?? target.name()));
      },
      watch: matches.everySuccess('list', ({ path }) => path.includes('?')),
    },
    {
      id: 'list/answers-nothing',
      section: '4.4',
      sentences: ['4.4/filter-meaning', '4.4/status-200', '4.4/status-200-error', '4.4/status-200-tagging'],
      level: 'required',
      text: 'A filter that matches no tag is answered 200 with an error flag and an empty array.',
      cause: 'An empty result is answered 404, or with null in place of an empty array.',
      check: async (target) => {
        // Rare letters, because a filter may also match similar names.
        const name = target.names.lettersOf('jqxz');
        const exchange = await target.list(name);
        const listed = listedIn(exchange) ?? [];
        const unlike = listed.filter((tag) => typeof tag.name !== 'string' || !/[jqxz]/i.test(tag.name));
        if (unlike.length === 0 && listed.length > 0)
          return undecided('choice', 'the filter finds names that have letters in common with it', exchange);
        return allOf(
          matches.success(exchange),
          listed.length === 0
            ? holds()
            : broken(`the filter by a name that no tag has finds ${listed.length} tags`, exchange),
        );
      },
    },
    {
      id: 'list/error-is-false',
      section: '4.4',
      sentences: ['4.4/status-200-error'],
      level: 'advisory',
      text: 'The error flag of a list that succeeds is false.',
      cause: 'The flag says whether something was found, or is never set.',
      check: async (target) => {
        const exchanges = await Promise.all([target.list(), target.list(target.name())]);
        return allOf(...exchanges.map(errorIsFalse));
      },
    },
    ...filter,
    holdsAllTags,
    {
      id: 'list/ids-once',
      section: '4.4',
      sentences: ['2/tag-id-meaning', '4.4/status-200-tagging'],
      level: 'derived',
      derivation: 'List returns tags (4.4), and a tag_id identifies one tag (2), so each is in a list once.',
      text: 'A list shows each tag_id once.',
      cause: 'A join duplicates rows.',
      tags: 2,
      check: async (target) => {
        const { name } = await target.makeTag();
        // A join with the words of a name finds this one twice. A target may refuse names with blanks.
        await target.create({ name: target.names.extended(name, ` ${name}`) });
        await Promise.all([target.list(), target.list(name)]);
        return holds();
      },
      watch: (exchange) => {
        if (!exchange.ask.regular) return undefined;
        const ids =
          (exchange.ask.operation === 'list' ? listedIn(exchange) : undefined)?.map(({ tagId }) => tagId) ??
          [];
        const seen = new Set<string>();
        const twice = ids.find((id) => seen.has(id) || !seen.add(id));
        return twice === undefined
          ? undefined
          : `${whatCame(exchange)} with the tag_id ${quote(twice)} twice`;
      },
    },
    listingChangesNothing,
    validators,
    listsAgree,
    {
      id: 'list/shows-effects-at-once',
      section: '4.4',
      sentences: ['4.4/status-200-tagging'],
      level: 'advisory',
      text: 'The next list shows every acknowledged create, update and delete.',
      cause: 'Lists are read from a replica or a cache that lags.',
      signs: ['late-effect'],
      tags: 1,
      check: async (target) => {
        await target.makeTag();
        return holds();
      },
    },
  ],
};

function errorIsFalse(exchange: Exchange): Outcome {
  const error = answers.member(exchange, 'error');
  if (typeof error !== 'boolean')
    return undecided('failure', `the list ${whatCame(exchange)} without an error flag`, exchange);
  return error ? broken('answered with error true, not false', exchange) : holds();
}
