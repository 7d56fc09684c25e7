import { createdIn } from '../lib/engine/listing.ts';
import { leavesNothing } from '../lib/engine/nothing.ts';
import { accepted, statusOf } from '../lib/http/exchange.ts';
import { tagBody } from '../lib/http/shapes.ts';
import { quote, whatCame } from '../lib/http/wording.ts';
import { refuses, succeeds } from '../lib/matching.ts';
import { broken, doubtful, holds, undecided } from '../lib/outcome.ts';
import type { Requirement, Suite } from '../lib/requirement.ts';
import { NO_NAMES, TEXT_LIKE } from './invalid-names.ts';

const refusesNoName = NO_NAMES.map(({ id, what, body }): Requirement => ({
  id: `create/${id}`,
  section: id === 'name-missing' ? '7' : '4.2',
  level: 'required',
  text: `A create ${what} is answered 422 and makes no tag.`,
  tags: 2,
  check: async (target) => {
    const invalid = body(target);
    const { exchange, left } = await leavesNothing(target, () => target.create(invalid.body), invalid.traces);
    const pair = await target.pair({
      accepted: () => target.create({ name: target.name() }),
      refused: () => Promise.resolve(exchange),
    });
    return left === undefined ? refuses(pair, 422) : broken(left.why, ...left.exchanges);
  },
}));

const refusesOtherTypes = TEXT_LIKE.map(({ id, what, body }): Requirement => ({
  id: `create/${id}`,
  section: '4.2',
  level: 'required',
  text: `A create ${what} is answered 422 and makes no tag.`,
  tags: 2,
  check: async (target) => {
    const invalid = body(target);
    const pair = await target.pair({
      accepted: () => target.create({ name: target.name() }),
      refused: () => target.create(invalid.body),
    });
    if (!accepted(pair.refused)) return refuses(pair, 422);
    const created = createdIn(pair.refused);
    if (created === undefined) return broken(`${whatCame(pair.refused)}, not 422`, pair.refused);
    const { entries, exchanges } = await target.look(created.tagId, ...invalid.traces);
    const kept = entries.find(({ tagId }) => tagId === created.tagId)?.name;
    return typeof kept === 'string' && invalid.traces.includes(kept) && created.name === kept
      ? doubtful(
          `answered ${statusOf(pair.refused)}, not 422: the value was taken as its text ${quote(kept)}`,
          pair.refused,
        )
      : broken(
          `${whatCame(pair.refused)}, not 422, and the name became ${quote(kept)}`,
          pair.refused,
          ...exchanges,
        );
  },
}));

export const create: Suite = {
  topic: 'create',
  requirements: [
    {
      id: 'create/answers',
      section: '4.2',
      level: 'required',
      text: 'A create with a name is answered 200 with the tag, which has a name and a tag_id.',
      tags: 1,
      check: async (target) => succeeds(await target.create({ name: target.name() }), tagBody),
    },
    {
      id: 'create/echoes-name',
      section: '4.2',
      level: 'required',
      text: 'The answer to a create holds the name as it was sent.',
      tags: 1,
      check: async (target) => {
        const name = target.name();
        const exchange = await target.create({ name });
        const created = createdIn(exchange);
        if (created === undefined)
          return undecided('failure', `create ${whatCame(exchange)} without a tag`, exchange);
        return created.name === name
          ? holds()
          : broken(`the answer holds the name ${quote(created.name)}, not ${quote(name)}`, exchange);
      },
    },
    {
      id: 'create/persists',
      section: '4.2',
      level: 'derived',
      derivation:
        'Create assigns the identifier that paths and lists use (2), and list returns the tags (4.4).',
      text: 'A created tag is listed exactly once, under its tag_id and with its name.',
      tags: 1,
      check: async (target) => {
        const name = target.name();
        const exchange = await target.create({ name });
        const created = createdIn(exchange);
        if (created === undefined)
          return undecided('failure', `create ${whatCame(exchange)} without a tag_id`, exchange);
        const { seen, good } = await target.shows(created.tagId, name);
        const ids = seen.entries.map(({ tagId }) => tagId);
        const others = ids.filter((id) => id !== created.tagId);
        if (others.length > 0) {
          return broken(
            `create gave the tag_id ${quote(created.tagId)}, but the name is listed under ${quote(others)}`,
            exchange,
            ...seen.exchanges,
          );
        }
        if (good) return holds();
        const listed = seen.entries[0];
        return listed === undefined
          ? broken(`create ${whatCame(exchange)}, but no list shows the tag`, exchange, ...seen.exchanges)
          : broken(
              `the tag is listed with the name ${quote(listed.name)}, not ${quote(name)}`,
              exchange,
              ...seen.exchanges,
            );
      },
    },
    {
      id: 'create/distinct-ids',
      section: '2',
      level: 'derived',
      derivation:
        'tag_id is the identifier of the tag (2): two living tags that share one cannot be told apart in a path.',
      text: 'Every tag is given a tag_id of its own.',
      // Last, to see all creates of the run.
      when: 'last',
      tags: 4,
      check: async (target) => {
        const first = await target.made();
        const living = await Promise.all([1, 2].map(() => target.create({ name: target.name() })));
        // A target that counts the tags there are gives out an id twice once one is gone.
        await target.delete(first.tagId);
        const exchanges = [...living, await target.create({ name: target.name() })];
        const ids = exchanges.flatMap((exchange) => createdIn(exchange)?.tagId ?? []);
        if (ids.length < 2) return undecided('failure', `there are no tag_ids to compare`, ...exchanges);
        const [clash] = target.duplicates;
        if (clash !== undefined) {
          return broken(
            `create gave the tag_id ${quote(createdIn(clash)?.tagId)}, which another living tag has`,
            clash,
          );
        }
        const twice = ids.find((id, at) => ids.indexOf(id) !== at);
        return twice === undefined
          ? holds()
          : broken(`two tags that are alive were given the tag_id ${quote(twice)}`, ...exchanges);
      },
    },
    ...refusesNoName,
    ...refusesOtherTypes,
  ],
};
