import type { Lookup } from '../account/lookup.ts';
import { bearsLettersOf } from '../account/name-forms.ts';
import { updateAfter } from '../account/tag-record.ts';
import { isLost } from '../http/retryable.ts';
import { accepted, slim, type Exchange } from '../http/exchange.ts';
import { quote, whatCame } from '../http/wording.ts';
import { Undecided } from '../outcome.ts';
import { createdIn, listedIn } from '../spec/reading.ts';
import type { Work } from './work.ts';

/** A tag of a check, as the list first showed it. */
export interface Tag {
  readonly tagId: string;
  readonly name: string;
}

/** A tag of a check, with the lists that showed it. */
export interface ListedTag {
  readonly tag: Tag;
  readonly exchanges: readonly Exchange[];
}

/**
 * Waits until a new tag is listed.
 *
 * @param create its create.
 * @param whole an unfiltered list, requested after the create, to look at first.
 * @throws Undecided if no list shows the tag: setting up is not judging.
 */
export async function makeListed(
  work: Work,
  name: string,
  create: Exchange,
  whole?: Promise<Exchange>,
): Promise<ListedTag> {
  const refused = (...lists: readonly Exchange[]): Undecided =>
    new Undecided(
      'failure',
      `no tag could be made to ask with: create ${whatCame(create)}`,
      create,
      ...lists,
    );
  if (!mayHaveMade(create)) throw refused();
  const { account, session } = work;
  // A target may show a stranger's tag with the name in the filter.
  const ownIn = ({ entries }: Lookup) =>
    entries.find((entry) => entry.name === name && !account.ownership.strangers.has(entry.tagId));
  let first = whole;
  const look = async (): Promise<Lookup> => {
    const list = await first;
    first = undefined;
    const entries = list === undefined ? [] : (listedIn(list) ?? []).filter((entry) => entry.name === name);
    const seen =
      list === undefined || entries.length === 0
        ? await account.lookUp(undefined, name)
        : { entries, exchanges: [slim(list)] };
    const record = account.tags.named(name);
    // A list that lags may have shown the tag_id with the name of a former tag.
    if (seen.entries.length > 0 && ownIn(seen) === undefined && record !== undefined)
      await account.claim(record);
    return seen;
  };
  const { seen } =
    account.losesCreates || !accepted(create)
      ? { seen: await look() }
      : await session.settling.until(look, (lookup) => ownIn(lookup) !== undefined, {
          isBrief: work.options.isBrief,
        });
  const entry = ownIn(seen);
  if (entry !== undefined) return { tag: { tagId: entry.tagId, name }, exchanges: seen.exchanges };
  if (!accepted(create)) throw refused(...seen.exchanges);
  // If the check has ended meanwhile, its tags are being removed, so the tag is not lost.
  const { state, mayBeGone } = account.tags.named(name) ?? {};
  if (state !== 'deleting' && state !== 'removed' && mayBeGone !== true) tellLost(work, name, create, seen);
  const why = 'no tag could be made to ask with: create was accepted, but no list shows the tag';
  throw new Undecided('failure', why, create, ...seen.exchanges);
}

/** Records the sign of a create that was acknowledged, but whose tag no list shows. */
function tellLost({ account, session }: Work, name: string, create: Exchange, seen: Lookup): void {
  const { exchanges: lists } = seen;
  const given = createdIn(create)?.tagId;
  const lost = (but: string): void => {
    session.signs.record('create-lost', `create was acknowledged, but ${but}`, create, ...lists);
  };
  if (seen.entries.some((entry) => entry.name === name))
    return lost('lists show its name with the tag_id of another tag only');
  const shown = lists.flatMap((list) => listedIn(list) ?? []).find(({ tagId }) => tagId === given);
  if (shown === undefined) {
    const isOfOther = session.accounts.some(
      (other) => other !== account && other.tags.named(name)?.tagId === given && given !== undefined,
    );
    return lost(
      `no list shows the tag${isOfOther ? ': its tag_id is that of a tag with this name in the other account' : ''}`,
    );
  }
  const but = `lists show its tag_id with the name ${quote(shown.name)}`;
  const update = updateAfter(create, account.tags.records, shown.name);
  if (update === undefined) return lost(but);
  session.signs.record(
    'copied-by-update',
    `a create and then an update of another tag were acknowledged, but ${but}, which is that of the update`,
    create,
    update,
    ...lists,
  );
}

/** Whether a create may have made its tag. To ask with a tag, it is enough that lists show it. */
export const mayHaveMade = (create: Exchange): boolean => accepted(create) || isLost(create);

/**
 * Looks whether lists still show a tag.
 *
 * @param names all names that the tag has had.
 * @param list requests the lists that would show the tag.
 * @throws Undecided if one of them cannot be read.
 */
export async function lookWhetherGone(
  tag: Tag,
  names: ReadonlySet<string>,
  list: () => Promise<readonly Exchange[]>,
): Promise<Lookup> {
  // A younger tag, of the run or of a stranger, may have been given the tag_id.
  const isYounger = (name: unknown): boolean =>
    typeof name === 'string' && !names.has(name) && !bearsLettersOf(name, { names });
  const exchanges = await list();
  const lists = exchanges.map(listedIn);
  if (lists.includes(undefined))
    throw new Undecided('failure', 'the list cannot be read, so it does not tell what is gone', ...exchanges);
  const entries = lists
    .flatMap((listed) => listed ?? [])
    .filter(({ tagId, name }) => tagId === tag.tagId && !isYounger(name));
  return { entries, exchanges };
}
