import type { StandIns } from './stand-ins.ts';

/** Members whose text says nothing about a tag. */
const HARMLESS_MEMBERS: ReadonlySet<string> = new Set(['tag_id', 'id', 'message', 'error', 'code', 'status']);

const STRING = /"(?:[^"\\]|\\.)*"?/gs;
/** A whole literal without escapes. */
const PLAIN = /^"[^"\\]*"$/;
const COLON = /\s{0,19}:/y;

/**
 * A list in which texts of other people are replaced by stand-ins: the same one for the same text, wherever it stands.
 * All else stays as the target wrote it.
 */
export function withoutOthersTexts(
  list: string,
  isOwn: (text: string) => boolean,
  standIns: StandIns,
): string {
  let member = '';
  return list.replace(STRING, (literal, at: number) => {
    const text = unquoted(literal);
    COLON.lastIndex = at + literal.length;
    if (COLON.test(list)) {
      member = text;
      return literal;
    }
    if (HARMLESS_MEMBERS.has(member) || text === '' || isOwn(text)) return literal;
    return JSON.stringify(standIns.of(text, 'text'));
  });
}

function unquoted(literal: string): string {
  // Most are plain, and there are many.
  if (PLAIN.test(literal)) return literal.slice(1, -1);
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}
