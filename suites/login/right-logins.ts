import {
  accepted,
  answers,
  broken,
  createdIn,
  type Exchange,
  holds,
  ifDecided,
  type Outcome,
  type Requirement,
  Secret,
  type Tag,
  type Target,
  undecided,
  whatCame,
  withCredential,
} from '../../lib/check.ts';
import { discloses } from '../disclosure.ts';
import { accountForTags } from '../spare-account.ts';
import { loginInTurn, loginsInTurn } from './turns.ts';
import { loginsEndTokens } from '../scopes/survey.ts';
import { isScopeRefusal } from '../scopes/widened.ts';

/** A create with a plain name. */
interface PlainCreate {
  readonly account: Target;
  readonly name: string;
  readonly create: Exchange;
}

/** What was sent at the same time, each for the first and then for the second account. */
interface AtOnce {
  readonly logins: readonly Exchange[];
  readonly creates: readonly PlainCreate[];
}

/**
 * A right login of the second account, sent with the token of the first: some clients send the token that they have with every
 * request. If the target accepts no login with a token, the login is sent again without one.
 */
async function loginBesideToken({ second }: Target, token: Secret | undefined): Promise<Exchange> {
  if (token === undefined) return second.sendLogin();
  const overrides = withCredential(`Bearer ${token.reveal()}`, `Bearer ${token.label}`);
  const login = await second.sendLogin(undefined, { ...overrides, open: true });
  return accepted(login) && answers.token(login) !== undefined ? login : second.sendLogin();
}

/**
 * Right logins of both accounts, sent at the same time as creates with earlier tokens, one for each account in which tags can be
 * made. The account whose login failed just before comes last, because a faulty target may give the next login the token of the
 * account that failed.
 */
async function bothAtOnce(target: Target): Promise<AtOnce> {
  const accounts = [target, target.second];
  const makers = accounts.slice(0, (await accountForTags(target)) === target ? 1 : 2);
  const token = await ifDecided(() => target.token());
  let creates: readonly PlainCreate[] = [];
  const create = async (account: Target): Promise<PlainCreate> => {
    const name = account.name();
    return { account, name, create: await account.create({ name }) };
  };
  const logins = await loginsInTurn(target, accounts, async (failed) => {
    const isSecondLast = failed === target.second.credentials.username;
    const inOrder = isSecondLast ? accounts : accounts.toReversed();
    const [sent, made] = await target.run('simultaneously', () =>
      Promise.all([
        Promise.all(
          inOrder.map((account) =>
            account === target ? account.sendLogin() : loginBesideToken(target, token),
          ),
        ),
        Promise.all(makers.map(create)),
      ]),
    );
    creates = made;
    return isSecondLast ? sent : sent.toReversed();
  });
  return { logins, creates };
}

/** The tag of a create, once its own account lists it. */
async function listedTag({ account, name, create }: PlainCreate): Promise<Tag | Outcome> {
  const tagId = createdIn(create)?.tagId;
  if (!accepted(create) || tagId === undefined)
    return undecided('failure', `a create beside logins ${whatCame(create)}`, create);
  const { seen, good } = await account.untilListed(tagId, name);
  return good
    ? { tagId, name }
    : broken(
        'a create that was sent at the same time as two logins is acknowledged, but its account does not list the tag',
        create,
        ...seen.exchanges,
      );
}

const isWithToken = ({ ask }: Exchange): boolean =>
  ask.headers.some(([name]) => name.toLowerCase() === 'authorization');

/** The list filtered by a tag's name, with the token of a login. */
const listWith = (target: Target, login: Exchange, name: string): Promise<Exchange> =>
  target.list(name, withCredential(`Bearer ${answers.token(login)}`, 'Bearer $TOKEN'));

/**
 * Deletes a tag with the token of its account's login, for api. A token that was refused because it had ended, or was not valid yet,
 * is told from a limited one by a list that it is given.
 */
async function limitedToken(target: Target, login: Exchange, tag: Tag): Promise<Outcome | undefined> {
  const credential = withCredential(`Bearer ${answers.token(login)}`, 'Bearer $TOKEN');
  if (!isScopeRefusal(await target.delete(tag.tagId, credential))) return undefined;
  const list = await listWith(target, login, tag.name);
  if (!discloses(list, tag)) return undefined;
  const again = await target.delete(tag.tagId, credential);
  if (!isScopeRefusal(again)) return undefined;
  const earlier = await target.delete(tag.tagId);
  if (!accepted(earlier)) return undecided('failure', `the delete ${whatCame(earlier)}`, again, earlier);
  return broken(
    `a delete with the token of a login for api, sent at the same time as another login, ${whatCame(again)}, but a list with it shows the tag, and the delete with an earlier token ${whatCame(earlier)}`,
    login,
    list,
    again,
    earlier,
  );
}

/** Requirements about right logins that a faulty target refuses, or answers with the token of another account. */
export const rightLogins: readonly Requirement[] = [
  {
    id: 'login/json-escapes',
    effort: 'standard',
    section: '4.1',
    sentences: ['4.1/body', '4.1/username-type', '4.1/password-type'],
    level: 'derived',
    derivation:
      'Neither escapes nor the order of members change the value of a JSON text (RFC 8259, 1 and 7), and the body of a login is JSON (4).',
    text: 'A login whose members are in another order and written with JSON escapes is given a token.',
    cause:
      'The body is searched as text, read in a fixed order, or parsed by something other than a JSON parser.',
    when: 'logins',
    logins: 1,
    check: async (target) => {
      const { escaped, plain } = await escapedLogin(target);
      if (plain === undefined) return holds();
      return accepted(plain) && answers.token(plain) !== undefined
        ? broken(
            `${whatCame(escaped)}${accepted(escaped) ? ' without a token' : ''}, though the body means the same as one that is accepted`,
            escaped,
            plain,
          )
        : undecided('failure', `a login ${whatCame(plain)}`, plain);
    },
  },
  {
    id: 'login/at-once',
    effort: 'standard',
    section: '5',
    sentences: ['5/substitute', '5/from-login'],
    level: 'derived',
    derivation:
      'A token is a substitute for the username and password that it was obtained with (5), whatever other logins are under way, and whatever token the client sends with a login, which needs none (4).',
    text: 'If both accounts log in at the same time, one of them with a token of the other account, each is given a token of its own account that permits what api permits, and creates meanwhile are those of their tokens. Neither login ends a token of the other account.',
    cause:
      'The user is kept in a variable that all requests share while the password is verified, the token that comes with a login counts before its credentials, one session is kept for all users, or a token is kept for a while for each user, whatever scopes a login asks for.',
    when: 'logins',
    logins: 2,
    signs: ['token-ended-by-another'],
    // A login that a lock refuses is sent again, with its creates.
    tags: 4,
    check: async (target) => {
      // If logins end earlier tokens, the run's next login would end both tokens before they are used.
      if (await loginsEndTokens(target))
        return undecided('choice', 'a login ends the tokens of the account before it');
      const { logins, creates } = await bothAtOnce(target);
      const [login, other] = logins;
      if (login === undefined || other === undefined) throw new Error('two logins have no two answers');
      const [tag, theirs] = await Promise.all(creates.map(listedTag));
      if (tag !== undefined && 'kind' in tag) return tag;
      if (theirs !== undefined && 'kind' in theirs) return theirs;
      for (const [own, foreign, beside] of [
        [login, theirs, ''],
        [other, tag, isWithToken(other) ? ' and whose token came with the login' : ''],
      ] as const) {
        if (answers.token(own) === undefined)
          return undecided('failure', `a login beside another ${whatCame(own)} without a token`, own);
        if (foreign === undefined) continue;
        const list = await listWith(target, own, foreign.name);
        if (discloses(list, foreign))
          return broken(
            `the token of a login shows the tags of the other account, which logged in at the same time${beside}`,
            own,
            list,
          );
      }
      const limited = await Promise.all([
        tag && limitedToken(target, login, tag),
        theirs && limitedToken(target.second, other, theirs),
      ]);
      return limited.find((outcome) => outcome !== undefined) ?? holds();
    },
  },
];

/** No other set of several scopes of the run begins with api, and none has the same last scope. */
export const ESCAPED_SCOPES = ['api', 'user', 'mutation'];

/** A right login that is written with JSON escapes. */
interface EscapedLogin {
  readonly escaped: Exchange;
  /** The same login without escapes, sent only if the other one was given no token. */
  readonly plain?: Exchange;
}

/** The JSON text of a string with every character escaped (RFC 8259, 7). */
const inEscapes = (text: string): string =>
  `"${Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;

/** Logs in with escapes for a set of scopes; done once in a run. */
export const escapedLogin = (target: Target): Promise<EscapedLogin> =>
  target.shared('escaped-login', 0, async (shared) => {
    const { username, password } = shared.credentials;
    const scopes = ESCAPED_SCOPES.map(inEscapes).join(', ');
    const body = (secret: string): string =>
      // Two names are plain: a pattern that looks for them has to decode the values, and to find them in any order.
      ` { "password":\t${secret},\n"scop\\u0065s": [ ${scopes} ], "username" :${inEscapes(username)} } `;
    const login = new Secret(body(inEscapes(password.reveal())), body(`"${password.label}_IN_ESCAPES"`));
    const escaped = await loginInTurn(shared, shared, 'a right login', () => shared.sendLogin(login));
    const isRight = accepted(escaped) && answers.token(escaped) !== undefined;
    return isRight ? { escaped } : { escaped, plain: await shared.login(ESCAPED_SCOPES) };
  });
