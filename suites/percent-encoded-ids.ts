import {
  accepted,
  broken,
  type Exchange,
  holds,
  type Outcome,
  type Requirement,
  type Target,
  undecided,
  whatCame,
} from '../lib/check.ts';

/** The tag_id as a path segment in which its last letter or, if it has none, its last digit is percent-encoded. */
function percentEncoded(tagId: string): string | undefined {
  const found = /^(.*)([a-z])([^a-z]*)$/is.exec(tagId) ?? /^(.*)(\d)(\D*)$/s.exec(tagId);
  if (found === null) return undefined;
  const [, before = '', char = '', after = ''] = found;
  const code = char.charCodeAt(0).toString(16).toUpperCase();
  return `${encodeURIComponent(before.toWellFormed())}%${code}${encodeURIComponent(after.toWellFormed())}`;
}

type Effect = Awaited<ReturnType<Target['untilListed']>>;

/** A request to one tag, and the lists that show whether it had an effect; undefined if it was refused. */
interface Asked {
  readonly sent: Exchange;
  readonly effect: Effect | undefined;
}

const asked = async (sent: Exchange, look: () => Promise<Effect>): Promise<Asked> => ({
  sent,
  effect: accepted(sent) ? await look() : undefined,
});

/** Judges a request without an effect by the same request with the plain tag_id. */
function compared(what: 'update' | 'delete', encoded: Asked, plain: Asked): Outcome {
  if (!accepted(plain.sent)) return undecided('failure', `the ${what} ${whatCame(plain.sent)}`, plain.sent);
  if (encoded.effect !== undefined && plain.effect?.good !== true)
    return undecided('failure', `no ${what} has an effect`, plain.sent);
  const end = encoded.effect === undefined ? '' : ', and had no effect';
  return broken(
    `the ${what} ${whatCame(encoded.sent)} where a character of the tag_id is percent-encoded${end}`,
    encoded.sent,
    plain.sent,
    ...(encoded.effect?.seen.exchanges ?? []),
  );
}

export const idPercentEncoded: Requirement = {
  id: 'delete/id-percent-encoded',
  effort: 'standard',
  section: '2',
  sentences: ['2/tag-id-in-paths'],
  level: 'derived',
  derivation:
    'A letter or digit of a path and its percent-encoding are equivalent (RFC 3986, 2.3), so that the tag_id in the path is the same one.',
  text: 'An update and a delete address the same tag if a letter or digit of its tag_id is percent-encoded.',
  cause: 'The path is compared before it is decoded.',
  tags: 1,
  check: async (target) => {
    const tag = await target.makeTag();
    const written = percentEncoded(tag.tagId);
    if (written === undefined) return undecided('choice', 'the tag_ids hold no letter and no digit');
    const encoded = { segment: () => written };
    const update = async (name: string, path?: typeof encoded): Promise<Asked> =>
      asked(await target.rename(tag.tagId, { name }, path), () =>
        target.untilListed(tag.tagId, name, tag.name),
      );
    const name = target.name();
    const updated = await update(name, encoded);
    if (updated.effect?.good !== true) return compared('update', updated, await update(target.name()));
    const remove = async (path?: typeof encoded): Promise<Asked> =>
      asked(await target.delete(tag.tagId, path), () => target.untilGone({ ...tag, name }));
    const removed = await remove(encoded);
    return removed.effect?.good === true ? holds() : compared('delete', removed, await remove());
  },
};
