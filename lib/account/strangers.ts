import { folded } from './names.ts';
import type { Listed } from '../spec/reading.ts';

/** Names that targets make from a missing name or from a value of another type. */
const OF_NOTHING: ReadonlySet<string> = new Set(['null', 'undefined', 'none', 'nil', 'nan', 'array']);

/** Whether a name reveals nothing about the person whose tag has it. */
export const saysNothing = (name: string): boolean => name.trim() === '' || OF_NOTHING.has(folded(name));

/** The strangers' tags that lists have shown. The run does not touch what has one of their tag_ids. */
export class Strangers {
  /** By tag_id: the name in the last list that showed the tag, and when a list first showed it. */
  readonly #tags = new Map<string, { name: unknown; readonly since: number }>();
  /** Every tag_id and every name with which lists have shown one. */
  readonly #everIds = new Set<string>();
  readonly #everNames = new Set<unknown>();

  has(tagId: string): boolean {
    return this.#tags.has(tagId);
  }

  get tagIds(): readonly string[] {
    return [...this.#tags.keys()];
  }

  /** The name under which a list last showed the tag. */
  nameOf(tagId: string): unknown {
    return this.#tags.get(tagId)?.name;
  }

  /** When a list first showed the tag, by `performance.now()`. */
  shownSince(tagId: string): number {
    return this.#tags.get(tagId)?.since ?? 0;
  }

  /** The names of tags that a list first showed after this moment, by `performance.now()`. */
  namesSince(moment: number): unknown[] {
    return [...this.#tags.values()].flatMap(({ name, since }) => (since > moment ? [name] : []));
  }

  /** Whether a list has shown a stranger's tag with this tag_id, which may be gone by now. */
  hadId(tagId: string): boolean {
    return this.#everIds.has(tagId);
  }

  /** The same with this name. */
  hadName(name: unknown): boolean {
    return this.#everNames.has(name);
  }

  /** A list shows a stranger's tag. */
  note({ tagId, name }: Listed): void {
    this.#everIds.add(tagId);
    this.#everNames.add(name);
    this.#tags.set(tagId, { name, since: this.#tags.get(tagId)?.since ?? performance.now() });
  }

  /** The tag_id may pass to a tag of the run. */
  forget(tagId: string): void {
    this.#tags.delete(tagId);
  }
}
