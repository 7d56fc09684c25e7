import { z } from 'zod';
import { type Exchange, open, type Tag, type Target } from '../../lib/check.ts';
import { describeStatus, status, statusIn } from './answers.ts';

/** A request whose headers differ from those of section 5. */
interface Deviation {
  /** The key in the answer. */
  readonly name: string;
  /** The title in reports. */
  readonly title: string;
  /** Sends the request. The tags are used by this deviation only. */
  readonly send: (target: Target, tags: { readonly one: Tag; readonly other: Tag }) => Promise<Exchange>;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const NO_TYPE = { 'Content-Type': null };

const DEVIATIONS: readonly Deviation[] = [
  {
    name: 'noAccept',
    title: 'a list without Accept',
    send: (target, { one }) => target.list(one.name, { headers: { Accept: null } }),
  },
  {
    name: 'acceptHtml',
    title: 'a list with Accept: text/html',
    send: (target, { one }) => target.list(one.name, { headers: { Accept: 'text/html' } }),
  },
  {
    name: 'noContentType',
    title: 'a create without Content-Type',
    send: (target) => target.create({ name: target.name() }, { headers: NO_TYPE }),
  },
  {
    name: 'textContentType',
    title: 'a create with Content-Type: text/plain',
    send: (target) => target.create({ name: target.name() }, { headers: { 'Content-Type': 'text/plain' } }),
  },
  {
    name: 'contentTypeOnList',
    title: 'a list with Content-Type',
    send: (target, { one }) => target.list(one.name, { headers: JSON_TYPE }),
  },
  {
    name: 'noContentTypeOnList',
    title: 'a list without Content-Type',
    send: (target, { one }) => target.list(one.name, { headers: NO_TYPE }),
  },
  {
    name: 'contentTypeOnDelete',
    title: 'a delete with Content-Type',
    send: (target, { one }) => target.delete(one.tagId, { headers: JSON_TYPE }),
  },
  {
    name: 'noContentTypeOnDelete',
    title: 'a delete without Content-Type',
    send: (target, { other }) => target.delete(other.tagId, { headers: NO_TYPE }),
  },
];

export const headers = open({
  id: 'open/headers',
  section: '5',
  sentences: ['5/content-type-required', '5/accept-required'],
  text: 'How are requests answered whose headers differ from those of section 5?',
  key: 'headers',
  answers: z.object(Object.fromEntries(DEVIATIONS.map(({ name }) => [name, status]))),
  tags: 4,
  tell: (answer) => {
    const refused = DEVIATIONS.flatMap(({ name, title }) => {
      const own = answer[name];
      return own === undefined || own === 200 ? [] : `${title} (${describeStatus(own)})`;
    });
    const all = 'Requests whose headers differ from those of section 5 are answered 200';
    return refused.length === 0 ? `${all}.` : `${all}, except ${refused.join(', ')}.`;
  },
  ask: async (target) => {
    const [one, other] = await target.makeTags('at once', target.name(), target.name());
    const sent = await Promise.all(
      DEVIATIONS.map(async ({ name, send }) => ({ name, exchange: await send(target, { one, other }) })),
    );
    return {
      answer: Object.fromEntries(sent.map(({ name, exchange }) => [name, statusIn(exchange)])),
      exchanges: sent.map(({ exchange }) => exchange),
    };
  },
});
