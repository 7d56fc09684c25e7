import { answerOf, exchangeOf } from '../http/exchange.test.double.ts';
import type { Exchange } from '../http/exchange.ts';
import { broken } from '../outcome.ts';
import { reportOf, resultOf } from './report.test.double.ts';

const PATH = '/api/v2/tagging';
let number = 0;

/** A request for this operation, with this query, and an answer with this status. */
export const answered = (
  operation: 'create' | 'rename' | 'list' | 'delete',
  status: number,
  query = '',
): Exchange => {
  const method = ({ create: 'POST', rename: 'PUT', list: 'GET', delete: 'DELETE' } as const)[operation];
  const path = operation === 'rename' || operation === 'delete' ? `${PATH}/7` : PATH;
  return exchangeOf(answerOf(status), { operation, method, path: `${path}${query}` }, ++number);
};

export const fails = (id: string, why: string, ...exchanges: Exchange[]): ReturnType<typeof resultOf> =>
  resultOf(id, 'required', broken(why, ...exchanges));

export const causes = (...results: ReturnType<typeof resultOf>[]): ReturnType<typeof reportOf>['causes'] =>
  reportOf(results).causes;
