import {
  type Exchange,
  ifDecided,
  type Requirement,
  Secret,
  type Tag,
  type Target,
  undecided,
  withCredential,
} from '../../lib/check.ts';
import { listBothAccounts } from '../accounts/both-lists.ts';
import { tokenWithoutUpdates } from '../scopes/probes.ts';
import { survey } from '../scopes/survey.ts';
import { tagToList } from '../listed-tags.ts';
import { refusedAll, refusesBearer, type TriedList, usernamesAsTokens } from './refusing.ts';
import { jwtOf } from './bearers.ts';
import { forge, type Forgery, FORMS, HEADERS } from './forgeries.ts';

/** Lists with each forgery, all filtered by the name of one tag, which they must not disclose. */
async function forgedLists(
  target: Target,
): Promise<{ readonly tag: Tag; readonly tried: Map<Forgery, TriedList>; readonly basic: TriedList }> {
  const isJwt = jwtOf((await target.token()).reveal()) !== undefined;
  const another = isJwt ? undefined : await ifDecided(() => tokenWithoutUpdates(target));
  return target.shared('forged tokens', 1, async (shared) => {
    const tag = await tagToList(shared);
    const tried = new Map<Forgery, TriedList>();
    for (const forgery of [...HEADERS, ...FORMS]) {
      if (forgery.effort === 'thorough' && shared.settings.effort !== 'thorough') continue;
      const forged = await forge(forgery, (await shared.token()).reveal(), another?.reveal());
      if (forged === undefined) continue;
      const departure = withCredential(`Bearer ${forged.token}`, `Bearer $TOKEN_${forgery.label}`);
      tried.set(forgery, { what: forged.what, list: await shared.list(tag.name, departure) });
    }
    const madeUp = `Basic ${Buffer.from(`${shared.name()}:${shared.name()}`).toString('base64')}`;
    const list = await shared.list(tag.name, withCredential(madeUp, 'Basic $MADE_UP'));
    return { tag, tried, basic: { what: 'made-up credentials of the scheme Basic', list } };
  });
}

const forged = (
  id: string,
  forgeries: readonly Forgery[],
  parts: Pick<Requirement, 'text' | 'cause'>,
): Requirement => ({
  id: `token/${id}`,
  effort: 'standard',
  section: '2',
  sentences: ['2/access-token-signed'],
  level: 'derived',
  derivation:
    'The token is a signed string (2), and the service has signed neither another header (RFC 7515, 5.1) nor another form.',
  ...parts,
  check: async (target) => {
    const { tag, tried } = await forgedLists(target);
    const own = forgeries.flatMap((forgery) => tried.get(forgery) ?? []);
    if (own.length === 0)
      return undecided('choice', 'the tokens of this target cannot be altered in this way');
    const outcome = refusedAll(tag, own);
    // A target may verify the tokens of each account in another way, for instance with a key for each account.
    const both = forgeries === FORMS ? await ifDecided(() => listBothAccounts(target)) : undefined;
    return outcome.kind === 'holds' && both?.forged !== undefined
      ? refusedAll(both.forged.tag, [both.forged])
      : outcome;
  },
});

/** The greatest length of a Cookie header that is sent: a target may refuse a longer one. */
const MOST_COOKIES = 4_000;

/** The cookies that a login has set, as a client sends them back (RFC 6265, 4.2); empty if there are none. */
function cookiesOf({ answer }: Exchange): string {
  const pairs = (answer?.headers ?? []).flatMap(([name, value]) =>
    name === 'set-cookie' ? (/^[^;=]+=[^;]+/.exec(value.trim())?.[0] ?? []) : [],
  );
  const text = pairs.join('; ');
  return text.length <= MOST_COOKIES && /^[\x20-\x7e]*$/.test(text) ? text : '';
}

/** Requirements about forged JWTs, and about other values in place of a token. */
export const forgedTokens: readonly Requirement[] = [
  forged('header-forged', HEADERS, {
    text: 'The list refuses a JWT with another header: without a signature, with another algorithm, with another key or with a secret that is easy to guess.',
    cause:
      'The server verifies a token in the way that the header of that token states, or with the secret of an example.',
  }),
  forged('form-forged', FORMS, {
    text: 'The list refuses a JWT of two segments, and one whose signature is longer, in another letter case or in reverse order. It also refuses a token that is not a JWT in another letter case or in reverse order, with more characters at its end, and without the part behind its last separator or with that of another token.',
    cause:
      'A missing segment counts as empty, or signatures are compared as prefixes, or without regard to case or order.',
  }),
  {
    id: 'token/replaced',
    effort: 'standard',
    section: '4',
    sentences: ['1/bearer', '4/bearer', '5/authorization-header', '5/authorization-purpose'],
    level: 'derived',
    derivation:
      'Every endpoint except login requires a bearer token (4), and neither a username, nor a cookie, nor a word such as null is one.',
    text: 'Every operation refuses the username in place of the token. The list also refuses a word for no value, a number, a wildcard, an injection, made-up credentials of the scheme Basic, and after a login the cookies of that login or no credentials.',
    cause:
      'The guard looks the token up among usernames or by a pattern, accepts a placeholder that clients without a token send, or falls back to the session of a browser or of an address.',
    tags: 2,
    check: async (target) => {
      const usernames = usernamesAsTokens(target);
      for (const { id } of usernames) {
        const outcome = await refusesBearer(target, id);
        if (outcome.kind !== 'holds') return outcome;
        await target.removeTags();
      }
      const cookies = cookiesOf(await target.login());
      const { bare } = await survey(target);
      const { tag, basic } = await forgedLists(target);
      const outcome = refusedAll(tag, [{ what: 'no token, soon after a login', list: bare }, basic]);
      if (outcome.kind !== 'holds' || cookies === '') return outcome;
      const own = await target.makeTag();
      const headers = { Cookie: new Secret(cookies, '$TOKEN_COOKIES') };
      const list = await target.list(own.name, { token: 'none', headers });
      return refusedAll(own, [{ what: 'the cookies of a login without a token', list }]);
    },
  },
];
