import { z } from 'zod';
import { accepted, createdIn, open, RawBody } from '../../lib/check.ts';
import { NO_OBJECTS } from '../invalid-bodies.ts';
import { refusedCreate } from '../create/refused-together.ts';
import { describeStatus, describeStatuses, status, statuses, statusesOf, statusIn } from './answers.ts';

export const malformedBody = open({
  id: 'open/malformed-body',
  section: '4.2',
  sentences: ['4.2/body'],
  text: 'How is a create whose body is no JSON object answered?',
  key: 'malformedBody',
  answers: statuses,
  tell: (answer) => `A create whose body is no JSON object is answered ${describeStatuses(answer)}.`,
  ask: async (target) => {
    const rows = await Promise.all(
      NO_OBJECTS.map(
        async ({ id }) =>
          [id.replace('body-', '').replace('-', ' '), (await refusedCreate(target, id)).exchange] as const,
      ),
    );
    const invalid = await target.shared('create invalid UTF-8', 1, (shared) => {
      // A lenient decoder replaces an invalid byte by this character (Unicode, 3.9).
      const name = shared.names.endingIn('\uFFFD');
      const start = Buffer.from(`{"name":"${name.slice(0, -1)}`);
      const bytes = Buffer.concat([start, Buffer.of(0xff), Buffer.from('"}')]);
      return shared.create(new RawBody(bytes), { open: true }, [name]);
    });
    return {
      answer: statusesOf([...rows, ['invalid UTF-8', invalid]]),
      exchanges: [...rows.map(([, exchange]) => exchange), invalid],
    };
  },
});

export const doubledMembers = open({
  id: 'open/doubled-members',
  section: '4.2',
  sentences: ['4.2/body'],
  text: 'Which name does a create use if its body has two members called name?',
  key: 'doubledMembers',
  answers: z.union([z.enum(['first', 'last', 'another']), status]),
  tags: 1,
  tell: (answer) =>
    answer === 'first' || answer === 'last'
      ? `A create whose body has two members called name uses the ${answer} one.`
      : answer === 'another'
        ? 'A create whose body has two members called name uses neither.'
        : `A create whose body has two members called name is answered ${describeStatus(answer)}.`,
  ask: async (target) => {
    const first = target.name();
    const last = target.names.extended(first);
    const body = new RawBody(`{"name":${JSON.stringify(first)},"name":${JSON.stringify(last)}}`);
    const exchange = await target.create(body, { open: true }, [first, last]);
    if (!accepted(exchange)) return { answer: statusIn(exchange), exchanges: [exchange] };
    const name = createdIn(exchange)?.name;
    return {
      answer: name === first ? ('first' as const) : name === last ? ('last' as const) : ('another' as const),
      exchanges: [exchange],
    };
  },
});
