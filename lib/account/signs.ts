import { slim, type Exchange } from '../http/exchange.ts';
import type { Finding } from '../outcome.ts';

/**
 * Facts about the whole run that any check may reveal:
 * - `id-given-twice`: a create answered with the tag_id of another living tag of the run;
 * - `create-lost`: a create was acknowledged, and no list shows its tag;
 * - `delete-without-effect`: a delete was acknowledged, and a list requested after the settle time still shows the tag;
 * - `refused-made-later`: a create was refused, a list did not show a tag of its name, and a later list does;
 * - `list-incomplete`: an unfiltered list that is no page left out a living tag that lists before and after it show;
 * - `list-changing`: lists showed a living tag with one name, then with another, then with the first again, although the
 *   run did not update it meanwhile;
 * - `filter-unlike`: a filtered list showed a living tag of the run whose names share no character with the filter;
 * - `list-of-another`: a list of one account showed a tag that the run made in the other, with a name that only that tag has;
 * - `late-effect`: a read did not show an acknowledged effect that a later read showed;
 * - `delete-refused`: a living tag of the run could not be deleted, not even at the end of the run;
 * - `list-broken`: lists can no longer be read after a request that may break a target, or could not be read before the
 *   run made its first tag;
 * - `throttled`: the target answered 429 or 503 and asked for a pause;
 * - `crowded`: overlapping requests were refused or failed, and succeeded one by one.
 */
export const SIGNS = [
  'id-given-twice',
  'create-lost',
  'refused-made-later',
  'delete-without-effect',
  'delete-refused',
  'list-incomplete',
  'list-changing',
  'filter-unlike',
  'list-of-another',
  'late-effect',
  'list-broken',
  'throttled',
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

  /** Takes back an occurrence that has another reason, as is known by now. */
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
