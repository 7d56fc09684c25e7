import type { TagRecord } from '../account/tag-record.ts';
import type { Tag } from './listed.ts';
import type { Work } from './work.ts';

/** Looks something up, or takes it from the record of a run. */
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

/** What the run knows by now: a check asks for it without a request. */
export class Facts {
  readonly #work: Work;
  readonly #known: Known;

  constructor(work: Work, known: Known) {
    this.#work = work;
    this.#known = known;
  }

  /** All tags that creates of the run made and a list has shown, those included that are gone by now. */
  get tags(): KnownTag[] {
    return this.#known('known tags', () => knownIn(this.#work.ownAccount.tags.records));
  }

  /** A tag of this account that stays as it is until the run ends, if there is one by now. */
  get keeper(): Tag | null {
    return this.#known('keeper', () => {
      const { session, ownAccount } = this.#work;
      const { keeper } = session;
      if (keeper === undefined || ownAccount !== session.first) return null;
      const record = ownAccount.tags.living(keeper.tagId);
      // It is updated when the run ends.
      const isThere = record?.isSeen === true && !record.mayBeGone && record.names.size === 1;
      return isThere ? keeper : null;
    });
  }

  /** Lists without a filter show all tags, and few of strangers. */
  get hasShortLists(): boolean {
    return this.#known('has short lists', () => this.#work.session.hasShortLists);
  }

  /** How many tags the longest list without a filter has shown. */
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

  /** Whether another login leaves enough for the wrong logins, which come last. */
  get sparesLogins(): boolean {
    return this.#known('spares logins', () => {
      const { client, loginsKept } = this.#work.session;
      return client.budget.loginsLeft > loginsKept;
    });
  }

  /** A token of this account has worked longer than the settle time after another login. */
  get tokensOutliveLogins(): boolean {
    return this.#known('tokens outlive logins', () => {
      const { session, ownAccount } = this.#work;
      return ownAccount.logins.outlivedMs >= session.settling.mostMs;
    });
  }

  /** A token of this account has ended, for whatever reason. */
  get tokensEnd(): boolean {
    return this.#known('tokens end', () => this.#work.ownAccount.logins.hasSeenEnd);
  }

  /** A token of this account has ended after another login, though at once after it, or after one alone, it still worked. */
  get loginsEndTokensLater(): boolean {
    return this.#known('logins end tokens later', () => this.#work.ownAccount.logins.endsEarlier);
  }

  /** How many more requests may be sent in this phase. */
  get requestsLeft(): number {
    return this.#known('requests left', () => this.#work.session.client.budget.requestsLeft);
  }

  /** The target has given the tag_id of a deleted tag to another one in this run. */
  get givesIdsAgain(): boolean {
    return this.#known('gives ids again', () =>
      this.#work.session.accounts.some(({ tags }) => tags.deleted.givesIdsAgain),
    );
  }

  /** It has done so although a higher tag_id was in use. */
  get fillsGaps(): boolean {
    return this.#known('fills gaps', () =>
      this.#work.session.accounts.some(({ tags }) => tags.deleted.fillsGaps),
    );
  }
}
