import { listedIn } from '../lib/engine/listing.ts';
import type { Tag, Target } from '../lib/engine/target.ts';
import { jsonOf, type Exchange } from '../lib/http/exchange.ts';
import { listBody } from '../lib/http/shapes.ts';
import { quote, whatCame } from '../lib/http/wording.ts';
import { succeeds } from '../lib/matching.ts';
import { allOf, broken, holds, undecided, type Outcome } from '../lib/outcome.ts';
import type { Suite } from '../lib/requirement.ts';

export const list: Suite = {
  topic: 'list',
  requirements: [
    {
      id: 'list/answers',
      section: '4.4',
      level: 'required',
      text: 'A list without a filter is answered 200 with an error flag and an array of tags.',
      tags: 1,
      check: async (target) => {
        await target.create({ name: target.name() });
        return succeeds(await target.list(), listBody);
      },
    },
    {
      id: 'list/answers-filtered',
      section: '4.4',
      level: 'required',
      text: 'A list with a filter is answered 200 with an error flag and an array of tags.',
      tags: 1,
      check: async (target) => {
        const name = target.name();
        await target.create({ name });
        return succeeds(await target.list(name), listBody);
      },
    },
    {
      id: 'list/answers-nothing',
      section: '4.4',
      level: 'required',
      text: 'A filter that matches no tag is answered 200 with an error flag and an empty array.',
      check: async (target) => {
        const exchange = await target.list(target.name());
        const count = listedIn(exchange)?.length ?? 0;
        return allOf(
          succeeds(exchange, listBody),
          count === 0
            ? holds()
            : broken(`the filter by a name that no tag has let ${count} tags through`, exchange),
        );
      },
    },
    {
      id: 'list/error-is-false',
      section: '4.4',
      level: 'advisory',
      text: 'The error flag of a list that succeeds is false.',
      check: async (target) => {
        const exchanges = await Promise.all([target.list(), target.list(target.name())]);
        return allOf(...exchanges.map(errorIsFalse));
      },
    },
    {
      id: 'list/filter-includes',
      section: '4.4',
      level: 'required',
      text: 'The filter by a name lets the tag of exactly that name through.',
      tags: 2,
      check: async (target) => {
        const [tag] = await Promise.all([target.made(), target.made()]);
        const { seen, good } = await target.settles(
          () => filtered(target, tag.name),
          ({ entries }) => entries.some(({ tagId }) => tagId === tag.tagId),
        );
        if (seen.unreadable !== undefined) return undecided('failure', seen.unreadable, ...seen.exchanges);
        return good
          ? holds()
          : broken(
              `the tag named ${quote(tag.name)} exists, but the filter by just that name leaves it out`,
              ...seen.exchanges,
            );
      },
    },
    {
      id: 'list/filter-excludes',
      section: '4.4',
      level: 'required',
      text: 'The filter by a name leaves out a tag whose name has no letter in common with it.',
      tags: 2,
      check: async (target) => {
        const one = await target.made(target.nameFrom('abcdefghijklm'));
        const other = await target.made(target.nameFrom('nopqrstuvwxyz'));
        return allOf(await excludes(target, one, other), await excludes(target, other, one));
      },
    },
  ],
};

async function excludes(target: Target, wanted: Tag, other: Tag): Promise<Outcome> {
  const { unreadable, entries, exchanges } = await filtered(target, wanted.name);
  if (unreadable !== undefined) return undecided('failure', unreadable, ...exchanges);
  return entries.some(({ tagId }) => tagId === other.tagId)
    ? broken(
        `the filter by ${quote(wanted.name)} lets the tag named ${quote(other.name)} through`,
        ...exchanges,
      )
    : holds();
}

async function filtered(target: Target, name: string) {
  const exchange = await target.list(name);
  const entries = listedIn(exchange);
  const unreadable =
    entries === undefined ? `the filtered list cannot be read: it ${whatCame(exchange)}` : undefined;
  return { entries: entries ?? [], unreadable, exchanges: [exchange] };
}

function errorIsFalse(exchange: Exchange): Outcome {
  const body = jsonOf(exchange) as { error?: unknown } | null | undefined;
  if (typeof body?.error !== 'boolean')
    return undecided('failure', `the list ${whatCame(exchange)} without an error flag`, exchange);
  return body.error ? broken('answered with error true, not false', exchange) : holds();
}
