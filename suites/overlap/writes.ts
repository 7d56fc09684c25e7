import fc from 'fast-check';
import {
  accepted,
  broken,
  type Exchange,
  holds,
  learn,
  type Listed,
  listedIn,
  type Outcome,
  quote,
  type Target,
  Undecided,
  whatCame,
} from '../../lib/check.ts';
import { isLinearizable } from './linearizable.ts';
import { unknownTagOnUpdate } from '../open/updates.ts';
import { firstTag } from './first.ts';
import { fateOf, inTheEnd, letter, tagNamed, timeline, written, type Asked, type Does } from './history.ts';

/** A request that changes one of three tags. All of a case are sent at once, in this order. */
export interface Write {
  readonly tag: number;
  readonly do: 'rename' | 'delete';
}

/** The tag that is only renamed. */
const KEPT = 0;

/** One tag is renamed twice, one is renamed and deleted, one is deleted twice: all that can meet on one tag. */
const WRITES: readonly Write[] = [
  { tag: KEPT, do: 'rename' },
  { tag: KEPT, do: 'rename' },
  { tag: 1, do: 'rename' },
  { tag: 1, do: 'delete' },
  { tag: 2, do: 'delete' },
  { tag: 2, do: 'delete' },
];

/** The tags of a case. */
export const WRITTEN = 3;

/** None is left out when a case is generated; when it is shrunk, each may be. */
const ALWAYS = 1e9;

/** All of these, in any order. */
export const writes: fc.Arbitrary<readonly Write[]> = fc
  .tuple(...WRITES.map(() => fc.option(fc.nat({ max: 99 }), { freq: ALWAYS })))
  .map((places) =>
    WRITES.flatMap((write, at) => {
      const place = places[at];
      return typeof place === 'number' ? [{ write, place }] : [];
    })
      .toSorted((one, other) => one.place - other.place)
      .map(({ write }) => write),
  );

/** A write and what came of it. */
interface Written extends Asked {
  readonly tag: number;
  readonly does: Does;
}

interface Made {
  readonly tagId: string;
  /** Its first name, and all that it is given. */
  readonly names: readonly string[];
}

/** Writes at once, and looks whether the end is one that some order of them explains. */
export async function writeAtOnce(target: Target, all: readonly Write[]): Promise<Outcome> {
  if (all.length === 0) return holds();
  const made = new Map<number, Made>();
  // The one that is never deleted is the youngest, so that a target which counts its ids on from the highest gives none
  // of the others out again while a second delete is on its way.
  for (const tag of new Set([...all.map((write) => write.tag).filter((tag) => tag !== KEPT), KEPT])) {
    const { tagId, name } = await firstTag(target);
    made.set(tag, {
      tagId,
      names: [name, ...all.flatMap((one) => (one.tag === tag && one.do === 'rename' ? target.name() : []))],
    });
  }
  const given = new Map<number, number>();
  const requests = all.map((write) => async (): Promise<Written> => {
    const { tag } = write;
    const { tagId, names } = made.get(tag) as Made;
    if (write.do === 'delete')
      return {
        tag,
        what: `delete tag ${tag + 1}`,
        does: { do: 'delete' },
        exchange: await target.delete(tagId),
      };
    const at = (given.get(tag) ?? 0) + 1;
    given.set(tag, at);
    const name = names[at] ?? '';
    // It may come after a delete, and then its answer is left open.
    const open = all.some((other) => other.tag === tag && other.do === 'delete');
    const exchange = await target.rename(tagId, { name }, open ? { open } : undefined);
    return { tag, what: `rename tag ${tag + 1} to ${letter(at)}`, does: { do: 'rename', name }, exchange };
  });
  const asked = await target.withoutCreates(() =>
    target.simultaneously(() => Promise.all(requests.map((request) => request()))),
  );
  return new Ending(target, made, asked).judge();
}

/** What there is to see when everything was answered. */
interface Seen {
  readonly entries: readonly Listed[];
  readonly exchanges: readonly Exchange[];
}

class Ending {
  readonly #target: Target;
  readonly #made: ReadonlyMap<number, Made>;
  readonly #asked: readonly Written[];

  constructor(target: Target, made: ReadonlyMap<number, Made>, asked: readonly Written[]) {
    this.#target = target;
    this.#made = made;
    this.#asked = asked;
  }

  async judge(): Promise<Outcome> {
    const { seen, good } = await this.#target.until(
      () => this.#look(),
      (look) => this.#wrongIn(look, false) === undefined,
    );
    const wrong = good ? undefined : this.#wrongIn(seen, await this.#makesTags());
    // A tag that came after its delete is not known to be there.
    for (const { tagId } of this.#made.values())
      if (this.#wasDeleted(tagId) && seen.entries.some((tag) => tag.tagId === tagId))
        await this.#target.delete(tagId, { open: true });
    if (wrong === undefined) return holds();
    const told = timeline(
      this.#asked,
      [...this.#made].map(([tag, { tagId, names }]) => {
        const at = names.indexOf(String(nameIn(seen, tagId)));
        return `tag ${tag + 1} is ${nameIn(seen, tagId) === undefined ? 'gone' : at < 0 ? 'something else' : letter(at)}`;
      }),
    );
    const finding = broken(wrong, ...this.#asked.map(({ exchange }) => exchange), ...seen.exchanges);
    return finding.kind === 'broken' ? { ...finding, example: { told, path: '' } } : finding;
  }

  #wasDeleted(tagId: string): boolean {
    return this.#asked.some(
      ({ tag, does, exchange }) =>
        does.do === 'delete' && accepted(exchange) && this.#made.get(tag)?.tagId === tagId,
    );
  }

  /** The list, and where it does not show a tag, which it may on a page, the filters by all names that the tag may have. */
  async #look(): Promise<Seen> {
    const list = await this.#target.list();
    const missing = [...this.#made.values()].filter(
      ({ tagId }) => !tagsIn(list).some((tag) => tag.tagId === tagId),
    );
    const filtered = await Promise.all(
      missing.flatMap(({ names }) => names.map((name) => this.#target.list(name))),
    );
    return { entries: [list, ...filtered].flatMap(tagsIn), exchanges: [list, ...filtered] };
  }

  #wrongIn(seen: Seen, makes: boolean): string | undefined {
    const ids = new Map([...this.#made.values()].map((one) => [one.tagId, one]));
    const names = new Set([...this.#made.values()].flatMap((one) => one.names));
    const stray = seen.entries.find(({ tagId, name }) => !ids.has(tagId) && names.has(String(name)));
    if (stray !== undefined) return `a tag named ${quote(stray.name)} is listed, which was never made`;
    for (const [tag, { tagId, names }] of this.#made) {
      const [shown, another] = new Set(
        seen.entries.filter((one) => one.tagId === tagId).map(({ name }) => name),
      );
      if (another !== undefined) return `one tag is listed as ${quote(shown)} and as ${quote(another)}`;
      if (shown !== undefined && typeof shown !== 'string') return `a tag is listed as ${quote(shown)}`;
      const writes = this.#asked
        .filter((one) => one.tag === tag)
        .flatMap(({ does, exchange }) => written(does, exchange));
      const end = inTheEnd({ do: 'shown', name: shown });
      if (!isLinearizable(tagNamed(names[0] ?? '', makes), [...writes, end]))
        return `tag ${tag + 1} is ${shown === undefined ? 'gone' : `listed as ${quote(shown)}`} in the end, which no order of the operations explains`;
    }
    return undefined;
  }

  /** Whether an update may make the tag that it names, so that one after a delete leaves it there. */
  async #makesTags(): Promise<boolean> {
    const both = [...this.#made.keys()].some((tag) =>
      ['rename', 'delete'].every((what) =>
        this.#asked.some(
          ({ tag: one, does, exchange }) =>
            one === tag && does.do === what && fateOf(exchange) !== 'not done',
        ),
      ),
    );
    if (!both) return false;
    try {
      return (await learn(this.#target, unknownTagOnUpdate)).makesTag;
    } catch (error) {
      if (error instanceof Undecided) return true;
      throw error;
    }
  }
}

const nameIn = ({ entries }: Seen, tagId: string): unknown =>
  entries.find((one) => one.tagId === tagId)?.name;

/** @throws Undecided where the list cannot be read. */
function tagsIn(list: Exchange): readonly Listed[] {
  const tags = listedIn(list);
  if (tags === undefined)
    throw new Undecided('failure', `the list ${whatCame(list)} and cannot be read`, list);
  return tags;
}
