import type { Evidence } from '../judging/evidence.ts';
import { LOGIN_PATH, TAGGING_PATH, type Operation } from '../spec/operations.ts';

/** The operation that an exchange carries out, by its method and path. */
export function operationOf({ request: { method, url } }: Pick<Evidence, 'request'>): Operation | undefined {
  if (url.includes(LOGIN_PATH)) return 'login';
  if (!url.includes(TAGGING_PATH)) return undefined;
  const operations: Readonly<Record<string, Operation>> = {
    POST: 'create',
    PUT: 'rename',
    GET: 'list',
    DELETE: 'delete',
  };
  return operations[method];
}
