import type { Masker } from '../judging/masker.ts';
import { ifDecided, Undecided } from '../outcome.ts';
import type { Secret } from '../secret.ts';
import { listedIn, type Listed } from '../spec/reading.ts';
import { filterQuery } from '../spec/requests.ts';
import type { Account } from '../account/account.ts';
import type { Leftover } from './leftovers.ts';
import { isOfLetters, randomLettersIn, type Names } from '../account/names.ts';
import { bearsLettersOf } from '../account/name-forms.ts';
import type { Settling } from '../account/settling.ts';
import type { TagRecord } from '../account/tag-record.ts';
import type { Session } from '../run/session.ts';

/** The fate of a leftover: removed now, no longer listed, or left, with the reason. */
export type Swept =
  | { readonly leftover: Leftover; readonly fate: 'removed' | 'gone' }
  | { readonly leftover: Leftover; readonly fate: 'left'; readonly why: string };

/** A leftover as in the ledger, the same with its secrets restored, and its record. */
interface Sought {
  readonly leftover: Leftover;
  readonly real: Leftover;
  readonly record: TagRecord;
}

/**
 * Removes the tags that a run left behind. A tag is removed only if lists show it with the tag_id and one of the names in
 * the ledger. If the run did not learn the tag_id, a name that only runs of this suite use is enough.
 *
 * @param secrets those whose labels the ledger may hold.
 */
export async function sweep(
  account: Account,
  leftovers: readonly Leftover[],
  { names, settling, masker }: Pick<Session, 'names' | 'settling' | 'masker'>,
  secrets: readonly Secret[],
): Promise<Swept[]> {
  const listed = leftovers.some(isMasked) ? await tagsOf(account) : [];
  const sought = leftovers.map((leftover): Sought => {
    const real = isMasked(leftover) ? unmasked(leftover, listed, masker, secrets) : leftover;
    return { leftover, real, record: recall(account, names, real) };
  });
  const swept = await Promise.all(sought.map((one) => sweepOne(account, one, settling)));
  // A target may refuse deletes that overlap, so the rest is removed one by one.
  for (const [at, one] of sought.entries())
    if (swept[at]?.fate === 'left') swept[at] = await sweepOne(account, one, settling);
  return swept;
}

/** Whether a ledger's entry seems to hold the label of a secret, such as `$PASSWORD`. */
const isMasked = ({ tagId = '', names }: Leftover): boolean =>
  [tagId, ...names].some((text) => /\$[A-Z]/.test(text));

/** All listed tags. */
async function tagsOf(account: Account): Promise<readonly Listed[]> {
  const list = await ifDecided(() => account.listUnlearned());
  return (list === undefined ? undefined : listedIn(list)) ?? [];
}

/** A ledger holds labels in place of secrets. The real tag is the listed one that looks the same when it is masked. */
function unmasked(
  { account, tagId, names, strange }: Leftover,
  listed: readonly Listed[],
  masker: Masker,
  secrets: readonly Secret[],
): Leftover {
  const tag = listed.find(
    (one) =>
      names.has(masker.text(String(one.name))) && (tagId === undefined || masker.text(one.tagId) === tagId),
  );
  // If the list is a page, the labels are replaced by the secrets as they are.
  const revealed = (text: string): string =>
    secrets.reduce((all, secret) => all.replaceAll(secret.label, () => secret.reveal()), text);
  return {
    account,
    tagId: tagId === undefined ? undefined : (tag?.tagId ?? revealed(tagId)),
    ...(strange === undefined ? {} : { strange }),
    names: new Set([...[...names].map(revealed), ...(tag === undefined ? [] : [String(tag.name)])]),
  };
}

/** Treats a tag of the earlier run as a tag of this run, as far as the ledger proves that it is. */
function recall({ tags }: Account, given: Names, { tagId, names }: Leftover): TagRecord {
  const record = tags.intend(...names);
  if (tagId !== undefined) tags.made(record, tagId);
  else
    for (const name of names) {
      const letters = randomLettersIn(name) ?? (isOfLetters(name) ? name : undefined);
      if (letters === undefined) continue;
      given.recall(name);
      // The target may keep the name in another form.
      given.recall(letters.toLowerCase());
    }
  return record;
}

async function sweepOne(
  account: Account,
  { leftover, real, record }: Sought,
  settling: Settling,
): Promise<Swept> {
  try {
    await account.remove(record);
    if (!record.isSeen) return await unseen(account, leftover, real);
    const { good } = await settling.until(
      async () => ({ there: await find(account, real, record.names), exchanges: [] }),
      (look) => look.there.length === 0,
    );
    if (good) return { leftover, fate: 'removed' };
    return { leftover, fate: 'left', why: 'it was deleted, but is still listed' };
  } catch (error) {
    if (error instanceof Undecided) return { leftover, fate: 'left', why: error.message };
    throw error;
  }
}

/** A tag that no list shows is gone. A tag with a common name may be a stranger's, and is left alone. */
async function unseen(
  account: Account,
  leftover: Leftover,
  { tagId, names, strange }: Leftover,
): Promise<Swept> {
  if (tagId !== undefined) return { leftover, fate: 'gone' };
  const mayBeIt = (one: Listed): boolean => strange?.has(one.tagId) !== true;
  const entries = (await account.lookUp(undefined, ...names)).entries.filter(mayBeIt);
  // The target may keep the name in a form that the filter finds, but that is not recognised as the run's.
  const lists = await Promise.all([...names].map((name) => account.list(filterQuery(name))));
  const isAlike = ({ name }: Listed): boolean => typeof name === 'string' && bearsLettersOf(name, { names });
  const isLike = lists.some((list) => listedIn(list)?.some((one) => isAlike(one) && mayBeIt(one)) === true);
  if (entries.length === 0 && !isLike) return { leftover, fate: 'gone' };
  const why = `a tag of ${entries.length > 0 ? 'this' : 'a similar'} name is listed, which may be another user’s: the ledger does not hold its tag_id`;
  return { leftover, fate: 'left', why };
}

/**
 * The listed tags of a leftover. Without a known tag_id there may be several with the name.
 *
 * @param names the names in the ledger, and those that lists have shown since.
 */
async function find(
  account: Account,
  { tagId }: Leftover,
  names: ReadonlySet<string>,
): Promise<readonly Listed[]> {
  const { entries } = await account.lookUp(tagId, ...names);
  return entries.filter(
    ({ tagId: id, name }) =>
      typeof name === 'string' && names.has(name) && (tagId === undefined || id === tagId),
  );
}
