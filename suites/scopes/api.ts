import {
  answers,
  broken,
  holds,
  type Requirement,
  spec,
  statusOf,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { howRefused } from './probe.ts';
import { probeAgain, probesAndTwin, whyNotProbed } from './probes.ts';
import { survey } from './survey.ts';
import { tour } from '../tour.ts';

export const apiPermitsAll: Requirement = {
  id: 'scope/api-permits-all',
  section: '2',
  sentences: ['2/scope-api-grants', '4.1/scopes-meaning', '5/scopes-full'],
  level: 'required',
  text: 'A token with the scope api may create, update, list and delete.',
  cause:
    'The permissions of a route list other scopes but not api, or the scopes of the latest login hold for all tokens of the account.',
  check: async (target) => {
    const { operations } = await tour(target);
    const refused = operations.find((exchange) => [401, 403].includes(statusOf(exchange)));
    if (refused !== undefined)
      return broken(`${answers.line(refused)} ${whatCame(refused)} to a token with the scope api`, refused);
    if (target.settings.effort === 'quick') return holds();
    const { still, back } = await survey(target);
    return back === undefined
      ? holds()
      : broken(
          `after a login for user_read, an earlier token with the scope api ${whatCame(still)}, and after another login for api the same token ${whatCame(back)}`,
          still,
          back,
        );
  },
};

export const apiAmongOthers: Requirement = {
  id: 'scope/api-among-others',
  effort: 'standard',
  section: '2',
  sentences: ['2/scope-api-grants', '4.1/scopes-type', '4.1/scopes-meaning', '5/scopes-full'],
  level: 'derived',
  derivation: 'api gives access to all endpoints (2), and a token has every scope that it was granted (4.1).',
  text: 'A token with api and other scopes, in any place, permits what a token with api alone permits.',
  cause: 'Only the first or the last scope counts, or the narrowest one wins.',
  check: async (target) => {
    const { twin, probes } = await probesAndTwin(target);
    const widened = probes.filter(({ scopes }) => scopes.includes('api') && scopes.length > 1);
    if (widened.length === 0)
      return undecided(whyNotProbed(target), 'no token with api and another scope could be probed');
    for (const probe of widened) {
      const refused = twin.find((operation) => !probe.permits[operation]);
      if (refused !== undefined) {
        // The refusal may have another reason, such as an expired token or a full account.
        const again = await probeAgain(target, probe.scopes);
        if (again === undefined || again.permits[refused]) continue;
        if ((await probeAgain(target, ['api'], { fresh: false }))?.permits[refused] !== true)
          return undecided('failure', `a token with api alone may not ${spec.nameOf(refused)} any more`);
        const exchange = probe.asked[refused];
        return broken(
          `a token with the scopes ${probe.scopes.join(', ')} may not ${spec.nameOf(refused)}: ${howRefused(exchange)}`,
          exchange,
          ...probe.looks,
        );
      }
    }
    return holds();
  },
};
