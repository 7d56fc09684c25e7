import { ANY_LITERALS, unquoted } from '../http/wording.ts';

/** How many tags of a list are shown. */
const MOST_TAGS = 25;

/** Members whose text says nothing about a tag. */
export const HARMLESS_MEMBERS: ReadonlySet<string> = new Set([
  'tag_id',
  'id',
  'message',
  'error',
  'code',
  'status',
]);

/** What stands for the name of another user's tag. */
export const ANOTHERS = "[another's]";

/**
 * The JSON of a list without other people's names, which are their data. The tags that are meant come first, then the
 * run's own, so that cutting the list never hides the ones that matter.
 *
 * @param meant tag_ids and names of the tags that a finding is about, which its sentence shows as well.
 */
export function listText(
  body: object,
  isOwn: (name: string) => boolean,
  meant: ReadonlySet<string> = new Set(),
): string {
  const kept = (value: unknown, key: string): unknown => {
    if (typeof value === 'string')
      return isOwn(value) || meant.has(value) || HARMLESS_MEMBERS.has(key) ? value : ANOTHERS;
    if (Array.isArray(value)) return value.map((item) => kept(item, ''));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, kept(item, name)]));
  };
  const tags: unknown = 'tagging' in body ? body.tagging : undefined;
  if (!Array.isArray(tags)) return JSON.stringify(kept(body, ''));
  const having = (test: (text: string) => boolean): ((tag: unknown) => boolean) => {
    return (tag) => textsIn(tag).some(test);
  };
  const isMeant = having((text) => meant.has(text));
  const isMine = tags.length <= 10 ? (): boolean => true : having(isOwn);
  const placeOf = (tag: unknown): number => (isMeant(tag) ? 0 : isMine(tag) ? 1 : 2);
  const ordered = tags.toSorted((one, other) => placeOf(one) - placeOf(other));
  const shown = JSON.stringify(kept({ ...body, tagging: ordered.slice(0, MOST_TAGS) }, ''));
  return tags.length > MOST_TAGS ? `${shown} and ${tags.length - MOST_TAGS} more tags` : shown;
}

/** The strings in a value, names of members among them. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => [name, ...textsIn(item)]);
}

/** Text that is not JSON without any quoted text that is neither the run's nor the name of a member. */
export const withoutNames = (text: string, isOwn: (name: string) => boolean): string =>
  text.replace(ANY_LITERALS, (literal, at: number) =>
    isOwn(unquoted(literal)) || /^\s*:/.test(text.slice(at + literal.length, at + literal.length + 20))
      ? literal
      : `"${ANOTHERS}"`,
  );
