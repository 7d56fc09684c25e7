import type { Tag, Target } from '../lib/engine/target.ts';
import { accepted } from '../lib/http/exchange.ts';
import { messageBody } from '../lib/http/shapes.ts';
import { quote, whatCame } from '../lib/http/wording.ts';
import { refuses, succeeds } from '../lib/matching.ts';
import { broken, doubtful, holds, undecided, type Outcome } from '../lib/outcome.ts';
import type { Requirement, Suite } from '../lib/requirement.ts';
import { NO_NAMES, TEXT_LIKE } from './invalid-names.ts';

const refusesInvalid = [...NO_NAMES, ...TEXT_LIKE].map(({ id, what, body }): Requirement => ({
  id: `update/${id}`,
  section: id === 'name-missing' ? '7' : '4.3',
  level: 'required',
  text: `An update ${what} is answered 422, and the tag keeps its name.`,
  tags: 2,
  check: async (target) => {
    const invalid = body(target);
    const [other, tag] = await Promise.all([target.made(), target.made()]);
    const pair = await target.pair({
      accepted: () => target.rename(other.tagId, { name: target.name() }),
      refused: () => target.rename(tag.tagId, invalid.body),
    });
    const { entries, exchanges } = await target.look(tag.tagId, tag.name);
    const kept = entries.find(({ tagId }) => tagId === tag.tagId)?.name;
    if (
      accepted(pair.refused) &&
      TEXT_LIKE.some((like) => like.id === id) &&
      invalid.traces.some((text) => text === kept)
    ) {
      return doubtful(
        `${whatCame(pair.refused)}, not 422: the value was taken as its text ${quote(kept)}`,
        pair.refused,
      );
    }
    const status = refuses(pair, 422);
    if (status.kind === 'broken' || kept === tag.name) return status;
    return broken(`${whatCame(pair.refused)}, yet ${nameNow(kept, tag)}`, pair.refused, ...exchanges);
  },
}));

export const update: Suite = {
  topic: 'update',
  requirements: [
    {
      id: 'update/answers',
      section: '4.3',
      level: 'required',
      text: 'An update is answered 200 with a message.',
      tags: 1,
      check: async (target) => {
        const tag = await target.made();
        return succeeds(await target.rename(tag.tagId, { name: target.name() }), messageBody);
      },
    },
    {
      id: 'update/takes-effect',
      section: '4.3',
      level: 'derived',
      derivation:
        'A confirmed update (4.3) of the tag that the path names has changed that tag, which list shows (4.4).',
      text: 'After an update the same tag_id is listed with the new name, and no longer under the old one.',
      tags: 1,
      check: async (target) => renamed(target, await target.made()),
    },
    ...refusesInvalid,
  ],
};

async function renamed(target: Target, tag: Tag): Promise<Outcome> {
  const name = target.name();
  const exchange = await target.rename(tag.tagId, { name });
  if (!accepted(exchange)) return undecided('failure', `the update ${whatCame(exchange)}`, exchange);
  const { seen } = await target.shows(tag.tagId, name, tag.name);
  const names = seen.entries.filter(({ tagId }) => tagId === tag.tagId).map((entry) => entry.name);
  if (!names.includes(name)) {
    return broken(`${whatCame(exchange)}, yet ${nameNow(names[0], tag)}`, exchange, ...seen.exchanges);
  }
  const old = seen.entries.find((entry) => entry.name === tag.name);
  return old === undefined
    ? holds()
    : broken(
        `the new name is listed, and the old one still is too, under tag_id ${quote(old.tagId)}`,
        exchange,
        ...seen.exchanges,
      );
}

/** What became of the tag, as a clause. */
function nameNow(name: unknown, tag: Tag): string {
  if (name === undefined) return 'the tag is no longer listed under its tag_id';
  return name === tag.name
    ? 'the tag is still listed with its old name'
    : `the tag is listed with the name ${quote(name)}`;
}
