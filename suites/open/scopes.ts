import { z } from 'zod';
import { accepted, open, SCOPES, TAG_OPERATIONS, type TagOperation, Undecided } from '../../lib/check.ts';
import { scopeProbes } from '../scopes/probes.ts';
import { tour } from '../tour.ts';

const operation = z.enum(['create', 'update', 'list', 'delete']);
const permitted = z.union([z.array(operation), z.literal('no token')]);

export const scopeMatrix = open({
  id: 'open/scopes',
  section: '2',
  sentences: ['2/scope-mutation-read-only', '5/scope-permissions'],
  text: 'Which scopes permit which operations with tags?',
  key: 'scopes',
  when: 'early',
  answers: z.object(Object.fromEntries(SCOPES.map((scope) => [scope, permitted]))),
  tell: (answer) =>
    Object.entries(answer)
      .map(([scope, operations]) =>
        operations === 'no token'
          ? `A login for the scope ${scope} gives no token.`
          : `The scope ${scope} permits ${operations.join(', ') || 'nothing with tags'}.`,
      )
      .join(' '),
  ask: async (target) => {
    const probes = await scopeProbes(target);
    const alone = probes.filter(({ scopes }) => scopes.length === 1);
    if (alone.length === 0) throw new Undecided('choice', 'no login for a single scope gave a token');
    // If a login ends earlier tokens, the token for api alone is not probed, because the run itself uses it.
    const { operations } = await tour(target);
    const works = new Set(operations.filter(accepted).map(({ ask }) => ask.operation));
    const permitsOf = (scope: string): readonly TagOperation[] | undefined => {
      const probe = alone.find(({ scopes }) => scopes[0] === scope);
      if (probe !== undefined) return TAG_OPERATIONS.filter((name) => probe.permits[name]);
      return scope === 'api' ? TAG_OPERATIONS.filter((name) => works.has(name)) : undefined;
    };
    return {
      answer: Object.fromEntries(
        SCOPES.map((scope) => {
          const names = permitsOf(scope)?.map((name) => (name === 'rename' ? 'update' : name));
          return [scope, names ?? 'no token'];
        }),
      ),
      exchanges: alone.flatMap(({ asked }) => [asked.create]),
    };
  },
});
