import {
  accepted,
  broken,
  createdIn,
  type Exchange,
  holds,
  learn,
  lineOf,
  listedIn,
  type Outcome,
  quote,
  statusOf,
  type Target,
  Undecided,
  whatCame,
} from '../../lib/check.ts';
import { inventId } from '../unknown-ids.ts';
import { uniqueNames } from '../open/names.ts';
import { compare, init, mayBeRefused, step, type Account, type Done, type Known } from './model.ts';
import { NAMES, NEVER, tellStep, type Step } from './steps.ts';

/** Takes the steps of a case one after another, and says whether what came of them agrees with the model. */
export async function play(target: Target, steps: readonly Step[]): Promise<Outcome> {
  const game = new Game(target, steps);
  const wrong = (await game.takeAll()) ?? (await game.lookAtAll());
  return wrong === undefined ? holds() : broken(wrong, ...game.exchanges);
}

/** One case under way. What its methods return is what is wrong, as a sentence; undefined: nothing. */
class Game {
  /** Everything that the case sent, looks that showed nothing wrong left out. */
  readonly exchanges: Exchange[] = [];
  readonly #target: Target;
  readonly #steps: readonly Step[];
  readonly #names: readonly string[];
  #account: Account = init;
  /** Ids of the tags in the order of their creates; undefined where one made no tag. */
  readonly #ids: (string | undefined)[] = [];

  constructor(target: Target, steps: readonly Step[]) {
    this.#target = target;
    this.#steps = steps;
    this.#names = Array.from({ length: NAMES }, () => target.name());
  }

  async takeAll(): Promise<string | undefined> {
    for (let at = 0; at < this.#steps.length;) {
      const end = this.#endOfStretch(at);
      const take = async (): Promise<string | undefined> => {
        for (; at < end; at++) {
          const wrong = await this.#take(at);
          if (wrong !== undefined) return wrong;
        }
        return undefined;
      };
      const wrong = await (end - at > 1 ? this.#target.withoutCreates(take) : take());
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }

  /** Looks at all that the case made, in the list and in those filtered by each of its names. */
  async lookAtAll(): Promise<string | undefined> {
    const used = new Set(
      this.#steps.flatMap((one) => (one.do === 'create' || one.do === 'rename' ? one.name : [])),
    );
    const looks = await Promise.all([
      this.#look(),
      ...[...used].map((name) => this.#look(this.#names[name])),
    ]);
    const wrong = looks.find((look) => look !== undefined);
    return wrong === undefined ? undefined : `in the end ${wrong}`;
  }

  /**
   * Steps that go on with a tag which has just been deleted are taken while the run makes no tag, so that its tag_id
   * is given to nobody else meanwhile.
   */
  #endOfStretch(at: number): number {
    const first = this.#steps[at];
    let end = at + 1;
    if (first?.do !== 'delete' || first.tag === NEVER) return end;
    for (
      let next = this.#steps[end];
      next !== undefined && 'tag' in next && next.tag === first.tag;
      next = this.#steps[end]
    )
      end++;
    return end;
  }

  async #take(at: number): Promise<string | undefined> {
    const one = this.#steps[at] as Step;
    const wrong =
      one.do === 'list'
        ? await this.#look()
        : one.do === 'filter'
          ? await this.#look(this.#names[one.name])
          : await this.#write(one, at);
    if (wrong === undefined) return undefined;
    const when = one.do === 'list' || one.do === 'filter' ? 'at' : 'in';
    return `${when} step ${at + 1} (${tellStep(one)}) ${wrong}`;
  }

  async #write(one: Step & { do: 'create' | 'rename' | 'delete' }, at: number): Promise<string | undefined> {
    const done = one.do === 'create' ? await this.#create(one.name) : await this.#change(one, at);
    if (done === undefined) return undefined;
    const isTwice = done.do === 'create' && done.tagId !== undefined && this.#account.tags.has(done.tagId);
    const next = step(this.#account, done, isTwice ? await this.#known() : { sameNameTwice: undefined });
    this.#account = next.account;
    return next.wrong === undefined ? undefined : `the target ${next.wrong}`;
  }

  /** What the run has seen of choices that bear on a sequence; what could not be seen is left open. */
  async #known(): Promise<Known> {
    try {
      return { sameNameTwice: (await learn(this.#target, uniqueNames)) === 'no' };
    } catch (error) {
      if (error instanceof Undecided) return { sameNameTwice: undefined };
      throw error;
    }
  }

  async #create(at: number): Promise<Done | undefined> {
    const name = this.#names[at] ?? '';
    const exchange = this.#answered(await this.#target.create({ name }));
    const tagId = createdIn(exchange)?.tagId;
    if (accepted(exchange) && tagId === undefined)
      throw new Undecided('failure', `a create ${whatCame(exchange)} without a tag_id`, exchange);
    this.#ids.push(tagId);
    return { do: 'create', name, status: statusOf(exchange), ...(tagId === undefined ? {} : { tagId }) };
  }

  /** Renames or deletes, where that is safe: an id whose tag is gone may be somebody else's. */
  async #change(one: Step & { do: 'rename' | 'delete' }, at: number): Promise<Done | undefined> {
    const tagId = one.tag === NEVER ? await this.#never() : this.#ids[one.tag];
    if (tagId === undefined) return undefined;
    const isThere = this.#account.tags.has(tagId);
    if (!isThere && one.tag !== NEVER && !(await this.#isStillFree(one.tag, tagId, at))) return undefined;
    if (one.do === 'delete') {
      const exchange = this.#answered(await this.#target.delete(tagId));
      // What the delete of an id that was made up is answered depends on the form of the ids.
      return one.tag === NEVER ? undefined : { do: 'delete', tagId, status: statusOf(exchange) };
    }
    const name = this.#names[one.name] ?? '';
    const open = !isThere || mayBeRefused(this.#account, name, tagId);
    const exchange = await this.#target.rename(tagId, { name }, open ? { open } : undefined);
    return { do: 'rename', tagId, name, status: statusOf(this.#answered(exchange)) };
  }

  /** Whether a tag was deleted in this very stretch, and a younger one keeps its id from being given out again. */
  async #isStillFree(tag: number, tagId: string, at: number): Promise<boolean> {
    const before = this.#steps[at - 1];
    const isStretch = before !== undefined && 'tag' in before && before.tag === tag;
    const isYounger = this.#ids.some(
      (id, made) => made > tag && id !== undefined && this.#account.tags.has(id),
    );
    if (!isStretch || !isYounger || this.#account.doubtful.has(tagId)) return false;
    return (
      await this.#target.untilGone({ tagId, name: [...(this.#account.bore.get(tagId) ?? [])].at(-1) ?? '' })
    ).good;
  }

  /** An id that no tag has, of the form of those that there are. */
  async #never(): Promise<string | undefined> {
    const issued = this.#ids.filter((id) => id !== undefined);
    if (issued.length === 0) return undefined;
    const listed = listedIn(await this.#target.list()) ?? [];
    return inventId(
      issued,
      new Set([...listed.map(({ tagId }) => tagId), ...this.#target.knownTags().map(({ tagId }) => tagId)]),
    );
  }

  /** Looks whether a list shows what the model says, within the time that effects may take. */
  async #look(filter?: string): Promise<string | undefined> {
    const { seen, good } = await this.#target.until(
      () => this.#seen(filter),
      ({ wrong }) => wrong === undefined,
    );
    if (good || seen.wrong === undefined) return undefined;
    if (seen.isStray && (await this.#isVague())) return undefined;
    this.exchanges.push(...seen.exchanges);
    return `${filter === undefined ? 'the list' : `the filter by ${quote(filter)}`} ${seen.wrong}`;
  }

  async #seen(
    filter: string | undefined,
  ): Promise<{ wrong?: string; isStray?: boolean; exchanges: Exchange[] }> {
    const list = await this.#target.list(filter);
    const shown = this.#tagsIn(list);
    const { wrong, missing } = compare(this.#account, shown, new Set(this.#names), filter);
    if (wrong !== undefined) return { wrong, exchanges: [list] };
    // The list may be paged: what the filter shows is on another page.
    const looks =
      filter === undefined ? await Promise.all(missing.map(({ name }) => this.#target.list(name))) : [];
    const lost = missing.find(({ tagId }, at) => {
      const look = looks[at];
      return look === undefined || !this.#tagsIn(look).some((tag) => tag.tagId === tagId);
    });
    if (lost !== undefined)
      return { wrong: `leaves out the tag named ${quote(lost.name)}`, exchanges: [list, ...looks] };
    const stray = shown.find(
      ({ tagId, name }) => this.#account.tags.has(tagId) && filter !== undefined && name !== filter,
    );
    return stray === undefined
      ? { exchanges: [] }
      : { wrong: `lets the tag named ${quote(stray.name)} through`, isStray: true, exchanges: [list] };
  }

  /** Whether the filter lets tags through whose names are merely similar: how it matches is not shown (4.4). */
  async #isVague(): Promise<boolean> {
    const other = this.#tagsIn(await this.#target.list(this.#target.name()));
    return other.some(({ tagId }) => this.#account.tags.has(tagId));
  }

  #tagsIn(list: Exchange): NonNullable<ReturnType<typeof listedIn>> {
    const tags = listedIn(list);
    if (tags === undefined)
      throw new Undecided('failure', `the list ${whatCame(list)} and cannot be read`, list);
    return tags;
  }

  /** Whether a request without an answer was carried out nobody knows: the case ends with it. */
  #answered(exchange: Exchange): Exchange {
    this.exchanges.push(exchange);
    if (exchange.answer === undefined)
      throw new Undecided('failure', `${lineOf(exchange)} ${whatCame(exchange)}`, exchange);
    return exchange;
  }
}
