import { idForm, inventId } from '../lib/engine/inventing.ts';
import { listedIn } from '../lib/engine/listing.ts';
import { accepted, statusOf } from '../lib/http/exchange.ts';
import { messageBody } from '../lib/http/shapes.ts';
import { whatCame } from '../lib/http/wording.ts';
import { refuses, succeeds } from '../lib/matching.ts';
import { broken, holds, undecided } from '../lib/outcome.ts';
import type { Suite } from '../lib/requirement.ts';

export const deletion: Suite = {
  topic: 'delete',
  requirements: [
    {
      id: 'delete/answers',
      section: '4.5',
      level: 'required',
      text: 'A delete is answered 200 with a message.',
      tags: 1,
      check: async (target) => succeeds(await target.delete((await target.made()).tagId), messageBody),
    },
    {
      id: 'delete/takes-effect',
      section: '4.5',
      level: 'derived',
      derivation: 'A confirmed delete (4.5) has removed the tag, so that list (4.4) has none to return.',
      text: 'A deleted tag is no longer listed, filtered or not.',
      tags: 1,
      check: async (target) => {
        const tag = await target.made();
        const exchange = await target.delete(tag.tagId);
        if (!accepted(exchange)) return undecided('failure', `the delete ${whatCame(exchange)}`, exchange);
        const { seen, good } = await target.gone(tag);
        return good
          ? holds()
          : broken(`${whatCame(exchange)}, yet the tag is still listed`, exchange, ...seen.exchanges);
      },
    },
    {
      id: 'delete/again-404',
      section: '7',
      level: 'required',
      text: 'Deleting a tag that was deleted is answered 404 with a message.',
      tags: 2,
      check: async (target) => {
        const tag = await target.made();
        // A younger tag keeps a target that counts its ids on from the highest from giving this one out again.
        await target.made();
        return target.quietly(async () => {
          const first = await target.delete(tag.tagId);
          if (!accepted(first)) return undecided('failure', `the first delete ${whatCame(first)}`, first);
          const { good, seen } = await target.gone(tag);
          if (!good)
            return undecided('failure', 'the tag is still there after its delete', first, ...seen.exchanges);
          return refuses(
            await target.pair({ accepted: () => first, refused: () => target.delete(tag.tagId) }),
            404,
            messageBody,
          );
        });
      },
    },
    {
      id: 'delete/unknown-404',
      section: '7',
      level: 'required',
      text: 'Deleting a tag_id of the issued form that no tag has is answered 404 with a message.',
      tags: 2,
      check: async (target) => {
        const [tag, other] = [await target.made(), await target.made()];
        const live = new Set(listedIn(await target.list())?.map(({ tagId }) => tagId));
        const issued = [tag.tagId, other.tagId];
        const unknown = inventId(issued, live);
        const pair = await target.pair({
          accepted: () => target.delete(tag.tagId),
          refused: () => target.delete(unknown),
        });
        const status = statusOf(pair.refused);
        if (idForm(issued) === 'other' && status >= 400 && status < 500 && status !== 404) {
          return undecided(
            'choice',
            'the form of its ids cannot be told, so that an unknown one cannot be made up for sure',
            pair.refused,
          );
        }
        return refuses(pair, 404, messageBody);
      },
    },
  ],
};
