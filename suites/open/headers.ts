import { z } from 'zod';
import { createdIn, type Exchange, open, type RequestOverrides, type Target } from '../../lib/check.ts';
import { describeStatus, status, statusIn } from './answers.ts';

/** A request whose headers differ from those of section 5. */
interface Deviation {
  /** The key in the answer. */
  readonly name: string;
  /** The title in reports. */
  readonly title: string;
  readonly overrides: RequestOverrides;
}

const JSON_TYPE = { headers: { 'Content-Type': 'application/json' } };
const NO_TYPE = { headers: { 'Content-Type': null } };

const CREATES: readonly Deviation[] = [
  { name: 'noContentType', title: 'a create without Content-Type', overrides: NO_TYPE },
  {
    name: 'textContentType',
    title: 'a create with Content-Type: text/plain',
    overrides: { headers: { 'Content-Type': 'text/plain' } },
  },
];

const LISTS: readonly Deviation[] = [
  { name: 'noAccept', title: 'a list without Accept', overrides: { headers: { Accept: null } } },
  {
    name: 'acceptHtml',
    title: 'a list with Accept: text/html',
    overrides: { headers: { Accept: 'text/html' } },
  },
  { name: 'contentTypeOnList', title: 'a list with Content-Type', overrides: JSON_TYPE },
  { name: 'noContentTypeOnList', title: 'a list without Content-Type', overrides: NO_TYPE },
];

/** Each of them deletes a tag of its own. */
const DELETES: readonly Deviation[] = [
  { name: 'contentTypeOnDelete', title: 'a delete with Content-Type', overrides: JSON_TYPE },
  { name: 'noContentTypeOnDelete', title: 'a delete without Content-Type', overrides: NO_TYPE },
];

const DEVIATIONS = [...CREATES, ...LISTS, ...DELETES];

export const headers = open({
  id: 'open/headers',
  section: '5',
  sentences: ['5/content-type-required', '5/accept-required'],
  text: 'How are requests answered whose headers differ from those of section 5?',
  key: 'headers',
  answers: z.object(Object.fromEntries(DEVIATIONS.map(({ name }) => [name, status]))),
  tags: CREATES.length + DELETES.length,
  tell: (answer) => {
    const refused = DEVIATIONS.flatMap(({ name, title }) => {
      const own = answer[name];
      return own === undefined || own === 200 ? [] : `${title} (${describeStatus(own)})`;
    });
    const all = 'Requests whose headers differ from those of section 5 are answered 200';
    return refused.length === 0 ? `${all}.` : `${all}, except ${refused.join(', ')}.`;
  },
  ask: async (target) => {
    const created = await Promise.all(
      CREATES.map(async ({ overrides }) => {
        const name = target.name();
        return { name, exchange: await target.create({ name }, overrides) };
      }),
    );
    const lists = await Promise.all(LISTS.map(({ overrides }) => target.list(target.name(), overrides)));
    const deletes = await Promise.all(
      DELETES.map(async ({ overrides }, at) => {
        const { tagId } = (await listedOf(target, created[at])) ?? (await target.makeTag());
        return target.delete(tagId, overrides);
      }),
    );
    const creates = created.map(({ exchange }) => exchange);
    const exchanges = [...creates, ...lists, ...deletes];
    return {
      answer: Object.fromEntries(
        DEVIATIONS.flatMap(({ name }, at) => {
          const exchange = exchanges[at];
          return exchange === undefined ? [] : [[name, statusIn(exchange)]];
        }),
      ),
      exchanges,
    };
  },
});

/** The tag of a create that was accepted, if lists show it. */
async function listedOf(
  target: Target,
  create: { readonly name: string; readonly exchange: Exchange } | undefined,
): Promise<{ readonly tagId: string } | undefined> {
  const tagId = create === undefined ? undefined : createdIn(create.exchange)?.tagId;
  if (create === undefined || tagId === undefined) return undefined;
  return (await target.untilListed(tagId, create.name)).good ? { tagId } : undefined;
}
