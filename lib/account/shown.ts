import { slim, type Exchange } from '../http/exchange.ts';

/** A list, as evidence of what it shows. */
export interface Look {
  readonly exchange: Exchange;
  /** The name that it was filtered by; undefined: it was not filtered. */
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

/** What lists have shown of one living tag: whether they contradict each other. */
export class Shown {
  /** A list without a filter has shown it: a copy of the data that is refreshed by lists knows it by now. */
  #isListed = false;
  /** The first list after that that left the tag out, though it was not cut off at the end of a page. */
  #leftOutOf: LeftOut | undefined;
  #wasLeftOut = false;
  /** The first name that was shown after the last write, and when that write ended. */
  #first: { readonly writtenAt: number; readonly name: unknown } | undefined;
  /** The first list that showed another one. */
  #changed: (Look & { readonly name: unknown }) | undefined;
  #wasChanged = false;

  /** @param isYoung whether the tag was younger than the settle time. */
  leftOut({ exchange }: Look, isYoung: boolean): void {
    if (this.#isListed) this.#leftOutOf ??= { exchange: slim(exchange), isYoung };
  }

  /** A list shows the tag. Returns the list before it that left the tag out, once. */
  again({ exchange, filter }: Look): LeftOut | undefined {
    this.#isListed ||= filter === undefined;
    const list = this.#leftOutOf;
    if (list === undefined || this.#wasLeftOut || list.exchange.number >= exchange.number) return undefined;
    this.#wasLeftOut = true;
    return list;
  }

  /**
   * A list shows the tag under this name. Returns an earlier list that showed it under another name, once, if the first
   * one since the last write had shown this name.
   *
   * @param writtenAt when the last write to the tag ended.
   */
  as(name: unknown, writtenAt: number, list: Look): (Look & { readonly name: unknown }) | undefined {
    if (this.#first?.writtenAt !== writtenAt) {
      this.#first = { writtenAt, name };
      this.#changed = undefined;
    }
    if (name !== this.#first.name) {
      this.#changed ??= { ...list, exchange: slim(list.exchange), name };
      return undefined;
    }
    // Something that the run does not know may have renamed the tag, and copies of the data may know that at other times.
    const changed = this.#changed;
    if (changed === undefined || this.#wasChanged || list.askedAt - list.settleMs < changed.askedAt)
      return undefined;
    this.#wasChanged = true;
    return changed;
  }
}
