import type { Suite } from '../lib/check.ts';
import { accounts } from './accounts.ts';
import { create } from './create.ts';
import { deletion } from './delete.ts';
import { errors } from './errors.ts';
import { list } from './list.ts';
import { login } from './login.ts';
import { names } from './names.ts';
import { questions } from './open/index.ts';
import { overlap } from './overlap.ts';
import { scopes } from './scopes.ts';
import { sequences } from './sequences.ts';
import { tokens } from './tokens.ts';
import { transport } from './transport.ts';
import { update } from './update.ts';

/** Everything that an implementation must do, in the order in which reports show it. */
export const suites: readonly Suite[] = [
  transport,
  login,
  tokens,
  scopes,
  create,
  update,
  list,
  deletion,
  errors,
  names,
  sequences,
  overlap,
  accounts,
  questions,
];

export const catalogue = suites.flatMap(({ requirements }) => requirements);
