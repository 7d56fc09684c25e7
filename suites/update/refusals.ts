import {
  accepted,
  broken,
  holdsWithWarning,
  type Exchange,
  type Pair,
  quote,
  refuses,
  type Requirement,
  statusOf,
  type Tag,
  type Target,
  Undecided,
  whatCame,
} from '../../lib/check.ts';
import { NO_NAMES, TEXT_LIKE } from '../invalid-names.ts';
import { holdsAsHidden, holdsAsTaken, isTakenText } from '../taken-text.ts';
import { nameNow } from './effect.ts';

const INVALID = [...NO_NAMES, ...TEXT_LIKE];

/** An update to an invalid name, and its effect. */
interface Refusal {
  readonly tag: Tag;
  readonly pair: Pair;
  /** The name that the tag is listed with afterwards. */
  readonly kept: unknown;
  /** No list shows the tag, but it may be on the next page. */
  readonly isHidden: boolean;
  readonly traces: readonly string[];
  /** It was refused because the text of the value is taken as a name. */
  readonly isTaken: boolean;
  readonly exchanges: readonly Exchange[];
}

/** Updates a tag to each kind of invalid name in turn, once in a run, beside the same with a valid one. */
async function refusal(target: Target, id: string): Promise<Refusal> {
  const refusals = await target.shared(
    'updates-to-invalid-names',
    3,
    async (shared): Promise<ReadonlyMap<string, Refusal>> => {
      const [other, first] = await shared.makeTwoTags();
      let tag = first;
      const twin = await shared.rename(other.tagId, { name: shared.name() });
      const asked = (shared.settings.effort === 'quick' ? NO_NAMES.slice(0, 1) : INVALID).map(
        ({ id, body }) => ({ id, ...body(shared, 'update') }),
      );
      const together = await refusedTogether(shared, tag, twin, asked);
      if (together !== undefined) return together;
      const found = new Map<string, Refusal>();
      await shared.delete(tag.tagId);
      if (shared.facts.room === 0) return found;
      tag = await shared.makeTag();
      for (const { id: row, body, traces } of asked) {
        const pair = await shared.pair({
          accepted: () => twin,
          refused: () => shared.rename(tag.tagId, body),
        });
        const names = accepted(pair.refused) ? traces : [tag.name];
        const { seen } = await shared.until(
          // On pages, only the filter by its new name may find the tag.
          () => shared.lookUp(tag.tagId, ...new Set([tag.name, ...names])),
          ({ entries }) =>
            entries.some(({ tagId, name }) => tagId === tag.tagId && names.includes(String(name))),
        );
        const own = seen.entries.filter(({ tagId }) => tagId === tag.tagId).map(({ name }) => name);
        // Of two lists, one may show the name of before for a while.
        const kept = own.find((name) => names.includes(String(name))) ?? own[0];
        const isTaken = await isTakenText(shared, pair.refused, traces);
        const isHidden = kept === undefined && seen.mayGoOn === true;
        found.set(row, { tag, pair, kept, isHidden, traces, isTaken, exchanges: seen.exchanges });
        if (kept === tag.name) continue;
        // The next body needs an unchanged tag.
        await shared.delete(tag.tagId);
        if (shared.facts.room === 0) break;
        tag = await shared.makeTag();
      }
      return found;
    },
  );
  const refusal = refusals.get(id);
  if (refusal === undefined)
    throw new Undecided('failure', 'tags that earlier updates to invalid names changed cannot be removed');
  return refusal;
}

/**
 * Sends all these updates of one tag. One look shows that none of them had an effect.
 *
 * @returns undefined where one was accepted, is refused as taken, or had an effect: then each needs a look of its own.
 */
async function refusedTogether(
  target: Target,
  tag: Tag,
  twin: Exchange,
  asked: readonly { readonly id: string; readonly body: unknown; readonly traces: readonly string[] }[],
): Promise<ReadonlyMap<string, Refusal> | undefined> {
  const pairs: Pair[] = [];
  for (const { body } of asked) {
    const pair = await target.pair({ accepted: () => twin, refused: () => target.rename(tag.tagId, body) });
    if (accepted(pair.refused) || statusOf(pair.refused) === 409) return undefined;
    pairs.push(pair);
  }
  const { entries, exchanges } = await target.lookUp(tag.tagId, tag.name);
  const own = entries.filter(({ tagId }) => tagId === tag.tagId);
  if (own.length === 0 || own.some(({ name }) => name !== tag.name)) return undefined;
  const parts = { tag, kept: tag.name, isHidden: false, isTaken: false, exchanges };
  return new Map(
    asked.flatMap(({ id, traces }, at) => {
      const pair = pairs[at];
      return pair === undefined ? [] : [[id, { ...parts, pair, traces }]];
    }),
  );
}

/** Requirements about updates to invalid names. */
export const refusedUpdates = INVALID.map(({ id, what, sentences }): Requirement => ({
  id: `update/${id}`,
  ...(id === 'name-missing' ? {} : { effort: 'standard' as const }),
  section: id === 'name-missing' ? '7' : '4.3',
  sentences: sentences.update,
  level: 'required',
  text: `An update ${what} is answered 422, and the tag keeps its name.`,
  cause: 'The name is stored without a check of its type, or the check answers with another status.',
  check: async (target) => {
    const { tag, pair, kept, isHidden, traces, isTaken, exchanges } = await refusal(target, id);
    const isTextLike = TEXT_LIKE.some((like) => like.id === id);
    if (accepted(pair.refused) && isTextLike && traces.some((text) => text === kept)) {
      return holdsWithWarning(
        `${whatCame(pair.refused)}, not 422: the value was converted to the string ${quote(kept)}`,
        pair.refused,
      );
    }
    if (isTaken && kept === tag.name) return holdsAsTaken(pair.refused);
    if (accepted(pair.refused) && isTextLike && isHidden) return holdsAsHidden(pair.refused);
    const status = refuses(pair, 422);
    if (status.kind === 'broken' || kept === tag.name) return status;
    return broken(`${whatCame(pair.refused)}, yet ${nameNow(kept, tag)}`, pair.refused, ...exchanges);
  },
}));
