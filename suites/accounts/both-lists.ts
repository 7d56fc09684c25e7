import {
  accepted,
  createdIn,
  type Exchange,
  ifDecided,
  listedIn,
  type Outcome,
  type Tag,
  type Target,
  Undecided,
  withCredential,
} from '../../lib/check.ts';
import { isTag, tryTag, writeNamesakes } from './namesakes.ts';
import { swappedCase } from '../neighbours.ts';
import { scopeProbes } from '../scopes/probes.ts';
import { API_AMONG_NARROWER } from '../scopes/scope-sets.ts';
import { tokensEnd } from '../scopes/survey.ts';
import { namingAccountOf } from '../tokens/bearers.ts';
import { forge, OTHER_HASH } from '../tokens/forgeries.ts';

/** A tag of the other account. */
interface Foreign extends Tag {
  /** The tag_id of the own tag of the same name, if there is one. */
  readonly own?: string;
}

/** Lists of one account, and the tags of the other account that these lists must not show. */
export interface Private {
  readonly whose: 'first' | 'second';
  readonly foreign: readonly Foreign[];
  readonly whole: readonly Exchange[];
  readonly filtered: readonly Exchange[];
}

interface ForgedList {
  readonly tag: Tag;
  /** Completes "the list was answered to …". */
  readonly what: string;
  readonly list: Exchange;
}

interface BothAccounts {
  /** The tags of different names. */
  readonly tags: { readonly ours: Tag; readonly theirs: Tag | undefined };
  readonly lists: readonly Private[];
  /** Whether the second account could make a tag of a new name. */
  readonly isSecondWorking: boolean;
  /**
   * The tag of the second account that has the same name as the first account's tag, or the refused create. Undefined
   * if the create was accepted without effect, and with the effort `quick`.
   */
  readonly sameName?: Tag | Exchange | undefined;
  /** The create and the lists if that create was accepted, but no list shows the tag. */
  readonly hidden?: readonly Exchange[] | undefined;
  /** Whether a create of another name was refused as well, just after that one: the second account may be full. */
  readonly isSecondFull?: boolean;
  /** A list of the second account with a forged token of that account, and its tag of another name. */
  readonly forged?: ForgedList | undefined;
  /** A list with a token of the first account that was changed to name the second one, and a tag of the second. */
  readonly passedOff?: ForgedList | undefined;
  /** The outcome of updates and deletes of the two tags of one name. */
  readonly written?: Outcome | undefined;
}

/** The scopes of the mutation area that permit the list on their own; none if logins end earlier tokens. */
async function scopesThatList(target: Target): Promise<readonly (readonly string[])[]> {
  if (target.settings.effort === 'quick') return [];
  const asked = await ifDecided(async () => {
    const ended = await tokensEnd(target);
    return ended ? [] : scopeProbes(target);
  });
  return (asked ?? [])
    .filter(({ scopes: [scope = ''], permits }) => scope.startsWith('mutation') && permits.list)
    .map(({ scopes }) => scopes)
    .filter(({ length }) => length === 1);
}

/** A tag of a name that a tag of the first account has, or the refused create, or the lists that do not show the tag. */
async function namesake(
  second: Target,
  name: string,
): Promise<{ readonly made?: Tag | Exchange; readonly hidden?: readonly Exchange[] }> {
  try {
    return { made: await tryTag(second, name) };
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    const exchanges = 'exchanges' in error.outcome ? error.outcome.exchanges : [];
    const [create, ...lists] = exchanges;
    const isHidden =
      create?.ask.operation === 'create' &&
      createdIn(create) !== undefined &&
      lists.length > 0 &&
      lists.every((list) => listedIn(list) !== undefined);
    return isHidden ? { hidden: exchanges } : {};
  }
}

async function forgedList(second: Target, tag: Tag): Promise<ForgedList | undefined> {
  const forged = await forge(OTHER_HASH, (await second.token()).reveal());
  if (forged === undefined) return undefined;
  const departure = withCredential(`Bearer ${forged.token}`, `Bearer $TOKEN_OF_SECOND_${OTHER_HASH.label}`);
  return {
    tag,
    what: `${forged.what}, made from a token of the second account`,
    list: await second.list(tag.name, departure),
  };
}

/**
 * Lists with a token of the first account in which the second account stands; undefined if tokens do not name accounts. Without
 * a filter, because the target may take the account from another part of the token.
 */
async function passedOffList(first: Target, tag: Tag): Promise<ForgedList | undefined> {
  const token = namingAccountOf((await first.second.token()).reveal(), (await first.token()).reveal());
  if (token === undefined) return undefined;
  const list = await first.list(undefined, withCredential(`Bearer ${token}`, 'Bearer $TOKEN_NAMING_SECOND'));
  return { tag, what: 'a token in which its holder changed the account', list };
}

/**
 * Makes a tag in the first account, and in the second account one of another name and one of the same name. Lists both
 * accounts, then updates and deletes the two tags of the same name; once in a run. The owner of a tag lists it first: a
 * faulty cache then answers the other account with the owner's list.
 */
export async function listBothAccounts(target: Target): Promise<BothAccounts> {
  const scopes = await scopesThatList(target);
  return target.shared('tags of both accounts', 3, async (first) => {
    const { second } = first;
    const ours = await first.makeTag();
    const made = await ifDecided(() => second.makeTag());
    const theirs = made === undefined ? [] : [made];
    const isSecondWorking = made !== undefined;
    if (target.settings.effort === 'quick') {
      const [ofFirst, ofSecond] = await Promise.all([first.list(), second.list()]);
      return {
        tags: { ours, theirs: made },
        lists: [
          { whose: 'second', foreign: [ours], whole: [ofSecond], filtered: [] },
          { whose: 'first', foreign: theirs, whole: [ofFirst], filtered: [] },
        ],
        isSecondWorking,
      };
    }
    const { made: sameName, hidden } = await namesake(second, ours.name);
    const isSecondFull =
      sameName !== undefined &&
      !isTag(sameName) &&
      !accepted(await second.create({ name: second.name() }, { open: true }));
    const twin = sameName !== undefined && isTag(sameName) ? [{ ...sameName, own: ours.tagId }] : [];
    const names = [ours, ...theirs].map(({ name }) => name);
    const ask = (account: Target): Promise<readonly Exchange[]> =>
      Promise.all(names.map((name) => account.list(name)));
    await first.list(ours.name);
    const [wholeOfSecond, filteredOfSecond] = await Promise.all([second.list(), ask(second)]);
    const [wholeOfFirst, filteredOfFirst] = await Promise.all([first.list(), ask(first)]);
    const asked = patternsOf(theirs[0]).map((filter) => ifDecided(() => first.list(filter)));
    const patterns = (await Promise.all(asked)).filter((list) => list !== undefined);
    const others: Exchange[] = [];
    for (const some of scopes) {
      const token = await ifDecided(() => first.token(some));
      const list = token === undefined ? undefined : await first.list(undefined, { token });
      if (list !== undefined && listedIn(list) !== undefined) others.push(list);
      const [{ name } = ours] = theirs;
      if (token !== undefined) patterns.push(await first.list(name, { token }));
    }
    // A target may leave out the account from the query for tokens with several scopes, or for tokens of the control
    // panel.
    const wide = scopes.length === 0 ? undefined : await ifDecided(() => first.token(API_AMONG_NARROWER));
    for (const token of [wide, first.settings.panelToken]) {
      if (token === undefined) continue;
      const list = await first.list(undefined, { token });
      if (listedIn(list) !== undefined) others.push(list);
      patterns.push(await first.list(theirs[0]?.name ?? ours.name, { token }));
    }
    return {
      tags: { ours, theirs: made },
      lists: [
        {
          whose: 'second',
          foreign: oursFor(ours, sameName),
          whole: [wholeOfSecond],
          filtered: filteredOfSecond,
        },
        {
          whose: 'first',
          foreign: [...theirs, ...twin],
          whole: [wholeOfFirst, ...others],
          filtered: [...filteredOfFirst, ...patterns.filter((list) => listedIn(list) !== undefined)],
        },
      ],
      isSecondWorking,
      sameName,
      hidden,
      isSecondFull,
      forged: made === undefined ? undefined : await ifDecided(() => forgedList(second, made)),
      passedOff: made === undefined ? undefined : await ifDecided(() => passedOffList(first, made)),
      written: twin[0] === undefined ? undefined : await writeNamesakes(first, ours, twin[0]),
    };
  });
}

/**
 * Filters that a target may handle in separate code: a pattern, an empty filter, an array, parts or another letter case of the
 * name of the second account's tag, and its tag_id.
 */
const patternsOf = (theirs: Tag | undefined): (string | { readonly query: string })[] => [
  '%',
  { query: 'tag=' },
  ...(theirs === undefined ? [] : [...formsOf(theirs.name), theirs.tagId]),
];

const formsOf = (name: string): (string | { readonly query: string })[] => [
  name.slice(0, name.length / 2),
  swappedCase(name),
  { query: `tag[]=${name}` },
];

/**
 * The tag of the first account that the second must not see; none if the second account may have a tag of the same
 * name.
 */
function oursFor(ours: Tag, sameName: Tag | Exchange | undefined): readonly Foreign[] {
  if (sameName === undefined) return [];
  return [isTag(sameName) ? { ...ours, own: sameName.tagId } : ours];
}
