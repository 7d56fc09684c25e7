import {
  accepted,
  broken,
  type Exchange,
  type Lookup,
  type Outcome,
  quote,
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
  /** Whether no credential was sent. */
  readonly isAnonymous: boolean;
  /** The name in the update. */
  readonly name: string;
  readonly update: Exchange;
  readonly remove: Exchange;
}

interface SentWrites {
  readonly sent: readonly RefusedWrites[];
  /** The lookup that shows that one of them changed or removed the tag at once. */
  readonly effect?: Lookup;
}

/** Sends an update and a delete of a tag without a token and, if there is one, with a token that permits neither. */
export async function sendRefusedWrites(target: Target, { tagId, name: former }: Tag): Promise<SentWrites> {
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
    sent.push({ what, isAnonymous: overrides.token === 'none', name, update, remove });
    // If the tag is gone, a stranger's tag may have the tag_id by now.
    if (accepted(remove)) break;
  }
  const { good, seen } = await target.untilListed(tagId, former);
  const now = seen.entries.find((entry) => entry.tagId === tagId)?.name;
  const isOfRefused = now === undefined || sent.some(({ name }) => name === now);
  return !good && isOfRefused ? { sent, effect: seen } : { sent };
}

/**
 * The finding that a write without a token was confirmed and carried out at once. Undefined if the write that had the effect was
 * refused, or was sent with a token: other checks tell of these.
 */
export function anonymousEffect({ tagId }: Tag, { sent, effect }: SentWrites): Outcome | undefined {
  if (effect === undefined) return undefined;
  const now = effect.entries.find((entry) => entry.tagId === tagId)?.name;
  for (const { isAnonymous, name, update, remove } of sent) {
    if (isAnonymous && now === name && accepted(update))
      return broken(
        `an update without a token ${whatCame(update)}, and the tag is now named ${quote(now)}`,
        update,
        ...effect.exchanges,
      );
    if (isAnonymous && now === undefined && accepted(remove))
      return broken(
        `a delete without a token ${whatCame(remove)}, and the tag is gone`,
        remove,
        ...effect.exchanges,
      );
  }
  return undefined;
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
