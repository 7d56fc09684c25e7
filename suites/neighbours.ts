import {
  accepted,
  broken,
  type Exchange,
  holds,
  type Outcome,
  quote,
  type Tag,
  type Target,
  whatCame,
} from '../lib/check.ts';

/**
 * A tag, and tags that a careless target could take for it: made before and after it, with a name that goes on after
 * its own, and with the same name where the target allows that.
 */
export async function neighbours(
  target: Target,
): Promise<{ readonly tag: Tag; readonly others: readonly Tag[] }> {
  const older = await target.makeTag();
  const tag = await target.makeTag();
  const longer = await target.makeTag(target.names.extended(tag.name));
  const twin = await target.create({ name: tag.name });
  if (!accepted(twin)) {
    // Where the answer was lost or makes no sense, the twin may be there all the same, and take up the room.
    return { tag, others: [older, longer, ...(target.room > 0 ? [await target.makeTag()] : [])] };
  }
  const { entries } = await target.lookUp(undefined, tag.name);
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
    const { seen } = await target.until(
      () => target.lookUp(other.tagId, other.name),
      ({ entries }) => entries.some(({ tagId, name }) => tagId === other.tagId && name === other.name),
      { late: 'ignored' },
    );
    const { entries, exchanges } = seen;
    const now = entries.find(({ tagId }) => tagId === other.tagId)?.name;
    if (now === other.name) continue;
    const fate = now === undefined ? 'is no longer listed' : `is now named ${quote(now)}`;
    return broken(`the ${what} ${whatCame(exchange)}, and another tag ${fate}`, exchange, ...exchanges);
  }
  return holds();
}
