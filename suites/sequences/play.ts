import {
  accepted,
  answers,
  broken,
  createdIn,
  type Exchange,
  holds,
  ifDecided,
  learn,
  listedIn,
  type Outcome,
  statusOf,
  type Tag,
  type Target,
  Undecided,
  whatCame,
} from '../../lib/check.ts';
import { nameOf as nameOfForm } from '../names/forms.ts';
import { nameReuse } from '../open/ids.ts';
import { uniqueNames } from '../open/names.ts';
import { doDeletedIdsStayFree, isListed } from '../freed-ids.ts';
import { inventId } from '../unknown-ids.ts';
import { faultInList, isMatch, type ListFault } from './look.ts';
import { init, isFormerName, mayBeRefused, step, type Account, type AnsweredOperation } from './model.ts';
import { describeStep, NAME_COUNT, NEVER_MADE, type Step } from './steps.ts';

/**
 * Sends the steps of a case one after another, and checks that the answers and the lists agree with the model.
 *
 * @param forms the forms of its names; by default they are plain.
 */
export async function play(
  target: Target,
  steps: readonly Step[],
  forms: readonly string[] = [],
): Promise<Outcome> {
  const names = Array.from({ length: NAME_COUNT }, (_, at) => {
    const form = forms[at];
    return form === undefined ? target.name() : nameOfForm(target, form);
  });
  const run = new CaseRun(target, steps, names);
  const fault = (await run.takeSteps()) ?? (await run.checkEnding());
  if (fault === undefined) return holds();
  // Once it is known that the filter matches such names, they are no fault.
  if (await run.isOpenMatch()) return play(target, steps, forms);
  return broken(fault, ...run.exchanges);
}

/** A step that changes tags. */
type Write = Step & { readonly do: 'create' | 'rename' | 'delete' };

/** A step with its place in the case, from 0. */
interface PlacedStep {
  readonly step: Step;
  readonly at: number;
  /** Whether an earlier step of the same stretch deleted the tag. */
  readonly followsDelete: boolean;
}

/** The run of one case. Its methods return what is wrong, as a sentence, or undefined. */
class CaseRun {
  /** All exchanges of the case, except lists without a fault. */
  readonly exchanges: Exchange[] = [];
  readonly #target: Target;
  readonly #steps: readonly Step[];
  readonly #names: readonly string[];
  #account: Account = init;
  /** The ids of the tags, in the order of their creates; undefined if a create made no tag. */
  readonly #ids: (string | undefined)[] = [];
  /** Whether the target does not give the id of a deleted tag to the next tag at once. */
  #idsStayFree = false;
  /** The faults of lists. At the end of the case, several lists are looked at together. */
  readonly #listFaults: ListFault[] = [];

  constructor(target: Target, steps: readonly Step[], names: readonly string[]) {
    this.#target = target;
    this.#steps = steps;
    this.#names = names;
  }

  async takeSteps(): Promise<string | undefined> {
    this.#idsStayFree = await doDeletedIdsStayFree(this.#target);
    for (const stretch of stretchesOf(this.#steps)) {
      const take = async (): Promise<string | undefined> => {
        for (const one of stretch) {
          const fault = await this.#take(one);
          if (fault !== undefined) return fault;
        }
        return undefined;
      };
      const fault = await (stretch.length > 1 ? this.#target.run('without creates', take) : take());
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  /** Checks the list, and the lists filtered by each name that the case used. */
  async checkEnding(): Promise<string | undefined> {
    const used = new Set(
      this.#steps.flatMap((one) => (one.do === 'create' || one.do === 'rename' ? one.name : [])),
    );
    const faults = await Promise.all([
      this.#look(),
      ...[...used].map((name) => this.#look(this.#names[name])),
    ]);
    const first = faults.find((fault) => fault !== undefined);
    return first === undefined ? undefined : `in the end ${first}`;
  }

  /** Whether the fault is only that filters match in a way that is open. Then the tags of the case are deleted. */
  async isOpenMatch(): Promise<boolean> {
    const others = this.#listFaults.flatMap(({ otherName }) => otherName ?? []);
    const [first] = others;
    if (first === undefined || others.length < this.#listFaults.length) return false;
    if (!(await isMatch(this.#target, first))) return false;
    await this.#target.removeTags();
    return true;
  }

  async #take(placed: PlacedStep): Promise<string | undefined> {
    const { step: one, at } = placed;
    const place = `step ${at + 1} (${describeStep(one)})`;
    if (one.do === 'list' || one.do === 'filter') {
      const fault = await this.#look(one.do === 'filter' ? this.#names[one.name] : undefined);
      return fault === undefined ? undefined : `at ${place} ${fault}`;
    }
    const fault = await this.#write(one, placed.followsDelete);
    return fault === undefined ? undefined : `in ${place} ${fault}`;
  }

  async #look(filter?: string): Promise<string | undefined> {
    const found = await faultInList(this.#target, this.#account, new Set(this.#names), filter);
    if (found === undefined) return undefined;
    this.#listFaults.push(found);
    this.exchanges.push(...found.exchanges);
    return found.fault;
  }

  async #write(write: Write, followsDelete: boolean): Promise<string | undefined> {
    const operation =
      write.do === 'create' ? await this.#create(write.name) : await this.#change(write, followsDelete);
    if (operation === undefined) return undefined;
    const isSecondOfId =
      operation.do === 'create' && operation.tagId !== undefined && this.#account.tags.has(operation.tagId);
    const sameNameTwice = isSecondOfId ? await this.#mayNamesRepeat() : undefined;
    const isBackRefused =
      operation.do === 'rename' &&
      operation.status >= 400 &&
      isFormerName(this.#account, operation.name, operation.tagId);
    // After a delete, other checks are kept from creating tags, so a question that needs a tag must not be asked.
    const keepsNames = isBackRefused && !followsDelete ? await this.#areNamesKept() : undefined;
    const { account, fault } = step(this.#account, operation, { sameNameTwice, keepsNames });
    this.#account = account;
    return fault === undefined ? undefined : `the target ${fault}`;
  }

  /** Whether two tags may have the same name; undefined if that could not be decided. */
  async #mayNamesRepeat(): Promise<boolean | undefined> {
    const answer = await ifDecided(() => learn(this.#target, uniqueNames));
    return answer === undefined ? undefined : answer === 'no';
  }

  /** Whether the name of a deleted tag stays taken; undefined if that could not be decided. */
  async #areNamesKept(): Promise<boolean | undefined> {
    const answer = await ifDecided(() => learn(this.#target, nameReuse));
    return answer === undefined ? undefined : answer !== 'accepted';
  }

  async #create(number: number): Promise<AnsweredOperation> {
    const name = this.#names[number] ?? '';
    const exchange = this.#answered(await this.#target.create({ name }));
    const tagId = createdIn(exchange)?.tagId;
    if (accepted(exchange) && tagId === undefined)
      throw new Undecided('failure', `a create ${whatCame(exchange)} without a tag_id`, exchange);
    this.#ids.push(tagId);
    return { do: 'create', name, status: statusOf(exchange), ...(tagId === undefined ? {} : { tagId }) };
  }

  /**
   * Renames or deletes a tag. Sends nothing if the id of a deleted tag may be that of a stranger's tag now.
   *
   * @returns undefined if nothing was sent, or if the model does not cover the operation.
   */
  async #change(
    write: Write & { readonly do: 'rename' | 'delete' },
    followsDelete: boolean,
  ): Promise<AnsweredOperation | undefined> {
    const isInvented = write.tag === NEVER_MADE;
    const tagId = isInvented ? await this.#invent() : this.#ids[write.tag];
    if (tagId === undefined) return undefined;
    const exists = this.#account.tags.has(tagId);
    if (!exists && !isInvented && !(followsDelete && (await this.#isUnused(write.tag, tagId))))
      return undefined;
    if (write.do === 'delete') {
      const exchange = await this.#sent(tagId, () => this.#target.delete(tagId));
      // Which status an invented id gets depends on the form of the ids.
      return isInvented ? undefined : { do: 'delete', tagId, status: statusOf(exchange) };
    }
    const name = this.#names[write.name] ?? '';
    const open = !exists || mayBeRefused(this.#account, name, tagId);
    const rename = (): Promise<Exchange> => this.#target.rename(tagId, { name }, open ? { open } : undefined);
    return { do: 'rename', tagId, name, status: statusOf(await this.#sent(tagId, rename)) };
  }

  /** Sends an update or a delete. Repeats it after a 404 if the target shows new tags late. */
  async #sent(tagId: string, send: () => Promise<Exchange>): Promise<Exchange> {
    const exchange = this.#answered(await send());
    const name = this.#account.tags.get(tagId);
    const isUnknown = name !== undefined && statusOf(exchange) === 404;
    return isUnknown && (await this.#showsLate({ tagId, name })) ? this.#answered(await send()) : exchange;
  }

  /** Whether the target shows a new tag late, and shows this one by now. */
  async #showsLate(tag: Tag): Promise<boolean> {
    const isKnown = this.#target.signs('late-effect').length > 0;
    if (!isKnown && isListed(await this.#target.lookUp(tag.tagId, tag.name), tag)) return false;
    return (await this.#target.untilListed(tag.tagId, tag.name)).good;
  }

  /** Whether no tag has the id of a tag that was just deleted, and a younger tag keeps the target from reusing it. */
  async #isUnused(tag: number, tagId: string): Promise<boolean> {
    const hasYoungerTag = this.#ids.some(
      (id, other) => other > tag && id !== undefined && this.#account.tags.has(id),
    );
    if (!this.#idsStayFree || !hasYoungerTag || this.#account.uncertain.has(tagId)) return false;
    const name = [...(this.#account.namesHad.get(tagId) ?? [])].at(-1) ?? '';
    const { good, seen } = await this.#target.untilGone({ tagId, name });
    return good && !isListed(seen, { tagId });
  }

  /** Invents an id that no tag has, in the form of the issued ones; undefined if none was issued. */
  async #invent(): Promise<string | undefined> {
    const issued = this.#ids.filter((id) => id !== undefined);
    if (issued.length === 0) return undefined;
    const listed = listedIn(await this.#target.list()) ?? [];
    return inventId(
      issued,
      new Set([...listed.map(({ tagId }) => tagId), ...this.#target.facts.tags.map(({ tagId }) => tagId)]),
    );
  }

  /**
   * Records an exchange. Without an answer of the server the case ends, because it is unknown whether the request took
   * effect.
   */
  #answered(exchange: Exchange): Exchange {
    this.exchanges.push(exchange);
    if (exchange.answer === undefined || answers.isOfOutage(exchange))
      throw new Undecided('failure', `${answers.line(exchange)} ${whatCame(exchange)}`, exchange);
    return exchange;
  }
}

/**
 * Divides a case into stretches. A stretch is one step, or a delete with the next steps for the same tag. Such steps
 * are sent while the run creates no tag, so that the target cannot give the tag_id to another tag of the run.
 */
function stretchesOf(steps: readonly Step[]): readonly (readonly PlacedStep[])[] {
  const stretches: PlacedStep[][] = [];
  for (const [at, one] of steps.entries()) {
    const stretch = stretches.at(-1);
    const first = stretch?.[0]?.step;
    const followsDelete =
      first?.do === 'delete' && first.tag !== NEVER_MADE && 'tag' in one && one.tag === first.tag;
    const placed = { step: one, at, followsDelete };
    if (followsDelete && stretch !== undefined) stretch.push(placed);
    else stretches.push([placed]);
  }
  return stretches;
}
