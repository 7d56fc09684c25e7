import { type RequestOverrides, Secret, statusOf, type Target } from '../../lib/check.ts';
import { type Pair, sendPair } from '../pair.ts';
import { spareAccount } from '../spare-account.ts';
import { madeUpLike, oneCharacterOff, shuffled, usernameLike } from './made-up.ts';
import { GARBLED } from './mistyped.ts';
import { isSomebodyElses, partsOf } from './partial-usernames.ts';
import { mayBeSame } from './wrong-passwords.ts';
import { loginInTurn } from './turns.ts';

interface WrongPasswordPair extends Pair {
  /** The wrong password that was sent. */
  readonly password: Secret;
}

export interface UnknownUsernamePair extends Pair {
  /** The username that was sent. */
  readonly username: string;
}

const isInvalid = ({ refused }: Pair): boolean => statusOf(refused) === 422;

/** A login with a wrong password for the right username; sent once in a run. */
export function wrongPassword(target: Target): Promise<WrongPasswordPair> {
  return target.shared('wrong-password', 0, async (shared) => {
    const right = shared.credentials.password.reveal();
    const isRight = (made: string): boolean => mayBeSame(made, right);
    const turned = otherInside(right, isRight);
    if (turned !== undefined) return withPassword(shared, turned, '$PASSWORD_TURNED_INSIDE');
    const first = await withPassword(shared, madeUpLike(right, isRight));
    // A target may refuse a made-up password for its form, but not one with the characters of the right password.
    const anagram = isInvalid(first) ? shuffled(right, isRight) : undefined;
    if (anagram === undefined) return first;
    const second = await withPassword(shared, anagram, '$PASSWORD_TURNED');
    return isInvalid(second) ? first : second;
  });
}

/** Only the middle is changed if the password has at least this length. */
const LONG = 10;

/** The share of the characters that stays unchanged at each end. */
const END_SHARE = 1 / 3;

/**
 * The right password with the characters of its middle in another order: a target that compares only the ends, the
 * length or a sum of the characters accepts it. Undefined if the password is too short or would stay the same.
 */
function otherInside(right: string, isRight: (made: string) => boolean): string | undefined {
  const characters = [...right];
  if (characters.length < LONG) return undefined;
  const kept = Math.floor(characters.length * END_SHARE);
  const inside = characters.slice(kept, -kept).join('');
  const [start, end] = [characters.slice(0, kept).join(''), characters.slice(-kept).join('')];
  const turned = shuffled(inside, (made) => isRight(`${start}${made}${end}`));
  return turned === undefined ? undefined : `${start}${turned}${end}`;
}

async function withPassword(
  target: Target,
  text: string,
  label = '$WRONG_PASSWORD',
): Promise<WrongPasswordPair> {
  const { username } = target.credentials;
  const pair = await loginWith(target, { username, password: new Secret(text, label) });
  return { ...pair, password: new Secret(sentIn(pair).password, label) };
}

/**
 * A login with a username that nobody has, sent once in a run. If possible, it is a part of the right username, which a
 * target that compares only a part accepts.
 */
export function unknownUsername(target: Target): Promise<UnknownUsernamePair> {
  return target.shared('unknown-username', 0, async (shared) => {
    const { username } = shared.credentials;
    const [part] = partsOf(username).filter((one) => !isTaken(shared, one));
    const first = await (part === undefined ? withUnknownUsername(shared) : withUsername(shared, part));
    const isSomebodys = await isSomebodyElses(shared, first.username, first.refused);
    if (!isInvalid(first) && !isSomebodys) return first;
    // A target may refuse a made-up username for its form. The right one with one character changed has a valid form.
    const near = oneCharacterOff(username);
    if (near === undefined || isTaken(shared, near)) return isSomebodys ? withUnknownUsername(shared) : first;
    const second = await withUsername(shared, near);
    return isInvalid(second) && !isSomebodys ? first : second;
  });
}

/** A login with another username that nobody has. */
export const withUnknownUsername = (target: Target): Promise<UnknownUsernamePair> =>
  withUsername(
    target,
    usernameLike(target.credentials.username, (made) => isTaken(target, made)),
  );

/** Whether a username belongs to an account of the run, in any letter case. */
export function isTaken(target: Target, username: string): boolean {
  const known = [target.credentials.username, spareAccount(target).credentials.username];
  return known.some((one) => one.toLowerCase() === username.toLowerCase());
}

/** Logs in with a wrong username and the right password, because a target may look up an account by its password. */
async function withUsername(target: Target, username: string): Promise<UnknownUsernamePair> {
  const { password } = target.credentials;
  const pair = await loginWith(target, { username, password });
  return { ...pair, username: sentIn(pair).username };
}

/**
 * The wrong value that was sent. It is read from the exchange, because recorded evidence contains placeholders for
 * invented values.
 */
function sentIn({ refused }: Pair): { readonly username: string; readonly password: string } {
  const { body } = refused.ask;
  const text = body instanceof Secret ? body.reveal() : String(body);
  return JSON.parse(text) as ReturnType<typeof sentIn>;
}

/**
 * A login with these credentials, paired with the right login. A field that is undefined is left out.
 *
 * @param how.account the account whose credentials are changed; the first one by default.
 */
export function loginWith(
  target: Target,
  fields: { readonly username: unknown; readonly password: unknown },
  how: {
    readonly account?: Target;
    readonly scopes?: readonly string[] | undefined;
    readonly overrides?: RequestOverrides | undefined;
  } = {},
): Promise<Pair> {
  const { account = target, scopes = ['api'], overrides } = how;
  const revealed = (value: unknown): unknown => (value instanceof Secret ? value.reveal() : value);
  const masked = (value: unknown): unknown => (value instanceof Secret ? value.label : value);
  const body = (written: (value: unknown) => unknown): string =>
    JSON.stringify({
      username: written(fields.username),
      password: written(fields.password),
      scopes,
    });
  const areStrings = [fields.username, fields.password].every(
    (value) => (typeof value === 'string' && value !== '') || value instanceof Secret,
  );
  const login = new Secret(body(revealed), body(masked));
  const presents =
    fields.username === account.credentials.username
      ? 'a wrong password'
      : typeof fields.username === 'number'
        ? 'unlikely credentials'
        : 'other wrong credentials';
  return sendPair({
    accepted: () => account.login(),
    refused: () =>
      loginInTurn(target, account, presents, () =>
        // The specification leaves open how an incomplete login is answered.
        areStrings
          ? account.sendLogin(login, overrides)
          : account.sendLogin(login, { ...overrides, open: true }),
      ),
  });
}

/** The logins of one row of `GARBLED`; sent once in a run. */
export function garbledLogins(target: Target, row: string): Promise<readonly Pair[]> {
  return target.shared(`garbled ${row}`, 0, async (shared) => {
    const rows = GARBLED.filter(({ id }) => id === row);
    const account = rows.some(({ isOfFirst }) => isOfFirst === true) ? shared : spareAccount(shared);
    const { username, password } = account.credentials;
    const logins = rows.flatMap(({ field, values }) =>
      values.map((value) => ({ username, password, [field]: value })),
    );
    return Promise.all(logins.map((fields) => loginWith(shared, fields, { account })));
  });
}
