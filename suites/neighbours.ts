import type { Tag, Target } from '../lib/engine/target.ts';
import { accepted, type Exchange } from '../lib/http/exchange.ts';
import { quote, whatCame } from '../lib/http/wording.ts';
import { broken, holds, type Outcome } from '../lib/outcome.ts';

/**
 * A tag, and tags that a careless target could take for it: made before and after it, with a name that goes on after
 * its own, and with the same name where the target allows that.
 */
export async function neighbours(
  target: Target,
): Promise<{ readonly tag: Tag; readonly others: readonly Tag[] }> {
  const older = await target.made();
  const tag = await target.made();
  const longer = await target.made(target.longer(tag.name));
  const twin = await target.create({ name: tag.name });
  if (!accepted(twin)) {
    // Where the answer was lost or makes no sense, the twin may be there all the same, and take up the room.
    return { tag, others: [older, longer, ...(target.room > 0 ? [await target.made()] : [])] };
  }
  const { entries } = await target.look(undefined, tag.name);
  const same = entries.find(({ tagId, name }) => tagId !== tag.tagId && name === tag.name);
  return {
    tag,
    others: same === undefined ? [older, longer] : [older, longer, { tagId: same.tagId, name: tag.name }],
  };
}

/** Whether tags that a request did not mean are as they were; looked at once, after it. */
export async function othersStay(
  target: Target,
  exchange: Exchange,
  others: readonly Tag[],
  what: string,
): Promise<Outcome> {
  for (const other of others) {
    // That a tag is missing is believed only after the time that effects may take: a replica may lag behind.
    const { seen } = await target.settles(
      () => target.look(other.tagId, other.name),
      ({ entries }) => entries.some(({ tagId, name }) => tagId === other.tagId && name === other.name),
      false,
    );
    const { entries, exchanges } = seen;
    const now = entries.find(({ tagId }) => tagId === other.tagId)?.name;
    if (now === other.name) continue;
    const fate = now === undefined ? 'is no longer listed' : `is now named ${quote(now)}`;
    return broken(`the ${what} ${whatCame(exchange)}, and another tag ${fate}`, exchange, ...exchanges);
  }
  return holds();
}
