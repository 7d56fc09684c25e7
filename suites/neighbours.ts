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
 * Makes a tag, and other tags that a careless target could take for it: one made before it, one made after it whose name
 * begins with its name, and one of the same name if the target allows that.
 */
export async function neighbours(
  target: Target,
): Promise<{ readonly tag: Tag; readonly others: readonly Tag[] }> {
  const older = await target.makeTag();
  const tag = await target.makeTag();
  const longer = await target.makeTag(target.names.extended(tag.name));
  const twin = await target.create({ name: tag.name });
  if (!accepted(twin)) {
    // If the answer was lost or makes no sense, the twin may exist all the same and take up the room for another.
    return { tag, others: [older, longer, ...(target.facts.room > 0 ? [await target.makeTag()] : [])] };
  }
  const { entries } = await target.lookUp(undefined, tag.name);
  const same = entries.find(({ tagId, name }) => tagId !== tag.tagId && name === tag.name);
  return {
    tag,
    others: same === undefined ? [older, longer] : [older, longer, { tagId: same.tagId, name: tag.name }],
  };
}

/** Looks whether a tag is listed with its name. A replica may lag, so that it counts as missing only after the settle time. */
export const stillListed = (target: Target, { tagId, name }: Tag) =>
  target.until(
    () => target.lookUp(tagId, name),
    ({ entries }) => entries.some((entry) => entry.tagId === tagId && entry.name === name),
    { late: 'ignored' },
  );

/**
 * Checks that a request left other tags unchanged.
 *
 * @param whose what they are called in a finding.
 */
export async function othersStay(
  target: Target,
  exchange: Exchange,
  others: readonly Tag[],
  what: string,
  whose = 'another tag',
): Promise<Outcome> {
  for (const other of others) {
    const { seen } = await stillListed(target, other);
    const { entries, exchanges } = seen;
    const now = entries.find(({ tagId }) => tagId === other.tagId)?.name;
    if (now === other.name) continue;
    const fate = now === undefined ? 'is no longer listed' : `is now named ${quote(now)}`;
    return broken(`the ${what} ${whatCame(exchange)}, and ${whose} ${fate}`, exchange, ...exchanges);
  }
  return holds();
}
