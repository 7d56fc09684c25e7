import {
  accepted,
  answers,
  type Exchange,
  listedIn,
  type Secret,
  type Target,
  withCredential,
} from '../../lib/check.ts';

/** A shorter part may be somebody's username. */
const FEWEST = 4;

const isNumbered = (text: string): boolean => /\p{N}/u.test(text);

/**
 * The right username without its last character, and without its first. Most likely nobody has these. Accounts are
 * often numbered, so no digit is left out.
 */
export function partsOf(username: string): string[] {
  const characters = [...username];
  if (characters.length <= FEWEST) return [];
  const [first = '', last = ''] = [characters.at(0), characters.at(-1)];
  return [
    ...(isNumbered(last) ? [] : [characters.slice(0, -1).join('')]),
    ...(isNumbered(first) ? [] : [characters.slice(1).join('')]),
  ];
}

/**
 * Whether a login with a part of the username gave the token of somebody else's account, who has that username and the
 * same password. A list with the token then does not show the tag of this account.
 */
export async function isSomebodyElses(
  target: Target,
  username: string | Secret,
  login: Exchange,
): Promise<boolean> {
  const parts: readonly (string | Secret)[] = partsOf(target.credentials.username);
  if (!parts.includes(username) || !accepted(login)) return false;
  const [token, { keeper }] = [answers.token(login), target.facts];
  if (token === undefined || keeper === null) return true;
  const list = await target.list(keeper.name, withCredential(`Bearer ${token}`, 'Bearer $TOKEN_OF_PART'));
  return listedIn(list)?.some(({ tagId }) => tagId === keeper.tagId) !== true;
}
