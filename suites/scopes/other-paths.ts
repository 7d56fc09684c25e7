import { type Requirement, undecided } from '../../lib/check.ts';
import { misreadWrites, TAGS_OF_MISREAD, withNarrowToken } from '../misread.ts';
import { tokensEnd } from './survey.ts';

export const limitedOnOtherPaths: Requirement = {
  id: 'scope/limited-on-other-paths',
  effort: 'standard',
  section: '5',
  sentences: ['5/scopes-limit'],
  level: 'derived',
  derivation:
    'A token is limited by its scopes (5), so no spelling of a path and no header gives it more permissions.',
  text: 'A token that may not create, update or delete cannot do so with another spelling of the path, a query or other headers, either.',
  cause:
    'The scopes that an operation needs are looked up by the whole address or by a header, and the router reads it in another way.',
  tags: TAGS_OF_MISREAD,
  check: async (target) => {
    const narrow = await withNarrowToken(target);
    if (narrow !== undefined) return misreadWrites(target, narrow);
    return undecided(
      'choice',
      (await tokensEnd(target))
        ? 'logins end earlier tokens, or tokens soon expire, so no token of few scopes lasts for this check'
        : 'no token is limited by its scopes',
    );
  },
};
