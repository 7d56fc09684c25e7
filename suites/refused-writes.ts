import {
  accepted,
  type Exchange,
  type RequestOverrides,
  type Tag,
  type Target,
  whatCame,
} from '../lib/check.ts';
import { narrowToken } from './scopes/narrow-token.ts';

/** An update and a delete of a tag that had to be refused. */
interface RefusedWrites {
  /** Completes "an update of it …". */
  readonly what: string;
  /** The name in the update. */
  readonly name: string;
  readonly update: Exchange;
  readonly remove: Exchange;
}

/**
 * Sends an update and a delete of a tag without a token and, if there is one, with a token that permits neither.
 *
 * @returns undefined if one of them changed or removed the tag at once.
 */
export async function sendRefusedWrites(
  target: Target,
  { tagId, name: former }: Tag,
): Promise<readonly RefusedWrites[] | undefined> {
  const narrow = await narrowToken(target);
  const credentials: readonly (readonly [what: string, overrides: RequestOverrides])[] = [
    ['without a token', { token: 'none' }],
    ...(narrow === undefined
      ? []
      : ([
          [`with a token for ${narrow.scopes}`, { token: narrow.token, keepsToken: true, open: true }],
        ] as const)),
  ];
  const sent: RefusedWrites[] = [];
  for (const [what, overrides] of credentials) {
    const name = target.name();
    const update = await target.rename(tagId, { name }, overrides);
    const remove = await target.delete(tagId, overrides);
    sent.push({ what, name, update, remove });
    // If the tag is gone, a stranger's tag may have the tag_id by now.
    if (accepted(remove)) break;
  }
  const { good, seen } = await target.untilListed(tagId, former);
  const now = seen.entries.find((entry) => entry.tagId === tagId)?.name;
  const isOfRefused = now === undefined || sent.some(({ name }) => name === now);
  return !good && isOfRefused ? undefined : sent;
}

/**
 * Which of the refused requests may have been carried out, as a sentence's end, and their answers.
 *
 * @param now the name that the tag has now; undefined if it is gone.
 */
export function carriedOut(
  sent: readonly RefusedWrites[] = [],
  now: unknown,
): { readonly why: string; readonly exchanges: readonly Exchange[] } {
  const clause = (request: string, { what }: RefusedWrites, exchange: Exchange): string =>
    `; ${request} of it ${what} ${whatCame(exchange)} before`;
  if (now === undefined)
    return {
      why: sent.map((one) => clause('a delete', one, one.remove)).join(''),
      exchanges: sent.map(({ remove }) => remove),
    };
  const updated = sent.filter(({ name }) => name === now);
  return {
    why: updated.map((one) => clause('an update', one, one.update)).join(''),
    exchanges: updated.map(({ update }) => update),
  };
}
