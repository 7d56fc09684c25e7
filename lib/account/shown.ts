import { slim, type Exchange } from '../http/exchange.ts';

/** A list, as evidence of what it shows. */
export interface Look {
  readonly exchange: Exchange;
  readonly askedAt: number;
  /** What was answered before this has had the time to take effect, by `performance.now()`. */
  readonly before: number;
}

/** What lists have shown of one living tag: whether they contradict each other. */
export class Shown {
  /** The first list that left the tag out, though it was not cut off at the end of a page. */
  #leftOutOf: Exchange | undefined;
  #wasLeftOut = false;
  /** The name that was shown first since a write, by when that write ended. */
  #first: { readonly writtenAt: number; readonly name: unknown } | undefined;
  /** The first list that showed another one. */
  #changed: (Look & { readonly name: unknown }) | undefined;
  #wasChanged = false;

  leftOut({ exchange }: Look): void {
    this.#leftOutOf ??= slim(exchange);
  }

  /** A list shows the tag. Returns the list before it that left the tag out, once. */
  again({ exchange }: Look): Exchange | undefined {
    const list = this.#leftOutOf;
    if (list === undefined || this.#wasLeftOut || list.number >= exchange.number) return undefined;
    this.#wasLeftOut = true;
    return list;
  }

  /**
   * A list shows the tag under this name. Returns an earlier list that showed it under another name, once, where the first
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
    if (changed === undefined || this.#wasChanged || list.before < changed.askedAt) return undefined;
    this.#wasChanged = true;
    return changed;
  }
}
