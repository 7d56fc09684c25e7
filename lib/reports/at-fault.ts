import type { Evidence } from '../judging/evidence.ts';
import type { Operation } from '../spec/operations.ts';
import { operationOf } from './operation.ts';
import type { ReportedRequirement } from './schema.ts';

/** The exchange that decides a finding. */
export const decisiveIn = ({ exchanges }: ReportedRequirement): Evidence | undefined =>
  exchanges.find(({ decides }) => decides === true) ?? exchanges[0];

const WORDS: Readonly<Record<string, Operation>> = {
  login: 'login',
  create: 'create',
  update: 'rename',
  list: 'list',
  'filtered-list': 'list',
  delete: 'delete',
};

/** The operation at fault: the one in the id, else the one in the sentence, else the one of the exchange. */
export function operationAtFault(one: ReportedRequirement): Operation | undefined {
  const [topic = '', claim = ''] = one.id.split('/');
  const byId = WORDS[topic] ?? WORDS[/^missing-on-(.+)$/.exec(claim)?.[1] ?? ''];
  if (byId !== undefined && one.verdict !== 'error') return byId;
  const named =
    /\bin step \d+ \((create|update|list|delete)\b/.exec(one.reason) ??
    /\bthe (login|create|update|list|delete)\b/.exec(one.reason) ??
    /^(login|create|update|list|delete) /.exec(one.reason);
  const byReason = WORDS[named?.[1] ?? ''];
  const exchange = decisiveIn(one);
  // What stops an undecided requirement is mostly another operation than its own.
  return byReason ?? (exchange === undefined ? undefined : operationOf(exchange));
}
