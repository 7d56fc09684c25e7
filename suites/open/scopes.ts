import { z } from 'zod';
import { open, spec, type TagOperation, Undecided } from '../../lib/check.ts';
import { operationsOfApi, scopeProbes } from '../scopes/probes.ts';

const operation = z.enum(['create', 'update', 'list', 'delete']);
const permitted = z.union([z.array(operation), z.literal('no token')]);

export const scopeMatrix = open({
  id: 'open/scopes',
  section: '2',
  sentences: ['2/scope-mutation-read-only', '5/scope-permissions'],
  text: 'Which scopes permit which operations with tags?',
  key: 'scopes',
  when: 'early',
  answers: z.object(Object.fromEntries(spec.scopes.map((scope) => [scope, permitted]))),
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
    const permitsOf = async (scope: string): Promise<readonly TagOperation[] | undefined> => {
      const probe = alone.find(({ scopes }) => scopes[0] === scope);
      if (probe !== undefined) return spec.tagOperations.filter((name) => probe.permits[name]);
      // If a login ends earlier tokens, the token for api alone is not probed, because the run itself uses it.
      return scope === 'api' ? operationsOfApi(target, probes) : undefined;
    };
    const answers = spec.scopes.map(async (scope) => {
      const names = (await permitsOf(scope))?.map((name) => (name === 'rename' ? 'update' : name));
      return [scope, names ?? 'no token'] as const;
    });
    return {
      answer: Object.fromEntries(await Promise.all(answers)),
      exchanges: alone.flatMap(({ asked }) => [asked.create]),
    };
  },
});
