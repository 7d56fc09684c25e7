import { type Exchange, listedIn, type Tag } from '../lib/check.ts';

/**
 * Whether an answer discloses a tag: its name, which appears nowhere else. If the request itself contained the name, a
 * refusal may repeat it, so that only the name together with the id counts.
 */
export function discloses(exchange: Exchange, { tagId, name }: Tag): boolean {
  // JSON escapes can hide an id or a name from a search of the text.
  if (listedIn(exchange)?.some((tag) => tag.tagId === tagId && tag.name === name) === true) return true;
  const { ask, answer } = exchange;
  const text = new TextDecoder().decode(answer?.bytes);
  if (!text.includes(name)) return false;
  const id = tagId.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return !ask.path.includes(name) || new RegExp(`(?<![\\p{L}\\p{N}])${id}(?![\\p{L}\\p{N}])`, 'u').test(text);
}
