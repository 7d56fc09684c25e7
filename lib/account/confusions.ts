import { accepted, slim } from '../http/exchange.ts';
import { quote } from '../http/wording.ts';
import type { Finding } from '../outcome.ts';
import type { Listed } from '../spec/reading.ts';
import type { Look } from './look.ts';
import type { Sign, Signs } from './signs.ts';
import { type TagRecord, updateAfter } from './tag-record.ts';

/** The least number of confusions that are a finding: another user may have copied the name of a single tag. */
const FEWEST_CONFUSIONS = 2;

/** A list that shows two tags of one name, or a tag with the name or the tag_id of another. */
interface Confusion extends Finding {
  readonly sign: Sign;
  /** The tag_id that the list shows. */
  readonly tagId: string;
}

/** Finds tags of one account that lists show twice, or mistake for one another. */
export class Confusions {
  readonly #signs: Signs;
  readonly #settleMs: number;
  /** The first confusion of each tag, by the key of the tag. Its words may depend on answers that are still to come. */
  readonly #first = new Map<number, () => Confusion>();

  /** @param settleMs how long an effect may take to show in a list. */
  constructor(signs: Signs, settleMs: number) {
    this.#signs = signs;
    this.#settleMs = settleMs;
  }

  /**
   * A list shows a name of a tag under another tag_id than that of the tag. No other user has such a name, so the target has
   * copied the tag.
   *
   * @param records all tags of the account.
   */
  showsCopy(record: TagRecord, { tagId, name }: Listed, look: Look, records: readonly TagRecord[]): void {
    const { creation, given, names, updates, removal, removedAt = Infinity } = record;
    // Other requests may have made a tag of this name as well.
    const isOthers = records.some((other) => other.names.has(String(name)) && other !== record);
    const isClear = given !== undefined && given.tagId === record.tagId && creation?.ask.regular === true;
    if (isOthers || record.mayBeTwice || record.isContended || !isClear) return;
    const list = slim(look.exchange);
    const isIdOfAnother = records.some((other) => other !== record && other.tagId === tagId);
    const whose = isIdOfAnother ? 'which is that of another tag' : 'which no create gave';
    const copy = `a list shows a tag of its name ${quote(name)} with the tag_id ${quote(tagId)}, ${whose}`;
    if (record.state === 'alive') {
      const isUpdated = updates.length > 0 || names.size > 1;
      const sign = isUpdated ? 'copied-by-update' : 'made-twice';
      const why = `${isUpdated ? 'after an update,' : 'a create was acknowledged, and'} beside the tag ${copy}`;
      const update = updates.findLast((one) => one.name === name);
      const writes = update === undefined ? [creation] : [creation, slim(update.exchange)];
      this.#note(record, () => ({ sign, why, tagId, exchanges: [...writes, list] }));
    } else if (removal !== undefined && accepted(removal) && look.askedAt > removedAt + this.#settleMs) {
      const why = `a delete was acknowledged, and later ${copy}`;
      this.#note(record, () => ({ sign: 'delete-without-effect', why, tagId, exchanges: [removal, list] }));
    }
  }

  /** A list shows a tag for the first time, and with another tag_id than its create was answered with. */
  showsUnderAnotherId(record: TagRecord, { tagId, name }: Listed, look: Look): void {
    const { state, isSeen, creation, given, names, mayBeTwice, isContended } = record;
    const isClear = state === 'alive' && !isSeen && names.size === 1 && !mayBeTwice && !isContended;
    if (!isClear || given === undefined || given.tagId === tagId || creation?.ask.regular !== true) return;
    const why = `a create was answered with the tag_id ${quote(given.tagId)}, but a list shows its tag ${quote(name)} with the tag_id ${quote(tagId)}`;
    const exchanges = [creation, slim(look.exchange)];
    this.#note(record, () => ({ sign: 'create-lost', why, tagId, exchanges }));
  }

  /**
   * A list shows a tag with a name of another tag of the run.
   *
   * @param records all tags of the account.
   */
  misnames(record: TagRecord, { tagId, name }: Listed, look: Look, records: readonly TagRecord[]): void {
    const { creation, names, isSeen } = record;
    if (creation?.ask.regular !== true) return;
    const [given] = names;
    const list = slim(look.exchange);
    const shown = `a list shows its tag_id ${quote(tagId)} with the name ${quote(name)} of another tag`;
    this.#note(record, () => {
      const update = isSeen ? undefined : updateAfter(creation, records, name);
      if (update !== undefined) {
        const why = `a create with the name ${quote(given)} and then an update of another tag were acknowledged, and ${shown}`;
        return { sign: 'copied-by-update', why, tagId, exchanges: [creation, update, list] };
      }
      const why = `a create with the name ${quote(given)} was acknowledged, and ${isSeen ? 'later ' : ''}${shown}`;
      const sign = isSeen ? 'name-of-another' : 'create-lost';
      return { sign, why, tagId, exchanges: [creation, list] };
    });
  }

  #note({ key }: TagRecord, confusion: () => Confusion): void {
    if (!this.#first.has(key)) this.#first.set(key, confusion);
  }

  /**
   * Records the confusions. Call it at the end of the run: only then is it known whether the target put requests off.
   *
   * @param isOfAnother whether another account has, or had, the tag with this tag_id.
   */
  conclude(isOfAnother: (tagId: string) => boolean): void {
    // A list may show the tag of another account that has the same name.
    const confusions = Array.from(this.#first.values(), (told) => told()).filter(
      ({ tagId }) => !isOfAnother(tagId),
    );
    if (confusions.length < FEWEST_CONFUSIONS) return;
    const isCopied = confusions.some(({ sign }) => sign === 'made-twice' || sign === 'copied-by-update');
    const isThrottled = this.#signs.of('throttled').length > 0;
    for (const { sign, why, exchanges } of confusions) {
      // A copy that shows after a delete may have been made by the create or an update before it.
      if (sign === 'delete-without-effect' && isCopied) continue;
      // A deferred create may have been carried out before it was sent again.
      const isOfCreate = sign === 'made-twice' || sign === 'create-lost';
      if (!isOfCreate || !isThrottled) this.#signs.record(sign, why, ...exchanges);
    }
  }
}
