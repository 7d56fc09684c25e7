import { accepted, type Exchange, listedIn, literalPattern, spec, type Tag } from '../lib/check.ts';
import { showsNamed } from './listed-tags.ts';

/** An id of this form may occur in an answer by chance, for instance in a time or a status. */
const ORDINARY_ID = /^[\da-z]{1,7}$/i;

/**
 * Whether an answer discloses a tag, that is, contains its name. If the request itself contained the name, a refusal
 * may repeat it. Then only the name together with the tag_id counts.
 */
export function discloses(exchange: Exchange, tag: Tag): boolean {
  // JSON escapes can hide an id or a name from a search of the text.
  if (showsNamed(exchange, tag)) return true;
  const { ask, answer } = exchange;
  const text = new TextDecoder().decode(answer?.bytes);
  if (!text.includes(tag.name)) return false;
  if (!ask.path.includes(tag.name)) return true;
  if (isRepeated(text, ask.path, tag)) return false;
  if (holdsTag(exchange.answer?.json.value, tag)) return true;
  return !ORDINARY_ID.test(tag.tagId) && wordPattern(tag.tagId).test(text);
}

/** A pattern that matches a text as a whole word. */
export const wordPattern = (text: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${literalPattern(text)}(?![\\p{L}\\p{N}])`, 'u');

/** Whether a text has the name of a tag only inside its id, as in a slug, and the request addressed the tag by that id. */
function isRepeated(text: string, path: string, { tagId, name }: Tag): boolean {
  const forms = [tagId, spec.encodedId(tagId)];
  const isAddressed = path.slice(path.lastIndexOf('/') + 1) === forms[1];
  return isAddressed && !forms.reduce((rest, form) => rest.replaceAll(form, ''), text).includes(name);
}

/** Whether an answer that must disclose nothing discloses this tag, or any other tag as an entry of a list. */
export const disclosesAny = (exchange: Exchange, tag: Tag): boolean =>
  discloses(exchange, tag) || (accepted(exchange) && (listedIn(exchange)?.length ?? 0) > 0);

/** Whether a JSON value contains an object with the name of a tag and, in a member for ids, its tag_id. */
function holdsTag(value: unknown, tag: Tag): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members = Object.entries(value);
  const isTag =
    members.some(([, member]) => member === tag.name) &&
    members.some(([key, member]) => /(^|_|[a-z])id$/i.test(key) && String(member) === tag.tagId);
  return isTag || members.some(([, member]) => holdsTag(member, tag));
}
