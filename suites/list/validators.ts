import {
  accepted,
  broken,
  type Exchange,
  header,
  holds,
  type Requirement,
  statusOf,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { tour } from '../tour.ts';

const etagOf = ({ answer }: Exchange): string | undefined =>
  answer === undefined ? undefined : header(answer, 'etag');

/** A list that the target may answer 304 if nothing has changed since it sent the validator. */
const conditional = (target: Target, etag: string): Promise<Exchange> =>
  target.list(undefined, { headers: { 'If-None-Match': etag } });

export const validators: Requirement = {
  id: 'list/validators-change',
  effort: 'standard',
  section: '4.4',
  sentences: ['4.4/status-200', '4.4/status-200-tagging'],
  level: 'derived',
  derivation:
    'A 304 says that the list is the one whose entity tag the client sent (RFC 9110, 13.1.2 and 15.4.5), and after an update it is another one.',
  text: 'If lists have an entity tag, a list that is asked with it after an update or a create is not answered 304.',
  cause: 'The entity tag is made of the number of tags or of the address, not of the content.',
  // Tags of other checks would change the list as well.
  when: 'calm',
  tags: 2,
  check: async (target) => {
    const { exchanges } = await tour(target);
    if (!exchanges.some((exchange) => exchange.ask.operation === 'list' && etagOf(exchange) !== undefined))
      return undecided('choice', 'lists have no entity tag');
    const tag = await target.makeTag();
    const changes = [
      () => target.rename(tag.tagId, { name: target.name() }),
      () => target.create({ name: target.name() }),
    ];
    for (const change of changes) {
      const before = await target.list();
      const etag = etagOf(before);
      if (etag === undefined) return undecided('choice', 'not every list has an entity tag', before);
      const changed = await change();
      if (!accepted(changed)) return undecided('failure', `the change ${whatCame(changed)}`, changed);
      const { good, seen } = await target.until(
        async () => {
          const exchange = await conditional(target, etag);
          return { exchange, exchanges: [exchange] };
        },
        ({ exchange }) => statusOf(exchange) !== 304,
        { late: 'ignored' },
      );
      if (!good)
        return broken(
          `the list ${whatCame(seen.exchange)} to an entity tag from before the ${changed.ask.operation}`,
          before,
          changed,
          seen.exchange,
        );
    }
    return holds();
  },
};
