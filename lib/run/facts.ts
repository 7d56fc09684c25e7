import type { TagRecord } from '../account/tag-record.ts';
import type { Tag } from './listed.ts';
import type { Work } from './work.ts';

/** Looks up a fact, or takes it from a recorded run. */
type Known = <T>(what: string, look: () => T) => T;

interface KnownTag extends Tag {
  readonly isAlive: boolean;
}

const knownIn = (records: readonly TagRecord[]): KnownTag[] =>
  records.flatMap(({ isSeen, isOfUpdate, tagId, names, state, mayBeGone }) =>
    isSeen && !isOfUpdate && tagId !== undefined
      ? { tagId, name: [...names].at(-1) ?? '', isAlive: state === 'alive' && !mayBeGone }
      : [],
  );

/** What the run knows by now. A check gets it without a request. */
export class Facts {
  readonly #work: Work;
  readonly #known: Known;

  constructor(work: Work, known: Known) {
    this.#work = work;
    this.#known = known;
  }

  /** All tags that creates of the run made and lists have shown, also those that are gone by now. */
  get tags(): KnownTag[] {
    return this.#known('known tags', () => knownIn(this.#work.ownAccount.tags.records));
  }

  /** A tag of this account that stays unchanged until the end of the run; null if there is none yet. */
  get keeper(): Tag | null {
    return this.#known('keeper', () => {
      const { session, ownAccount } = this.#work;
      const { keeper } = session;
      if (keeper === undefined || ownAccount !== session.first) return null;
      const record = ownAccount.tags.living(keeper.tagId);
      // At the end of the run it is updated.
      const isThere = record?.isSeen === true && !record.mayBeGone && record.names.size === 1;
      return isThere ? keeper : null;
    });
  }

  /** Whether unfiltered lists show all tags, and few of strangers. */
  get hasShortLists(): boolean {
    return this.#known('has short lists', () => this.#work.session.hasShortLists);
  }

  /** The number of tags in the longest unfiltered list. */
  get longestList(): number {
    return this.#known('longest list', () => this.#work.ownAccount.longestList);
  }

  /** How many more tags of the run may exist now. */
  get tagsLeft(): number {
    return this.#known('tags left', () => this.#work.session.tagsLeft);
  }

  /** How many more tags the check may make now. */
  get room(): number {
    return this.#known('room', () => this.#work.room);
  }

  /** Whether there are enough logins for another one beside the wrong logins, which come last. */
  get sparesLogins(): boolean {
    return this.#known('spares logins', () => {
      const { client, loginsKept } = this.#work.session;
      return client.budget.loginsLeft > loginsKept;
    });
  }

  /** Whether a token of this account has worked for longer than the settle time after another login. */
  get tokensOutliveLogins(): boolean {
    return this.#known('tokens outlive logins', () => {
      const { session, ownAccount } = this.#work;
      return ownAccount.logins.outlivedMs >= session.settling.mostMs;
    });
  }

  /** Whether a token of this account has ended, for any reason. */
  get tokensEnd(): boolean {
    return this.#known('tokens end', () => this.#work.ownAccount.logins.hasSeenEnd);
  }

  /** Whether logins end tokens of this account, at once or a little later. */
  get haveLoginsEndedTokens(): boolean {
    return this.#known('logins end tokens', () => this.#work.ownAccount.logins.endsEarlier);
  }

  /** How many more requests may be sent in this phase. */
  get requestsLeft(): number {
    return this.#known('requests left', () => this.#work.session.client.budget.requestsLeft);
  }

  /** Whether the target has given the tag_id of a deleted tag to another tag in this run. */
  get givesIdsAgain(): boolean {
    return this.#known('gives ids again', () =>
      this.#work.session.accounts.some(({ tags }) => tags.deleted.givesIdsAgain),
    );
  }

  /** Whether it has done so although a higher tag_id was in use. */
  get fillsGaps(): boolean {
    return this.#known('fills gaps', () =>
      this.#work.session.accounts.some(({ tags }) => tags.deleted.fillsGaps),
    );
  }
}
