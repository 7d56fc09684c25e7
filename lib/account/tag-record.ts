import { accepted, type Exchange } from '../http/exchange.ts';
import { whatCame } from '../http/wording.ts';
import type { Listed } from '../spec/reading.ts';
import { folded } from './names.ts';

/**
 * `intended`: a create was sent, and nothing shows yet that it made the tag. `deleting`: a delete is under way, so the
 * target may give the tag_id to another tag at any time.
 */
type TagState = 'intended' | 'refused' | 'alive' | 'deleting' | 'removed';

/** A tag that the run made, or may have made. */
export class OwnedTag {
  readonly key: number;
  state: TagState = 'intended';
  tagId: string | undefined;
  /** Every name that the run gave the tag or tried to give it, in this order. */
  readonly names: Set<string>;
  /** The name that it has, as far as answers and lists have shown; at first the one in its create. */
  name: string;
  /** The acknowledged updates, their names, and when they were sent, by `performance.now()`. */
  readonly updates: { readonly name: string; readonly sentAt: number; readonly exchange: Exchange }[] = [];
  /** Its create was never sent, so it made no tag. */
  isUnsent = false;
  /** Its create is not answered yet. */
  isUnderWay = false;
  /** When its create was given up without an answer, by `performance.now()`: the target may carry it out later. */
  givenUpAt: number | undefined;
  /** A list showed the tag_id with one of these names, which proves that the tag is the run's. */
  isSeen = false;
  /** When the last list that showed it as its own was requested, by `performance.now()`. */
  shownAt = -Infinity;
  /** A list showed it with another tag_id than before. */
  hasOtherId = false;
  /** When its create was about to be sent, by `performance.now()`. */
  readonly intendedAt = performance.now();
  /** When an answer or a list showed the tag_id, by `performance.now()`. */
  madeAt: number | undefined;
  /** The same for its first tag_id: an update may wrongly give the tag another one. */
  firstMadeAt: number | undefined;
  /** A request that should have been refused, or whose answer was lost, may have deleted it. */
  mayBeGone = false;
  /** A delete that should have been refused, or whose success may mean a refusal, was acknowledged. */
  isLikelyGone = false;
  /** It counts as not made: the target refused the update that might have made it, or no list shows it. */
  isUnfound = false;
  /** The answer to its create may be a refusal of the token: some targets refuse tokens with 200. */
  mayBeRefused = false;
  /** Its create, if it was acknowledged. */
  creation: Exchange | undefined;
  /** The tag in the answer to its create. */
  given: Listed | undefined;
  /** The stranger's name with which a list showed the tag_id of the create's answer. */
  shownAs: string | undefined;
  /** The unknown tag_id whose update may have made it: then the target did not assign the tag_id. */
  updatedId: string | undefined;
  /** That update was refused. */
  isOfRefusedUpdate = false;
  /** Its create was sent with another token than the run's. */
  isOfOtherToken = false;
  /** Its create was sent again because the first answer was lost, and the first one may have made a tag as well. */
  mayBeTwice = false;
  /** Further tags that the same create made. */
  readonly copies: OwnedTag[] = [];
  /** Its create, if it was clearly refused, and when the answer came, by `performance.now()`. */
  refusal: Exchange | undefined;
  refusedAt = Infinity;
  /** When the tag was first deleted or found to be gone, by `performance.now()`, and the first delete, if there was one. */
  removedAt: number | undefined;
  removal: Exchange | undefined;
  /** Those of its names that lists no longer showed after its removal. */
  readonly notShownAs = new Set<string>();
  /** The target refused to delete the tag when the run tried to remove it. */
  refusesDelete = false;
  /** A delete of the tag ended, and as far as the run knows the tag still exists. */
  withstoodDelete = false;
  /** The delete that is under way. */
  deletion: Promise<unknown> | undefined;
  /** The delete was acknowledged, but the tag is still listed. */
  outlivedDelete = false;
  /** Updates and deletes under way. */
  writes = 0;
  /** When the last of them ended, by `performance.now()`. */
  writtenAt = 0;
  /** Writes overlapped, or one followed the removal without being refused: their answers do not show the state of the tag. */
  isContended = false;

  constructor(key: number, names: readonly string[]) {
    this.key = key;
    this.names = new Set(names);
    this.name = names[0] ?? '';
  }

  /** An update of an unknown tag_id may have made it. */
  get isOfUpdate(): boolean {
    return this.updatedId !== undefined;
  }

  /** The create was acknowledged without a tag_id. */
  get isAcknowledged(): boolean {
    return this.creation !== undefined && this.given === undefined;
  }
}

/**
 * The acknowledged update of some tag to this name that was sent after the create of another tag. If a list shows that other tag with
 * the name, the update is more likely to be at fault than the create.
 */
export const updateAfter = (
  { startedAt }: Exchange,
  tags: readonly TagRecord[],
  name: unknown,
): Exchange | undefined =>
  tags.flatMap(({ updates }) => updates).findLast((one) => one.name === name && one.sentAt > startedAt)
    ?.exchange;

/** A tag as all modules but `Tags` see it: read-only. */
export type TagRecord = Readonly<Omit<OwnedTag, 'names' | 'updates'>> & {
  readonly names: ReadonlySet<string>;
  readonly updates: readonly OwnedTag['updates'][number][];
};

/** Facts about a tag that, once known, stay true. `OwnedTag` explains them. */
export type Mark =
  | 'isLikelyGone'
  | 'isOfOtherToken'
  | 'isOfRefusedUpdate'
  | 'isUnfound'
  | 'mayBeGone'
  | 'isUnsent'
  | 'mayBeTwice'
  | 'refusesDelete';

/** What showed that a tag was gone, as a clause. */
export function howGone({ removal }: Pick<TagRecord, 'removal'>): string {
  if (removal === undefined) return 'a list showed that a tag was gone';
  return accepted(removal) ? 'a delete was acknowledged' : `a delete ${whatCame(removal)}`;
}

/**
 * The tag with these letters in its name whose create has no clear answer, or was sent twice. A create under way does not
 * count: until it is answered, a listed tag of that name may also be somebody's copy.
 */
export const unconfirmedOf = (records: readonly TagRecord[], letters: string): TagRecord | undefined =>
  records.find(
    ({ state, names, isUnderWay, mayBeTwice }) =>
      !isUnderWay &&
      (state === 'intended' || state === 'refused' || mayBeTwice) &&
      [...names].some((name) => folded(name).includes(letters)),
  );
