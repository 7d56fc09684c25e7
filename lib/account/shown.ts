import { slim, type Exchange } from '../http/exchange.ts';

/** A list as evidence. */
export interface Look {
  readonly exchange: Exchange;
  /** The name that it was filtered by; undefined without a filter. */
  readonly filter?: string | undefined;
  /** When it was requested, by `performance.now()`. */
  readonly askedAt: number;
  /** How long an effect may take to show in a list. */
  readonly settleMs: number;
}

/** A list that left out a tag. */
export interface LeftOut {
  readonly exchange: Exchange;
  readonly isYoung: boolean;
}

/** What lists have shown of one living tag. Finds lists that contradict each other. */
export class Shown {
  /** Whether an unfiltered list has shown the tag. */
  #isListed = false;
  /** The first later list that left out the tag although it is no page. */
  #leftOutOf: LeftOut | undefined;
  #wasLeftOut = false;
  /** The first name that a list showed after the last write, and when that write ended. */
  #first: { readonly writtenAt: number; readonly name: unknown } | undefined;
  /** The first later list that showed another name. */
  #changed: (Look & { readonly name: unknown }) | undefined;
  #wasChanged = false;

  /** @param isYoung whether the tag was younger than the settle time. */
  leftOut({ exchange }: Look, isYoung: boolean): void {
    if (this.#isListed) this.#leftOutOf ??= { exchange: slim(exchange), isYoung };
  }

  /** A list shows the tag. Returns an earlier list that left out the tag, once. */
  reappears({ exchange, filter }: Look): LeftOut | undefined {
    this.#isListed ||= filter === undefined;
    const list = this.#leftOutOf;
    if (list === undefined || this.#wasLeftOut || list.exchange.number >= exchange.number) return undefined;
    this.#wasLeftOut = true;
    return list;
  }

  /**
   * A list shows the tag with this name. If the first list since the last write showed the same name, returns a list in
   * between that showed another name, once.
   *
   * @param writtenAt when the last write to the tag ended.
   */
  showsAs(name: unknown, writtenAt: number, list: Look): (Look & { readonly name: unknown }) | undefined {
    if (this.#first?.writtenAt !== writtenAt) {
      this.#first = { writtenAt, name };
      this.#changed = undefined;
    }
    if (name !== this.#first.name) {
      this.#changed ??= { ...list, exchange: slim(list.exchange), name };
      return undefined;
    }
    // Within the settle time, replicas may differ: something unknown to the run may have renamed the tag.
    const changed = this.#changed;
    if (changed === undefined || this.#wasChanged || list.askedAt - list.settleMs < changed.askedAt)
      return undefined;
    this.#wasChanged = true;
    return changed;
  }
}
