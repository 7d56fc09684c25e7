import { slim, type Exchange } from '../http/exchange.ts';
import type { Finding } from '../outcome.ts';

/** Facts about the whole run that any check may reveal. */
export const SIGNS = [
  /** After a failed login, one with the right credentials was answered 200 without a token, though earlier ones were given tokens. */
  'login-without-token',
  /** Each token that ended while it was in use was refused right after a login of the other account. */
  'token-ended-by-another',
  /** A create answered with the tag_id of another living tag of the run. */
  'id-given-twice',
  /** A create was acknowledged, and no list shows its tag. */
  'create-lost',
  /** Creates of plain names were refused, while others were accepted although as many tags existed. */
  'create-refused',
  /**
   * Lists showed copies of tags: further tags with their names, which only the run uses, after an ordinary create or update.
   */
  'made-twice',
  'copied-by-update',
  /** Updates of living tags were refused though nothing was wrong with them. */
  'update-refused',
  /** Ordinary updates were acknowledged, and lists that were requested after the settle time show former names of the tags. */
  'update-lost',
  /** Lists showed tags with names that the run gave to other tags only. */
  'name-of-another',
  /** A create was refused, and a later list shows a tag of its name. */
  'refused-made-later',
  /** A delete was acknowledged, and a list requested after the settle time still shows the tag, or copies of several tags. */
  'delete-without-effect',
  /** A living tag of the run could not be deleted, not even at the end of the run. */
  'delete-refused',
  /** An unfiltered list that is no page left out a living tag that lists before and after it show. */
  'list-incomplete',
  /**
   * Lists showed a living tag with one name, then with another, then with the first again, although the run did not update it
   * meanwhile.
   */
  'list-changing',
  /** Lists without a filter showed tags with names that nobody gave them, and filtered lists showed them with their own. */
  'lists-differ',
  /** A filtered list showed a living tag of the run whose names share no character with the filter. */
  'filter-unlike',
  /** A list of one account showed a tag that the run made in the other, with a name that only that tag has. */
  'list-of-another',
  /** A read did not show an acknowledged effect that a later read showed. */
  'late-effect',
  /**
   * Lists can no longer be read after a request that may break a target, or could not be read before the run made its first
   * tag.
   */
  'list-broken',
  /** Lists with a plain filter failed whenever they were requested, and those without a filter did not. */
  'list-failed',
  /** Plain requests were answered 500 now and then, while no other request of the run was under way. */
  'create-error',
  'update-error',
  'delete-error',
  'list-error',
  'filter-error',
  /** Bytes that belong to no request came on a connection whose requests had all been answered. */
  'unasked-bytes',
  /** The target answered 429 or 503 and asked for a pause. */
  'throttled',
  /** Overlapping requests were refused or failed, and succeeded one by one. */
  'crowded',
] as const;

export type Sign = (typeof SIGNS)[number];

/** The signs of one run, for both accounts, in the order in which they were recorded. */
export class Signs {
  readonly #seen = new Map<Sign, Finding[]>();

  record(sign: Sign, why: string, ...exchanges: readonly Exchange[]): Finding {
    const finding = { why, exchanges: exchanges.map(slim) };
    const seen = this.#seen.get(sign) ?? [];
    this.#seen.set(sign, seen);
    seen.push(finding);
    return finding;
  }

  /** Removes an occurrence that turned out to have another reason. */
  withdraw(sign: Sign, mistaken: Finding): void {
    this.#seen.set(
      sign,
      this.of(sign).filter((finding) => finding !== mistaken),
    );
  }

  /** Every occurrence of a sign. */
  of(sign: Sign): readonly Finding[] {
    return this.#seen.get(sign) ?? [];
  }
}
