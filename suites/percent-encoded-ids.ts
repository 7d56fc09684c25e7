import { accepted, broken, holds, type Requirement, undecided, whatCame } from '../lib/check.ts';

/** The tag_id as a path segment in which its last letter or, if it has none, its last digit is percent-encoded. */
function percentEncoded(tagId: string): string | undefined {
  const found = /^(.*)([a-z])([^a-z]*)$/is.exec(tagId) ?? /^(.*)(\d)(\D*)$/s.exec(tagId);
  if (found === null) return undefined;
  const [, before = '', char = '', after = ''] = found;
  const code = char.charCodeAt(0).toString(16).toUpperCase();
  return `${encodeURIComponent(before.toWellFormed())}%${code}${encodeURIComponent(after.toWellFormed())}`;
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
    const name = target.name();
    const update = await target.rename(tag.tagId, { name }, encoded);
    const renamed = accepted(update) ? await target.untilListed(tag.tagId, name, tag.name) : undefined;
    if (renamed?.good !== true) {
      const plainName = target.name();
      const twin = await target.rename(tag.tagId, { name: plainName });
      if (accepted(twin) && accepted(update) && !(await target.untilListed(tag.tagId, plainName)).good)
        return undecided('failure', 'no update has an effect', twin);
      return accepted(twin)
        ? broken(
            `the update ${whatCame(update)} where a character of the tag_id is percent-encoded${accepted(update) ? ', and had no effect' : ''}`,
            update,
            twin,
            ...(renamed?.seen.exchanges ?? []),
          )
        : undecided('failure', `the update ${whatCame(twin)}`, twin);
    }
    const remove = await target.delete(tag.tagId, encoded);
    const gone = accepted(remove) ? await target.untilGone({ ...tag, name }) : undefined;
    if (gone?.good === true) return holds();
    const twin = await target.delete(tag.tagId);
    if (accepted(twin) && accepted(remove) && !(await target.untilGone({ ...tag, name })).good)
      return undecided('failure', 'no delete has an effect', twin);
    return accepted(twin)
      ? broken(
          `the delete ${whatCame(remove)} where a character of the tag_id is percent-encoded${accepted(remove) ? ', and had no effect' : ''}`,
          remove,
          twin,
          ...(gone?.seen.exchanges ?? []),
        )
      : undecided('failure', `the delete ${whatCame(twin)}`, twin);
  },
};
