import { broken, type Exchange, holds, statusOf, type Suite, whatCame } from '../lib/check.ts';
import { invalidTokens } from './tokens/altered.ts';
import { forgedTokens } from './tokens/forged.ts';
import { missingToken } from './tokens/missing.ts';
import { fromTheControlPanel, standsForTheAccount } from './tokens/of-the-account.ts';
import { otherPaths, otherScheme } from './tokens/other-paths.ts';
import { tour } from './tour.ts';

export const tokens: Suite = {
  topic: 'token',
  requirements: [
    {
      id: 'token/suffices',
      section: '5',
      sentences: [
        '1/bearer',
        '2/access-token-meaning',
        '5/scheme',
        '5/substitute',
        '5/from-login',
        '5/authorization-header',
        '5/content-type-value',
        '5/accept-value',
        '5/authorization-value',
      ],
      level: 'required',
      text: 'An operation needs only a valid bearer token and the other headers of section 5.',
      cause:
        'A session cookie, a CSRF token or an API key is expected beside the token, or only some workers accept it.',
      tags: 0,
      check: async (target) => {
        const { operations } = await tour(target);
        const refused = operations.find(
          (exchange) => [401, 407, 419].includes(statusOf(exchange)) || isRedirect(exchange),
        );
        return refused === undefined
          ? holds()
          : broken(
              `${whatCame(refused)} to a request with a valid token and the headers of section 5`,
              refused,
            );
      },
    },
    ...missingToken,
    otherPaths,
    ...invalidTokens,
    ...forgedTokens,
    otherScheme,
    standsForTheAccount,
    fromTheControlPanel,
  ],
};

const isRedirect = (exchange: Exchange): boolean => statusOf(exchange) >= 300 && statusOf(exchange) < 400;
