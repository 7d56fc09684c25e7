import { z } from 'zod';
import {
  accepted,
  answers,
  createdIn,
  type Exchange,
  generated,
  listedIn,
  open,
  RawBody,
  type Target,
  Undecided,
  whatCame,
} from '../../lib/check.ts';
import { BLANK, createInvisible, EMPTY, requireCompleteLists } from '../names/empty.ts';
import { variedLetters } from '../names/sizes.ts';
import { APART, ofAllKinds, TYPICAL } from '../names/tiers.ts';
import { acceptance, acceptanceIn, describeAcceptance, type Acceptance } from './answers.ts';
import { inOtherCase } from './filter-probe.ts';
import { pagination } from './lists.ts';
import { SAMPLES_AT_ONCE, trySamples } from './name-form.ts';

export const uniqueNames = open({
  id: 'open/name-unique',
  section: '2',
  sentences: ['2/tag-name-uniqueness'],
  text: 'May two tags have the same name?',
  key: 'names.unique',
  answers: z.enum(['no', 'yes', 'in any letter case']),
  tags: 3,
  tell: (answer) =>
    answer === 'no'
      ? 'Two tags may have the same name.'
      : `Names are unique${answer === 'yes' ? '' : ', whatever their letter case'}.`,
  ask: async (target) => {
    const tag = await target.makeTag();
    const twin = await target.create({ name: tag.name });
    // A target may answer with the existing tag of that name.
    const isNew = (exchange: Exchange): boolean =>
      accepted(exchange) && createdIn(exchange)?.tagId !== tag.tagId;
    if (isNew(twin)) return { answer: 'no' as const, exchanges: [twin] };
    const upper = await target.create({ name: inOtherCase(tag.name) });
    return {
      answer: isNew(upper) ? ('yes' as const) : ('in any letter case' as const),
      exchanges: [twin, upper],
    };
  },
});

/** A question about a name without visible characters. */
const invisibleName = (parts: {
  readonly id: string;
  /** The description of the name, with its article. */
  readonly what: string;
  readonly name: string;
}) =>
  open<Acceptance>({
    id: `open/name-${parts.id}`,
    section: '2',
    sentences: ['2/tag-name-characters'],
    when: 'counted',
    text: `Is ${parts.what} accepted?`,
    key: `names.${parts.id}`,
    answers: acceptance,
    needs: [pagination],
    tell: (answer) => `A create with ${parts.what} is ${describeAcceptance(answer)}.`,
    ask: async (target) => {
      const { create } = await createInvisible(target, parts.name);
      return { answer: acceptanceIn(create), exchanges: [create] };
    },
  });

export const emptyName = invisibleName({ id: 'empty', what: 'an empty name', name: EMPTY });
export const blankName = invisibleName({ id: 'blank', what: 'a blank name', name: BLANK });

export const refusedNames = open({
  id: 'open/name-refused',
  section: '2',
  sentences: ['2/tag-name-characters'],
  text: 'Which kinds of names are refused?',
  key: 'names.refused',
  answers: z.array(z.enum(TYPICAL.map(({ id }) => id))),
  tags: SAMPLES_AT_ONCE,
  tell: (answer) =>
    answer.length === 0
      ? 'Names of every kind that was tried are accepted.'
      : `Names are refused if they have ${TYPICAL.filter(({ id }) => answer.includes(id))
          .map(({ has }) => has)
          .join(' or ')}.`,
  ask: async (target) => {
    // A target that accepts a name of all kinds accepts each of them.
    const all = await target.part(1, async (part) =>
      notOfOutage(await part.create({ name: ofAllKinds(part) })),
    );
    const tried = await trySamples(
      target,
      accepted(all) ? APART : TYPICAL,
      async (part, { id, has, names }) => ({
        id,
        exchange: await refusalOf(part, has, names),
      }),
    );
    const refused = tried.filter(({ exchange }) => !accepted(exchange));
    return { answer: refused.map(({ id }) => id), exchanges: refused.map(({ exchange }) => exchange) };
  },
});

/** @throws Undecided if a gateway answered in place of the target. */
function notOfOutage(exchange: Exchange): Exchange {
  if (answers.isOfOutage(exchange))
    throw new Undecided('failure', `a create with such a name ${whatCame(exchange)}`, exchange);
  return exchange;
}

/**
 * Creates a tag with a name of one kind. If the name is too long, tries a shorter one.
 *
 * @returns the exchange that shows whether the kind is accepted.
 * @throws Undecided if a plain name of the same length in bytes is refused as well.
 */
async function refusalOf(
  target: Target,
  has: string,
  names: readonly ((target: Target) => string)[],
): Promise<Exchange> {
  for (const nameOf of names) {
    const name = nameOf(target);
    const exchange = notOfOutage(await target.create({ name }));
    const more = Buffer.byteLength(name) - generated.plainLetters;
    if (accepted(exchange) || more <= 0) return exchange;
    await target.removeTags();
    const twin = await target.create({ name: target.names.endingIn(variedLetters(more)) });
    if (!accepted(twin)) continue;
    await target.removeTags();
    // A quota that strangers share may have been full for a moment.
    const again = await target.create({ name });
    return accepted(again) ? again : exchange;
  }
  throw new Undecided('choice', `the target accepts no name that is long enough to have ${has}`);
}

export const surrogates = open({
  id: 'open/name-surrogates',
  section: '2',
  sentences: ['2/tag-name-characters'],
  when: 'perilous',
  text: 'Is a name with a lone surrogate, which is no valid Unicode text, accepted?',
  key: 'names.surrogates',
  answers: z.union([z.enum(['kept', 'replaced']), acceptance]),
  tags: 1,
  needs: [pagination],
  tell: (answer) =>
    answer === 'kept' || answer === 'replaced'
      ? `A lone surrogate in a name is ${answer}.`
      : `A create with a lone surrogate in the name is ${describeAcceptance(answer)}.`,
  ask: async (target) => {
    await requireCompleteLists(target);
    const name = target.names.endingIn('\ud83d');
    const exchange = await target.create(
      new RawBody(`{"name":"${name.slice(0, -1)}\\ud83d"}`),
      { open: true },
      [name],
    );
    const created = createdIn(exchange);
    if (created === undefined) {
      if (accepted(exchange))
        throw new Undecided('failure', `the create ${whatCame(exchange)} without a tag`, exchange);
      return { answer: acceptanceIn(exchange), exchanges: [exchange] };
    }
    // The answer may repeat the request.
    const list = await target.list();
    const shown = listedIn(list)?.find(({ tagId }) => tagId === created.tagId) ?? created;
    return {
      answer: String(shown.name).includes('\ud83d') ? ('kept' as const) : ('replaced' as const),
      exchanges: [exchange, list],
    };
  },
});
