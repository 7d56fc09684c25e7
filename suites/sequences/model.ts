import { quote } from '../../lib/check.ts';

/**
 * A simple model of the account: the tags of one case, according to the answers so far. If the specification leaves
 * open what happens to a tag, the tag is uncertain from then on: a list may show it or not, with any name.
 *
 * Names are plain, so that every target keeps them unchanged.
 */
export interface Account {
  /** The names of the tags that exist, by id. */
  readonly tags: ReadonlyMap<string, string>;
  /** All names that each tag has or had, by id; deleted tags stay. */
  readonly namesHad: ReadonlyMap<string, ReadonlySet<string>>;
  /** The names of deleted tags whose ids were given to other tags. */
  readonly formerNames: ReadonlySet<string>;
  /** The ids of uncertain tags. */
  readonly uncertain: ReadonlySet<string>;
  /** The names in updates of missing tags. Such an update may make a tag, with any tag_id. */
  readonly uncertainNames: ReadonlySet<string>;
}

/** The lawful choices of the target, as far as the run knows them. */
export interface KnownChoices {
  /** Whether two tags may have the same name; undefined if the run does not know. */
  readonly sameNameTwice: boolean | undefined;
  /** Whether a former name of a tag stays taken, even for the same tag; undefined if the run does not know. */
  readonly keepsNames: boolean | undefined;
}

/** An operation with the status of its answer. */
export type AnsweredOperation =
  | { readonly do: 'create'; readonly name: string; readonly status: number; readonly tagId?: string }
  | { readonly do: 'rename'; readonly tagId: string; readonly name: string; readonly status: number }
  | { readonly do: 'delete'; readonly tagId: string; readonly status: number };

/** Listed tags, some of which may be strangers'. */
type ShownTags = readonly { readonly tagId: string; readonly name: unknown }[];

interface StepResult {
  /** The account after the operation. */
  readonly account: Account;
  /** What is wrong with the answer, as a clause. */
  readonly fault?: string;
}

export const init: Account = {
  tags: new Map(),
  namesHad: new Map(),
  formerNames: new Set(),
  uncertain: new Set(),
  uncertainNames: new Set(),
};

/** Returns the account after an answered operation, without changing the given account. */
export function step(account: Account, operation: AnsweredOperation, choices: KnownChoices): StepResult {
  switch (operation.do) {
    case 'create':
      return afterCreate(account, operation, choices);
    case 'rename':
      return afterRename(account, operation, choices);
    case 'delete':
      return afterDelete(account, operation);
  }
}

const isAccepted = (status: number): boolean => status >= 200 && status < 300;

/**
 * Whether the target may refuse a name. The specification does not show which names must be unique (2), so a target may
 * refuse every name that another tag has or had, and the current name of the tag itself.
 */
export const mayBeRefused = (account: Account, name: string, tagId?: string): boolean =>
  (tagId !== undefined && account.tags.get(tagId) === name) ||
  account.formerNames.has(name) ||
  [...account.namesHad].some(([other, names]) => other !== tagId && names.has(name));

/** Whether the tag has had the name, and has another one now. */
export const isFormerName = ({ tags, namesHad }: Account, name: string, tagId: string): boolean =>
  tags.get(tagId) !== name && namesHad.get(tagId)?.has(name) === true;

function afterCreate(
  account: Account,
  { name, status, tagId }: AnsweredOperation & { do: 'create' },
  { sameNameTwice }: KnownChoices,
): StepResult {
  if (!isAccepted(status)) {
    return mayBeRefused(account, name)
      ? { account }
      : { account, fault: `answered ${status}, although no tag has or had the name` };
  }
  if (tagId === undefined) return { account };
  const existingName = account.tags.get(tagId);
  if (existingName === undefined) {
    const formerNames = new Set([...account.formerNames, ...(account.namesHad.get(tagId) ?? [])]);
    return { account: withTag({ ...account, formerNames }, tagId, name) };
  }
  // If names are unique, a create may be answered with the existing tag of that name.
  if (existingName === name && sameNameTwice !== true) return { account };
  return { account, fault: `answered the tag_id of an existing tag, named ${quote(existingName)}` };
}

function afterRename(
  account: Account,
  { tagId, name, status }: AnsweredOperation & { do: 'rename' },
  { keepsNames }: KnownChoices,
): StepResult {
  if (account.uncertain.has(tagId)) return { account };
  if (account.tags.has(tagId)) {
    if (isAccepted(status)) return { account: withTag(account, tagId, name) };
    const isKept = keepsNames === true && isFormerName(account, name, tagId);
    return isKept || mayBeRefused(account, name, tagId)
      ? { account }
      : { account, fault: `answered ${status}, although the tag exists and the name is free` };
  }
  // The answer to an update of a missing tag is open (7), and such a PUT may make the tag. After a 5xx, too, the tag
  // may have been made.
  const mayHaveMadeIt = isAccepted(status) || status >= 500;
  return { account: mayHaveMadeIt ? withUncertainTag(account, tagId, name) : account };
}

function afterDelete(account: Account, { tagId, status }: AnsweredOperation & { do: 'delete' }): StepResult {
  if (account.uncertain.has(tagId)) return { account };
  if (account.tags.has(tagId)) {
    const tags = new Map(account.tags);
    tags.delete(tagId);
    return isAccepted(status)
      ? { account: { ...account, tags } }
      : { account, fault: `answered ${status}, although the tag exists` };
  }
  return status === 404
    ? { account }
    : { account, fault: `answered ${status}, not 404, although the tag does not exist` };
}

function withTag(account: Account, tagId: string, name: string): Account {
  const uncertain = new Set(account.uncertain);
  uncertain.delete(tagId);
  return {
    ...account,
    tags: new Map(account.tags).set(tagId, name),
    namesHad: withName(account, tagId, name),
    uncertain,
  };
}

const withUncertainTag = (account: Account, tagId: string, name: string): Account => ({
  ...account,
  namesHad: withName(account, tagId, name),
  uncertain: new Set(account.uncertain).add(tagId),
  uncertainNames: new Set(account.uncertainNames).add(name),
});

const withName = ({ namesHad }: Account, tagId: string, name: string): Account['namesHad'] =>
  new Map(namesHad).set(tagId, new Set(namesHad.get(tagId)).add(name));

/** How a list differs from the account. */
export interface Difference {
  /** Existing tags that the list does not show; they may be on another page. */
  readonly missing: readonly { readonly tagId: string; readonly name: string }[];
  /** What the list shows wrongly, as a clause. */
  readonly fault?: string;
}

/**
 * Compares the account with the tags that a list shows.
 *
 * @param names all names of the case: an unknown tag with none of these names is a stranger's.
 * @param filter the name by which the list is filtered.
 */
export function compare(
  account: Account,
  shown: ShownTags,
  names: ReadonlySet<string>,
  filter?: string,
): Difference {
  const missing = [...account.tags]
    .filter(([tagId, name]) => (filter ?? name) === name && !shown.some((tag) => tag.tagId === tagId))
    .map(([tagId, name]) => ({ tagId, name }));
  for (const { tagId, name } of shown) {
    if (account.uncertain.has(tagId)) continue;
    const isNameOfCase = typeof name === 'string' && names.has(name);
    const expected = account.tags.get(tagId);
    if (expected !== undefined && name !== expected)
      return { missing, fault: `shows the tag named ${quote(expected)} as ${quote(name)}` };
    // If the id of a deleted tag is listed with a name that the case does not use, the target gave the id to a
    // stranger's tag.
    if (expected === undefined && isNameOfCase && !account.uncertainNames.has(name)) {
      const history = account.namesHad.has(tagId) ? 'that was deleted' : 'that was never made';
      return { missing, fault: `shows a tag named ${quote(name)} ${history}` };
    }
  }
  return { missing };
}
