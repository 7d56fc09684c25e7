import { statusOf } from '../lib/http/exchange.ts';
import { lineOf, whatCame } from '../lib/http/wording.ts';
import { broken, holds } from '../lib/outcome.ts';
import type { Suite } from '../lib/requirement.ts';
import { tour } from './tour.ts';

export const scopes: Suite = {
  topic: 'scope',
  requirements: [
    {
      id: 'scope/api-permits-all',
      section: '2',
      level: 'required',
      text: 'A token with the scope api may create, update, list and delete.',
      check: async (target) => {
        const { operations } = await tour(target);
        const refused = operations.find((exchange) => [401, 403].includes(statusOf(exchange)));
        return refused === undefined
          ? holds()
          : broken(`${lineOf(refused)} ${whatCame(refused)} to a token with the scope api`, refused);
      },
    },
  ],
};
