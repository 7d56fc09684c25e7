import { ANY_LITERALS, STRING_LITERALS, unquoted } from '../http/wording.ts';
import { HARMLESS_MEMBERS } from '../judging/list-text.ts';
import type { StandIns } from './stand-ins.ts';

const COLON = /\s{0,19}:/y;

/**
 * A list in which stand-ins replace texts of other people. The same text always gets the same stand-in. All else stays
 * as the target wrote it.
 *
 * @param isJson whether it is JSON. In other lists, names may stand without quotation marks, or in another encoding.
 */
export function withoutOthersTexts(
  list: string,
  isOwn: (text: string) => boolean,
  standIns: StandIns,
  isJson: boolean,
): string {
  let member = '';
  const quoted = list.replace(isJson ? STRING_LITERALS : ANY_LITERALS, (literal, at: number) => {
    const text = unquoted(literal);
    COLON.lastIndex = at + literal.length;
    if (COLON.test(list)) {
      member = text;
      return literal;
    }
    if (HARMLESS_MEMBERS.has(member) || text === '' || isOwn(text)) return literal;
    const standIn = standIns.of(text, 'text');
    return literal.startsWith("'") ? `'${standIn}'` : JSON.stringify(standIn);
  });
  return isJson ? quoted : standIns.inUnreadable(quoted);
}
