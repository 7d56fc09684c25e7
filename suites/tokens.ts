import { createdIn } from '../lib/engine/listing.ts';
import type { Pair } from '../lib/engine/pairing.ts';
import { accepted, statusOf, type Exchange } from '../lib/http/exchange.ts';
import { quote, whatCame } from '../lib/http/wording.ts';
import { allOf, broken, doubtful, holds, undecided, type Outcome } from '../lib/outcome.ts';
import type { Suite } from '../lib/requirement.ts';
import { tour } from './tour.ts';

const WITHOUT = { token: 'none' } as const;

export const tokens: Suite = {
  topic: 'token',
  requirements: [
    {
      id: 'token/suffices',
      section: '5',
      level: 'required',
      text: 'A valid bearer token is all that an operation needs beside the headers of section 5.',
      tags: 0,
      check: async (target) => {
        const { operations } = await tour(target);
        const refused = operations.find(
          (exchange) => [401, 407, 419].includes(statusOf(exchange)) || isRedirect(exchange),
        );
        return refused === undefined
          ? holds()
          : broken(
              `${whatCame(refused)} to a request with a valid token and the headers of section 5`,
              refused,
            );
      },
    },
    {
      id: 'token/missing-on-create',
      section: '4',
      level: 'required',
      text: 'A create without an Authorization header is refused and makes no tag.',
      tags: 2,
      check: async (target) => {
        const name = target.name();
        const pair = await target.pair({
          accepted: () => target.create({ name: target.name() }),
          refused: () => target.create({ name }, WITHOUT),
        });
        if (createdIn(pair.refused) !== undefined) {
          return broken(
            `${whatCame(pair.refused)} with a tag, though no token was sent`,
            pair.refused,
            pair.accepted,
          );
        }
        const { entries, exchanges } = await target.look(undefined, name);
        return entries.length === 0
          ? refusedAtAll(pair)
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
      level: 'required',
      text: 'An update without an Authorization header is refused and changes nothing.',
      tags: 2,
      check: async (target) => {
        const [other, tag] = await Promise.all([target.made(), target.made()]);
        const name = target.name();
        const pair = await target.pair({
          accepted: () => target.rename(other.tagId, { name: target.name() }),
          refused: () => target.rename(tag.tagId, { name }, WITHOUT),
        });
        const { entries, exchanges } = await target.look(tag.tagId, tag.name, name);
        const now = entries.find(({ tagId }) => tagId === tag.tagId)?.name;
        return now === tag.name
          ? refusedAtAll(pair)
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
      level: 'required',
      text: 'A list without an Authorization header is refused and discloses no tag.',
      tags: 1,
      check: async (target) => {
        const tag = await target.made();
        const pair = await target.pair({
          accepted: () => target.list(),
          refused: () => target.list(undefined, WITHOUT),
        });
        return allOf(disclosesNothing(pair, tag.name, tag.tagId), refusedAtAll(pair));
      },
    },
    {
      id: 'token/missing-on-filtered-list',
      section: '4',
      level: 'required',
      text: 'A list with a filter but without an Authorization header is refused and discloses no tag.',
      tags: 1,
      check: async (target) => {
        const tag = await target.made();
        const pair = await target.pair({
          accepted: () => target.list(tag.name),
          refused: () => target.list(tag.name, WITHOUT),
        });
        // A refusal may repeat the filter, so only the tag_id gives the tag away.
        return allOf(disclosesNothing(pair, tag.tagId), refusedAtAll(pair));
      },
    },
    {
      id: 'token/missing-on-delete',
      section: '4',
      level: 'required',
      text: 'A delete without an Authorization header is refused and removes nothing.',
      tags: 2,
      check: async (target) => {
        const [other, tag] = await Promise.all([target.made(), target.made()]);
        const pair = await target.pair({
          accepted: () => target.delete(other.tagId),
          refused: () => target.delete(tag.tagId, WITHOUT),
        });
        const { entries, exchanges } = await target.look(tag.tagId, tag.name);
        return entries.some(({ tagId }) => tagId === tag.tagId)
          ? refusedAtAll(pair)
          : broken(
              `${whatCame(pair.refused)} without a token, yet the tag is gone`,
              pair.refused,
              ...exchanges,
            );
      },
    },
  ],
};

/** With no effect shown, a success that carries only an error is odd but harms nobody; silence refuses nothing. */
export function refusedAtAll({ accepted: twin, refused }: Pair): Outcome {
  if (statusOf(refused) === 0)
    return undecided('failure', `the request without its token ${whatCame(refused)}`, refused, twin);
  return accepted(refused)
    ? doubtful(`${whatCame(refused)}, a success, though the request had no effect`, refused, twin)
    : holds();
}

/** The text of a short id may stand in an answer by chance, so that short ones are looked for as JSON strings. */
export function disclosesNothing({ accepted: twin, refused }: Pair, ...marks: readonly string[]): Outcome {
  const text = new TextDecoder().decode(refused.answer?.bytes);
  const mark = marks.find((one) => text.includes(one.length < 8 ? `"${one}"` : one));
  return mark === undefined
    ? holds()
    : broken(`${whatCame(refused)} without a token, yet the answer discloses ${quote(mark)}`, refused, twin);
}

const isRedirect = (exchange: Exchange): boolean => statusOf(exchange) >= 300 && statusOf(exchange) < 400;
