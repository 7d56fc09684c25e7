import {
  accepted,
  broken,
  holds,
  type Outcome,
  type Requirement,
  type Target,
  whatCame,
  withCredential,
} from '../../lib/check.ts';
import { discloses, disclosesAny } from '../disclosure.ts';
import { tagToList } from '../listed-tags.ts';
import { misreadWrites, TAGS_OF_MISREAD, WITHOUT_TOKEN } from '../misread.ts';

const withSlash = (path: string): string => `${path}/`;

/**
 * Other spellings of the path of the list, which a router may accept although the guard of the route does not recognise
 * them.
 */
const WAYS: readonly ((path: string) => string)[] = [
  withSlash,
  (path) => path.replace(/a(?=gging)/, '%61'),
  (path) => path.replace('/tagging', '//tagging'),
  (path) => path.toUpperCase(),
];

/** Headers that may mark a request as one of a proxy, of the server itself or of a browser session. */
const TRUSTED = {
  Accept: '*/*',
  Cookie: 'session=1; logged_in=true',
  'X-Forwarded-For': '127.0.0.1',
  'X-User-Id': '1',
};

/**
 * An empty filter, which may be treated apart from a missing one, and the path of the login in a parameter that the list
 * does not have: a faulty guard may look for that path anywhere in the URL. Another may ask only whether there is a token.
 */
const QUERY = 'tag=&next=/api/v2/auth/login&access_token=1&token=1&api_key=1';

async function listsNothing(target: Target): Promise<Outcome> {
  const tag = await tagToList(target);
  for (const path of WAYS) {
    const list = await target.list(undefined, { token: 'none', path, open: true });
    if (accepted(list) && disclosesAny(list, tag))
      return broken(
        `without a token, the list with this spelling of its path ${whatCame(list)}, and holds tags`,
        list,
      );
  }
  const trusted = await target.list({ query: QUERY }, { token: 'none', headers: TRUSTED, open: true });
  return accepted(trusted) && disclosesAny(trusted, tag)
    ? broken(
        `without a token, but with an empty filter, the path of the login and made-up tokens in its query, a cookie and headers of proxies, the list ${whatCame(trusted)}, and holds tags`,
        trusted,
      )
    : holds();
}

export const otherPaths: Requirement = {
  id: 'token/missing-on-other-paths',
  effort: 'standard',
  section: '4',
  sentences: ['1/bearer', '4/bearer', '5/authorization-header'],
  level: 'derived',
  derivation:
    'Every endpoint but login requires a token (4), so no spelling of its path gives access to tags without one.',
  text: 'Without an Authorization header, no tag is listed, made, updated or deleted, in any spelling of the path, and with any query and other headers.',
  cause:
    'The guard compares the path with a pattern, and the router reads it more liberally, or a header that anybody may send is trusted.',
  tags: 1 + TAGS_OF_MISREAD,
  check: async (target) => {
    const outcome = await listsNothing(target);
    return outcome.kind === 'holds' ? misreadWrites(target, WITHOUT_TOKEN) : outcome;
  },
};

export const otherScheme: Requirement = {
  id: 'token/other-scheme',
  effort: 'standard',
  section: '5',
  sentences: ['5/scheme', '5/authorization-header', '5/authorization-value'],
  level: 'advisory',
  text: 'A valid token with another scheme than Bearer, or with none, is refused.',
  cause: 'The guard takes the last word of the Authorization header.',
  tags: 1,
  check: async (target) => {
    const tag = await tagToList(target);
    const token = (await target.token()).reveal();
    for (const scheme of ['Token ', '']) {
      const departure = withCredential(`${scheme}${token}`, `${scheme}$TOKEN`);
      const list = await target.list(tag.name, departure);
      if (discloses(list, tag)) {
        return broken(
          `the list ${whatCame(list)} to a valid token with ${scheme === '' ? 'no scheme' : 'the scheme Token'}, and holds the account's tags`,
          list,
        );
      }
    }
    return holds();
  },
};
