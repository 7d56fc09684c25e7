import { z } from 'zod';
import { undecidable } from '../../lib/outcome.ts';
import { open } from '../../lib/requirement.ts';
import { scopeProbes, TAG_OPERATIONS } from '../scope-probes.ts';

const operation = z.enum(['create', 'update', 'list', 'delete']);
const permitted = z.union([z.array(operation), z.literal('no token')]);

/** The scopes of section 2, in its order. */
const SCOPES = ['api', 'user', 'user_read', 'bank', 'bank_read', 'mutation', 'mutation_read'] as const;

export const scopeMatrix = open({
  id: 'open/scopes',
  section: '2',
  text: 'Which scopes permit which operations with tags?',
  key: 'scopes',
  answers: z.object(Object.fromEntries(SCOPES.map((scope) => [scope, permitted]))),
  tell: (answer) =>
    Object.entries(answer)
      .map(([scope, what]) => `${scope}: ${what === 'no token' ? what : what.join(', ') || 'nothing'}`)
      .join('; '),
  ask: async (target) => {
    const probes = await scopeProbes(target);
    const alone = probes.filter(({ scopes }) => scopes.length === 1);
    if (alone.length === 0) throw undecidable('no login for one scope alone gave a token');
    return {
      answer: Object.fromEntries(
        SCOPES.map((scope) => {
          const probe = alone.find(({ scopes }) => scopes[0] === scope);
          const permits = TAG_OPERATIONS.filter((name) => probe?.permits[name] === true);
          const names = permits.map((name) => (name === 'rename' ? 'update' : name));
          return [scope, probe === undefined ? 'no token' : names];
        }),
      ),
      exchanges: alone.flatMap(({ asked }) => [asked.create]),
    };
  },
});
