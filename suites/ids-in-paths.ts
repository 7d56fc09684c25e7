import {
  accepted,
  answers,
  broken,
  type Exchange,
  holds,
  holdsWithWarning,
  type Outcome,
  type Requirement,
  spec,
  type Tag,
  type Target,
  undecided,
  whatCame,
} from '../lib/check.ts';
import { othersStay, swappedCase } from './neighbours.ts';
import { areSparse, withLetters } from './unknown-ids.ts';

/** A text that is made from a tag and is not its tag_id, but that a careless target may read as it. */
interface Lookalike {
  /** Completes "the update of …". */
  readonly what: string;
  /** Makes the text, or returns undefined if tag_ids of that form cannot be changed in this way. */
  readonly from: (tag: Tag) => string | undefined;
  readonly effort?: 'thorough';
  /**
   * Efforts below `thorough` send it with this operation only, because both operations most likely read tag_ids in the
   * same way.
   */
  readonly isOf?: 'update' | 'delete';
}

type From = Lookalike['from'];

/** Larger ids may be random. Then adding a number to one may give the tag_id of a stranger's tag. */
const MOST = 2n ** 63n;

/** Ids that count up from 1 are smaller than this. */
const SMALL = 2n ** 24n;

const ifInteger =
  (change: (id: bigint) => string, most = MOST): From =>
  ({ tagId }) =>
    /^[1-9]\d*$/.test(tagId) && BigInt(tagId) < most ? change(BigInt(tagId)) : undefined;

const ifSparse =
  (change: (id: string) => string): From =>
  ({ tagId }) =>
    areSparse([tagId]) ? change(tagId) : undefined;

/** The tag_id with another digit, or another letter, in its first place. */
const withOtherStart = (id: string): string => {
  const [first, chars] = [id.slice(0, 1), /^\d/.test(id) ? '0123456789' : 'abcdef'];
  const other = chars[(chars.indexOf(first.toLowerCase()) + 1) % chars.length] ?? '';
  return `${first === first.toUpperCase() ? other.toUpperCase() : other}${id.slice(1)}`;
};

/** The tag_id followed by U+0000 and a letter. Languages in which U+0000 ends a text read it as the tag_id. */
export const withNul = (tagId: string): string => `${tagId}\0x`;

export const FOLLOWED_BY_NUL = 'the tag_id followed by U+0000';

/**
 * None of these can be the tag_id of a stranger's tag: they are longer than any tag_id, or contain characters that no
 * tag_id contains. If a target builds a query from one, the query finds the run's tag and no other.
 */
const LOOKALIKES: readonly Lookalike[] = [
  { what: 'the tag_id followed by letters', from: ({ tagId }) => withLetters(tagId) },
  { what: 'the tag_id followed by .0', from: ({ tagId }) => `${tagId}.0` },
  {
    what: 'the tag_id followed by a condition of a query',
    from: ({ tagId }) => `${tagId} AND 1=1`,
  },
  // These characters are sent percent-encoded, so they are part of the tag_id and do not end the path.
  { what: 'the tag_id followed by a colon', from: ({ tagId }) => `${tagId}:x`, effort: 'thorough' },
  { what: 'the tag_id followed by a number sign', from: ({ tagId }) => `${tagId}#x`, isOf: 'update' },
  // An update may make a tag with an unknown tag_id, and one with a slash in it may be hard to remove.
  { what: 'the tag_id followed by a slash', from: ({ tagId }) => `${tagId}/x`, isOf: 'delete' },
  { what: 'the tag_id followed by a question mark', from: ({ tagId }) => `${tagId}?x`, isOf: 'delete' },
  { what: 'the name', from: ({ name }) => name },
  { what: 'the name in the other letter case', from: ({ name }) => swappedCase(name), isOf: 'update' },
  // Lists, ranges and numbers that are made of the tag_id alone, so that no reading gives the tag_id of another tag.
  // Plus signs, leading zeros, blanks, hexadecimal notation and digits of other scripts are left out, because a number
  // parser may lawfully accept them.
  { what: 'the tag_id twice, with a comma', from: ({ tagId }) => `${tagId},${tagId}`, isOf: 'delete' },
  { what: 'the tag_id as a range', from: ({ tagId }) => `${tagId}-${tagId}`, effort: 'thorough' },
  { what: 'the tag_id in quotes', from: ({ tagId }) => `"${tagId}"`, isOf: 'delete' },
  { what: 'the negative of the tag_id', from: ifInteger((id) => `-${id}`), isOf: 'delete' },
  { what: 'the tag_id and 2^64', from: ifInteger((id) => String(id + 2n ** 64n)), isOf: 'delete' },
  { what: 'the tag_id and 2^32', from: ifInteger((id) => String(id + 2n ** 32n), SMALL), effort: 'thorough' },
  { what: 'the tag_id as a fraction', from: ifInteger((id) => `${id}.5`), effort: 'thorough' },
  { what: 'the tag_id followed by an ampersand', from: ({ tagId }) => `${tagId}&x`, effort: 'thorough' },
  { what: 'the tag_id followed by a semicolon', from: ({ tagId }) => `${tagId};x`, isOf: 'update' },
  // Some patterns look at the first line only.
  { what: 'the tag_id followed by a line feed', from: ({ tagId }) => `${tagId}\nx`, isOf: 'update' },
  {
    what: 'the tag_id followed by a carriage return',
    from: ({ tagId }) => `${tagId}\rx`,
    effort: 'thorough',
  },
  { what: 'the tag_id followed by a tab', from: ({ tagId }) => `${tagId}\tx`, effort: 'thorough' },
  { what: 'the tag_id followed by a backslash', from: ({ tagId }) => `${tagId}\\x`, effort: 'thorough' },
  // Wildcards only where tag_ids are sparse: the pattern then matches the run's tag alone.
  { what: 'the tag_id and a wildcard', from: ifSparse((id) => `${id}%`), isOf: 'delete' },
  // If tag_ids are sparse, no other one has the same end or the same beginning.
  { what: 'the tag_id with another start', from: ifSparse(withOtherStart), isOf: 'delete' },
  { what: 'the tag_id without its end', from: ifSparse((id) => id.slice(0, -1)) },
  {
    what: 'the tag_id with a wildcard in it',
    from: ifSparse((id) => `${id.slice(0, -1)}_`),
    effort: 'thorough',
  },
  {
    what: 'the tag_id followed by a quoted condition of a query',
    from: ({ tagId }) => `${tagId}' AND '1'='1`,
    effort: 'thorough',
  },
  { what: 'the tag_id followed by e0', from: ({ tagId }) => `${tagId}.0e0`, effort: 'thorough' },
  { what: 'the tag_id followed by a comment', from: ({ tagId }) => `${tagId} -- x`, effort: 'thorough' },
  // A text must not be decoded twice (RFC 3986, 2.4). Read up to the percent sign, the tag_id is one without its end, which
  // may be another tag's unless tag_ids are sparse.
  {
    what: 'the tag_id with a character percent-encoded twice',
    from: ({ tagId }) => (areSparse([tagId]) ? percentEncoded(tagId) : undefined),
    isOf: 'delete',
  },
  // Efforts below `thorough` send it at the end of the run (`create/lasts`), because it breaks some servers.
  { what: FOLLOWED_BY_NUL, from: ({ tagId }) => withNul(tagId), effort: 'thorough' },
];

/**
 * The lookalikes of a tag, without those that may be a tag_id: a target may derive it from the name, or use dots in it. Those
 * with a dot after the tag_id come last, because they end the check where a dot begins an extension.
 */
function lookalikesOf(target: Target, tag: Tag, operation: 'update' | 'delete') {
  const isThorough = target.settings.effort === 'thorough';
  const own = LOOKALIKES.filter(
    ({ effort, isOf }) => isThorough || (effort === undefined && (isOf === undefined || isOf === operation)),
  );
  const isName = (text: string): boolean => text === tag.name || text === swappedCase(tag.name);
  const lookalikes = own.flatMap(({ what, from }) => {
    const text = from(tag);
    return text === undefined ||
      (isName(text) && tag.tagId.toLowerCase().includes(text.toLowerCase())) ||
      (tag.tagId.includes('.') && text.startsWith(`${tag.tagId}.`))
      ? []
      : { what, text };
  });
  return lookalikes.toSorted(
    (one, next) => Number(isDotted(tag, one.text)) - Number(isDotted(tag, next.text)),
  );
}

const isDotted = ({ tagId }: Tag, text: string): boolean => text.startsWith(`${tagId}.`);

/**
 * Whether the target takes what follows a dot in the last segment for an extension, which names the form of the answer, as
 * routers of some frameworks do for all operations: then the dot and the rest are not read as a part of the tag_id.
 */
async function takesExtensions(target: Target, { tagId }: Tag): Promise<boolean> {
  const path = `${tagId}.json`;
  const update = await target.rename(path, { name: target.name() }, { open: true });
  return accepted(update) && accepted(await target.delete(path, { open: true }));
}

/** Matches what may be a tag_id in every respect. */
const PLAIN_ID = /^[a-z\d-]+$/i;

const WHOLE = {
  effort: 'standard',
  level: 'derived',
  tags: 2,
} as const;

/** Sends one request for each lookalike, and checks that the tag and another one stay unchanged. */
async function noneAddresses(
  target: Target,
  operation: 'update' | 'delete',
  ask: (tagId: string) => ReturnType<Target['delete']>,
): Promise<Outcome> {
  const [tag, other] = await target.makeTags('at once', target.name(), target.name());
  let outcome: Outcome = holds();
  const lookalikes = lookalikesOf(target, tag, operation);
  for (const [at, { what, text }] of lookalikes.entries()) {
    const exchange = await ask(text);
    if (operation === 'delete' && PLAIN_ID.test(text) && answers.isServerError(exchange)) {
      const again = await ask(text);
      if (answers.isServerError(again))
        return broken(
          `the delete of ${what} ${whatCame(again)}, not 404, though no tag has that tag_id`,
          exchange,
          again,
        );
    }
    // Most targets refuse all of them, so one look after the last refusal is enough.
    if (!accepted(exchange) && at < lookalikes.length - 1) continue;
    outcome = await othersStay(target, exchange, [tag, other], `${operation} of ${what}`);
    if (outcome.kind === 'broken' && isDotted(tag, text) && (await takesExtensions(target, other)))
      return holdsWithWarning(`${outcome.why}: a dot and what follows is left out`, ...outcome.exchanges);
    if (outcome.kind !== 'holds') break;
  }
  return outcome;
}

export const updateOfWholeId: Requirement = {
  id: 'update/id-as-a-whole',
  ...WHOLE,
  section: '4.3',
  sentences: ['2/tag-id-in-paths', '4.3/path-tag-id'],
  derivation:
    'The path holds the identifier of the tag (4.3): with text around it, it is another identifier, and so is a name.',
  text: 'An update changes no tag if its path holds a name, or a tag_id that is doubled, or followed by letters, .0, a sign or a condition.',
  cause:
    'The identifier is parsed as a number, or compared as one by the database, put into a query as text, or looked up among the names.',
  check: (target) =>
    noneAddresses(target, 'update', (tagId) => target.rename(tagId, { name: target.name() }, { open: true })),
};

export const deleteOfWholeId: Requirement = {
  id: 'delete/id-as-a-whole',
  ...WHOLE,
  section: '4.5',
  sentences: ['2/tag-id-in-paths', '4.5/path-tag-id', '4.5/status-404'],
  derivation:
    'The path holds the identifier of the tag (4.5): with text around it, it is another identifier, and so is a name. The delete of a tag that does not exist is answered 404 (4.5).',
  text: 'A delete removes no tag if its path holds a name, or a tag_id that is doubled, quoted, part of another number, or followed by letters, .0, a sign or a condition. If it holds nothing but letters, digits and hyphens, its answer is no server error.',
  cause:
    'The identifier is parsed as a number, or compared as one by the database, put into a query as text, or looked up among the names; or the database cannot convert it to its own type.',
  check: (target) => noneAddresses(target, 'delete', (tagId) => target.delete(tagId, { open: true })),
};

/** The tag_id as a path segment in which its last letter or, if it has none, its last digit is percent-encoded. */
function percentEncoded(tagId: string): string | undefined {
  const found = /^(.*)([a-z])([^a-z]*)$/is.exec(tagId) ?? /^(.*)(\d)(\D*)$/s.exec(tagId);
  if (found === null) return undefined;
  const [, before = '', char = '', after = ''] = found;
  const code = char.charCodeAt(0).toString(16).toUpperCase();
  return `${spec.encodedId(before)}%${code}${spec.encodedId(after)}`;
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
