import type { TagRecord } from '../account/tag-record.ts';
import type { Tag } from './listed.ts';
import type { Work } from './work.ts';

interface KnownTag extends Tag {
  readonly isAlive: boolean;
}

const knownIn = (records: readonly TagRecord[]): KnownTag[] =>
  records.flatMap((record) => {
    const { isSeen, isOfUpdate, tagId, name } = record;
    return isSeen && !isOfUpdate && tagId !== undefined ? { tagId, name, isAlive: isAlive(record) } : [];
  });

/** Whether a tag exists, as far as the run knows. A refused delete may have removed it, unless a later list shows it. */
const isAlive = ({ state, mayBeGone, isLikelyGone, shownAt, writtenAt }: TagRecord): boolean =>
  state === 'alive' && (!mayBeGone || (!isLikelyGone && shownAt > writtenAt));

/** How to look up what the run knows by now. No fact takes a request, and each can be written as JSON. */
const FACTS = {
  /** All tags that creates of the run made and lists have shown, also those that are gone by now. */
  tags: ({ ownAccount }: Work): KnownTag[] => knownIn(ownAccount.tags.records),

  /** A tag of this account that stays unchanged until the end of the run; null if there is none yet. */
  keeper: ({ session, ownAccount }: Work): Tag | null => {
    const { keeper } = session;
    if (keeper === undefined || ownAccount !== session.first) return null;
    const record = ownAccount.tags.living(keeper.tagId);
    // At the end of the run it is updated.
    const isThere = record?.isSeen === true && !record.mayBeGone && record.names.size === 1;
    return isThere ? keeper : null;
  },

  /** Whether unfiltered lists show all tags, and few of strangers. */
  hasShortLists: ({ session }: Work) => session.hasShortLists,

  /** Whether unfiltered lists are known to be pages. */
  arePages: ({ session }: Work) => session.pageSize !== undefined,

  /** The length of the longest unfiltered list that is known to show all tags of its account; 0 if none is known. */
  wholeLength: ({ session }: Work) => session.settling.wholeLength,

  /** Whether the effect of a write was missing in a list and showed in a later one. */
  effectsShowLate: ({ session }: Work) => session.signs.of('late-effect').length > 0,

  /** The number of tags in the longest unfiltered list. */
  longestList: ({ ownAccount }: Work) => ownAccount.longestList,

  /** Whether lists have shown that deletes have a lasting effect. */
  deletesWork: ({ session }: Work) => session.deletesWork,

  /** How many more tags of the run may exist now. */
  tagsLeft: ({ session }: Work) => session.tagsLeft,

  /** How many more tags the check may make now. */
  room: ({ room }: Work) => room,

  /** Whether there are enough logins for another one beside the wrong logins, which come last. */
  sparesLogins: ({ session }: Work) => session.client.budget.loginsLeft > session.loginsKept,

  /** The number of logins to this account that were sent so far, also of those with wrong credentials. */
  logins: ({ ownAccount }: Work) => ownAccount.logins.begun,

  /** Whether a token of this account has worked for longer than the settle time after another login. */
  tokensOutliveLogins: ({ session, ownAccount }: Work) =>
    ownAccount.logins.tokens.outlivedMs >= session.settling.mostMs,

  /** Whether tokens of this account end during the run, for any reason. */
  tokensEnd: ({ ownAccount }: Work) => ownAccount.logins.tokens.endSoon,

  /** Whether logins end tokens of this account, at once or a little later. */
  haveLoginsEndedTokens: ({ ownAccount }: Work) => ownAccount.logins.tokens.endsEarlier,

  /** How many more requests may be sent in this phase. */
  requestsLeft: ({ session }: Work) => session.client.budget.requestsLeft,

  /** Whether the target has given the tag_id of a deleted tag to another tag in this run. */
  givesIdsAgain: ({ session }: Work) => session.accounts.some(({ tags }) => tags.deleted.givesIdsAgain),

  /** Whether it has done so although a higher tag_id was in use. */
  fillsGaps: ({ session }: Work) => session.accounts.some(({ tags }) => tags.deleted.fillsGaps),
};

/** What the run knows by now. */
export type Facts = { readonly [Fact in keyof typeof FACTS]: ReturnType<(typeof FACTS)[Fact]> };

/**
 * The facts for a check. Each is looked up when it is read.
 *
 * @param known returns what `look` returns, or takes the fact from a recorded run.
 */
export function factsOf(work: Work, known: <T>(fact: string, look: () => T) => T): Facts {
  const facts = {};
  for (const [fact, lookUp] of Object.entries(FACTS))
    Object.defineProperty(facts, fact, { get: () => known(fact, () => lookUp(work)) });
  return facts as Facts;
}
