import { ifDecided, Secret, statusOf, type Target, Undecided, withCredential } from '../../lib/check.ts';
import type { Pair } from '../pair.ts';
import { type Lookalike, LOOKALIKES } from './lookalikes.ts';
import { isSomebodyElses } from './partial-usernames.ts';
import { isTaken, loginWith, type UnknownUsernamePair, withUnknownUsername } from './wrong-logins.ts';
import { mayBeSame } from './wrong-passwords.ts';

/** A refused login with a lookalike. */
interface LookalikePair extends Pair {
  readonly text: string | Secret;
  /** Whether the login presents a valid token. */
  readonly isBesideToken: boolean;
}

/** The logins with the lookalikes of one row that are wrong for certain; sent once in a run. */
export const lookalikePairs = (
  target: Target,
  { id, field, scopes, isLastBesideToken, values }: Lookalike,
): Promise<readonly LookalikePair[]> =>
  target.shared(`lookalikes ${id}`, 0, async (shared) => {
    const { username, password } = shared.credentials;
    const texts = values(shared).filter((value) => {
      const text = value instanceof Secret ? value.reveal() : value;
      return field === 'username' ? !isTaken(shared, text) : !mayBeSame(text, password.reveal());
    });
    if (texts.length === 0)
      throw new Undecided('tester', 'the given credentials cannot be changed in this way');
    const token = isLastBesideToken === true ? await ifDecided(() => shared.token()) : undefined;
    const asked = texts.map(async (text, at) => {
      const isBesideToken = token !== undefined && at === texts.length - 1;
      const overrides = isBesideToken
        ? withCredential(`Bearer ${token.reveal()}`, `Bearer ${token.label}`)
        : undefined;
      // A faulty target may compare passwords only if certain scopes are requested.
      const pair = await loginWith(shared, { username, password, [field]: text }, { scopes, overrides });
      return (await isSomebodyElses(shared, text, pair.refused)) ? [] : { ...pair, text, isBesideToken };
    });
    return (await Promise.all(asked)).flat();
  });

/** The number of further unknown usernames that must get the same message. */
const FURTHER = 2;

/** Refused logins with further unknown usernames: if possible, those that another check sends anyway. */
export async function furtherUnknown(
  target: Target,
  status: number,
): Promise<readonly UnknownUsernamePair[]> {
  const rows =
    target.settings.effort === 'quick' ? [] : LOOKALIKES.filter(({ field }) => field === 'username');
  const sent = await Promise.all(rows.map((row) => lookalikePairs(target, row)));
  const all: UnknownUsernamePair[] = sent
    .flat()
    .filter(({ refused }) => statusOf(refused) === status)
    .map((pair) => ({ ...pair, username: String(pair.text) }))
    .slice(0, FURTHER);
  while (all.length < FURTHER) all.push(await withUnknownUsername(target));
  return all;
}
