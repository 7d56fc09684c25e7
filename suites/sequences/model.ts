import { quote } from '../../lib/check.ts';

/**
 * A simple model of the account: what a sequence of answers says of the tags that one case made. It claims nothing of
 * what the specification leaves open: such a tag is doubtful from then on, and whatever is shown of it is right.
 *
 * Names are plain, so that the form in which a target keeps names does not show in them.
 */
export interface Account {
  /** Names of the tags that are there, by id. */
  readonly tags: ReadonlyMap<string, string>;
  /** Every name that a tag bore, by id; ids of tags that are gone are kept. */
  readonly bore: ReadonlyMap<string, ReadonlySet<string>>;
  /** Tags that may be there or not, and under which name, because a lawful choice of the target decides. */
  readonly doubtful: ReadonlySet<string>;
}

/** What the run has seen of the target's lawful choices; undefined: nothing. */
export interface Known {
  /** A second tag can be made of a name that a tag has. */
  readonly sameNameTwice: boolean | undefined;
}

/** An operation as it was answered. Its status is 200 to 299 where it was accepted. */
export type Done =
  | { readonly do: 'create'; readonly name: string; readonly status: number; readonly tagId?: string }
  | { readonly do: 'rename'; readonly tagId: string; readonly name: string; readonly status: number }
  | { readonly do: 'delete'; readonly tagId: string; readonly status: number };

/** Tags that were shown, of which strangers' may be some. */
export type Shown = readonly { readonly tagId: string; readonly name: unknown }[];

/** What comes next, and what is wrong with the answer, as a clause. */
export interface Next {
  readonly account: Account;
  readonly wrong?: string;
}

export const init: Account = { tags: new Map(), bore: new Map(), doubtful: new Set() };

/** The account after an operation was answered. Never changes the one before. */
export function step(account: Account, done: Done, known: Known): Next {
  switch (done.do) {
    case 'create':
      return created(account, done, known);
    case 'rename':
      return renamed(account, done);
    case 'delete':
      return deleted(account, done);
  }
}

const isAccepted = (status: number): boolean => status >= 200 && status < 300;

/**
 * Whether a name may be refused: what must not be taken twice is not shown (2), so that it may be any name which
 * another tag has or had, and the one that the tag has already.
 */
export const mayBeRefused = (account: Account, name: string, tagId?: string): boolean =>
  (tagId !== undefined && account.tags.get(tagId) === name) ||
  [...account.bore].some(([other, names]) => other !== tagId && names.has(name));

function created(account: Account, done: Done & { do: 'create' }, { sameNameTwice }: Known): Next {
  const { name, status, tagId } = done;
  if (!isAccepted(status)) {
    return mayBeRefused(account, name)
      ? { account }
      : { account, wrong: `answered ${status}, though no tag has or had the name` };
  }
  if (tagId === undefined) return { account };
  const holder = account.tags.get(tagId);
  if (holder === undefined) return { account: withTag(account, tagId, name) };
  // Where names are unique, a create may be answered with the tag that has the name.
  if (holder === name && sameNameTwice !== true) return { account };
  return { account, wrong: `answered the tag_id of a tag that is there, named ${quote(holder)}` };
}

function renamed(account: Account, { tagId, name, status }: Done & { do: 'rename' }): Next {
  if (account.doubtful.has(tagId)) return { account };
  if (account.tags.has(tagId)) {
    if (isAccepted(status)) return { account: withTag(account, tagId, name) };
    return mayBeRefused(account, name, tagId)
      ? { account }
      : { account, wrong: `answered ${status}, though the tag is there and the name is free` };
  }
  // What an update of nothing is answered is not shown (8), and a PUT may make what it names.
  return { account: isAccepted(status) ? withDoubt(account, tagId, name) : account };
}

function deleted(account: Account, { tagId, status }: Done & { do: 'delete' }): Next {
  if (account.doubtful.has(tagId)) return { account };
  if (account.tags.has(tagId)) {
    const tags = new Map(account.tags);
    tags.delete(tagId);
    return isAccepted(status)
      ? { account: { ...account, tags } }
      : { account, wrong: `answered ${status}, though the tag is there` };
  }
  return status === 404
    ? { account }
    : { account, wrong: `answered ${status}, not 404, though the tag is gone` };
}

function withTag(account: Account, tagId: string, name: string): Account {
  const doubtful = new Set(account.doubtful);
  doubtful.delete(tagId);
  return {
    tags: new Map(account.tags).set(tagId, name),
    bore: withName(account, tagId, name),
    doubtful,
  };
}

const withDoubt = (account: Account, tagId: string, name: string): Account => ({
  ...account,
  bore: withName(account, tagId, name),
  doubtful: new Set(account.doubtful).add(tagId),
});

const withName = ({ bore }: Account, tagId: string, name: string): Account['bore'] =>
  new Map(bore).set(tagId, new Set(bore.get(tagId)).add(name));

/** How what a list shows differs from the account. Empty: it does not. */
export interface Difference {
  /** Tags that are there and are not shown; a page may lawfully leave them out. */
  readonly missing: readonly { readonly tagId: string; readonly name: string }[];
  /** What is shown and cannot be, as a clause. */
  readonly wrong?: string;
}

/**
 * Compares the account with tags that a list shows.
 *
 * @param names all names of the case: of tags that it does not know, those are strangers' that have none of these.
 * @param filter the name by which the list is filtered.
 */
export function compare(
  account: Account,
  shown: Shown,
  names: ReadonlySet<string>,
  filter?: string,
): Difference {
  const missing = [...account.tags]
    .filter(([tagId, name]) => (filter ?? name) === name && !shown.some((tag) => tag.tagId === tagId))
    .map(([tagId, name]) => ({ tagId, name }));
  for (const { tagId, name } of shown) {
    if (account.doubtful.has(tagId)) continue;
    const isOfCase = typeof name === 'string' && names.has(name);
    const right = account.tags.get(tagId);
    if (right !== undefined && name !== right)
      return { missing, wrong: `shows the tag named ${quote(right)} as ${quote(name)}` };
    // An id of a tag that is gone may stand for somebody else's by now.
    if (right === undefined && isOfCase) {
      const fate = account.bore.has(tagId) ? 'that was deleted' : 'that nobody made';
      return { missing, wrong: `shows a tag named ${quote(name)} ${fate}` };
    }
  }
  return { missing };
}

/** Whether two accounts are the same to whoever looks. */
export const equal = (one: Account, other: Account): boolean =>
  one.tags.size === other.tags.size &&
  [...one.tags].every(([tagId, name]) => other.tags.get(tagId) === name) &&
  one.doubtful.size === other.doubtful.size &&
  [...one.doubtful].every((tagId) => other.doubtful.has(tagId));
