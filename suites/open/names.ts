import { z } from 'zod';
import {
  accepted,
  createdIn,
  type Exchange,
  open,
  type Open,
  RawBody,
  type Target,
  Undecided,
  whatCame,
} from '../../lib/check.ts';
import { TYPICAL } from '../names/tiers.ts';
import { acceptance, acceptanceIn, tellAcceptance, type Acceptance } from './answers.ts';
import { pagination } from './lists.ts';

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
      : `Names are unique${answer === 'yes' ? '' : ', in any letter case'}.`,
  ask: async (target) => {
    const tag = await target.makeTag();
    const twin = await target.create({ name: tag.name });
    // A target may hand back the tag that has the name.
    const isNew = (exchange: Exchange): boolean =>
      accepted(exchange) && createdIn(exchange)?.tagId !== tag.tagId;
    if (isNew(twin)) return { answer: 'no' as const, exchanges: [twin] };
    const upper = await target.create({ name: tag.name.toUpperCase() });
    return {
      answer: isNew(upper) ? ('yes' as const) : ('in any letter case' as const),
      exchanges: [twin, upper],
    };
  },
});

/** Such names cannot be put into a filter, so that a tag is found again for sure only where lists show all tags. */
async function listsAreWhole(target: Target): Promise<void> {
  if ((await target.learn(pagination)) !== 'none')
    throw new Undecided('choice', 'lists are paged, so that such a tag might not be found again');
}

/** A name that consists of nothing visible. */
const nothingVisible = (parts: {
  readonly id: string;
  readonly what: string;
  readonly name: string;
}): Open<Acceptance> =>
  open({
    id: `open/name-${parts.id}`,
    section: '2',
    sentences: ['2/tag-name-characters'],
    when: 'calm',
    text: `Is ${parts.what} name accepted?`,
    key: `names.${parts.id}`,
    answers: acceptance,
    tags: 1,
    needs: [pagination],
    tell: (answer) => `The ${parts.id} name is ${tellAcceptance(answer)}.`,
    ask: async (target) => {
      await listsAreWhole(target);
      const { entries } = await target.lookUp(undefined, parts.name);
      if (entries.length > 0) throw new Undecided('tester', 'a stranger has a tag of such a name');
      const exchange = await target.create({ name: parts.name });
      return { answer: acceptanceIn(exchange), exchanges: [exchange] };
    },
  });

export const emptyName = nothingVisible({ id: 'empty', what: 'an empty', name: '' });
export const blankName = nothingVisible({ id: 'blank', what: 'a blank', name: '   ' });

/** What a target may make of a name, in the order in which it is told. */
const FORMS = [
  'trimmed',
  'inner blanks folded',
  'NFC',
  'NFD',
  'compatibility forms',
  'lower case',
  'upper case',
  'control characters dropped',
  'format characters dropped',
] as const;
type Form = (typeof FORMS)[number];

/** A text that each form would change, and how the change is known. */
const TRACES: readonly (readonly [form: Form, text: string, changed: (kept: string) => boolean])[] = [
  ['control characters dropped', 'a\u0001b', (kept) => !kept.includes('\u0001')],
  ['format characters dropped', 'a\u00adb', (kept) => !kept.includes('\u00ad')],
  ['inner blanks folded', 'a  b', (kept) => !kept.trim().includes('  ')],
  ['NFC', 'e\u0301', (kept) => !/e\u0301/i.test(kept)],
  ['NFD', 'ö', (kept) => !/ö/i.test(kept)],
  // No letter: capitals of ﬁ would be two, so that it tells nothing of compatibility forms.
  ['compatibility forms', '²', (kept) => !kept.includes('²')],
  ['upper case', 'a', (kept) => kept === kept.toUpperCase()],
  ['lower case', 'A', (kept) => kept === kept.toLowerCase()],
  ['trimmed', ' ', (kept) => kept === kept.trim()],
];

/** So many names are tried at once. */
const AT_ONCE = 2;

/** Tries names in parts of their own, a few at once, so that few tags are alive. */
async function apart<T, R extends { readonly exchange: Exchange }>(
  target: Target,
  names: readonly T[],
  attempt: (part: Target, one: T) => Promise<R>,
): Promise<readonly R[]> {
  const tried: R[] = [];
  const { room } = target;
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE);
    tried.push(
      ...(await Promise.all(
        some.map((one, next) => target.part(`${at + next}`, 1, (part) => attempt(part, one))),
      )),
    );
    if (target.room < room)
      throw new Undecided(
        'failure',
        'a tag of this question could not be removed',
        ...tried.map(({ exchange }) => exchange),
      );
  }
  return tried;
}

export const keptForm = open({
  id: 'open/name-kept-form',
  section: '2',
  sentences: ['2/tag-name-characters'],
  text: 'In which form is a name kept?',
  key: 'names.kept',
  answers: z.array(z.enum(FORMS)),
  tags: AT_ONCE + 1,
  tell: (answer) =>
    answer.length === 0 ? 'Names are kept as they are sent.' : `Names are kept: ${answer.join(', ')}.`,
  ask: async (target) => {
    const together = await keptAs(target, TRACES.map(([, text]) => text).join(''));
    if (together.kept !== undefined) {
      const { kept } = together;
      return { answer: formsOf(TRACES.map(() => kept)), exchanges: [together.exchange] };
    }
    // Something of it is refused: then each on its own, and what is refused tells nothing of a form.
    const each = await apart(target, TRACES, (part, [, text]) => keptAs(part, text));
    return {
      answer: formsOf(each.map(({ kept }) => kept)),
      exchanges: each.map(({ exchange }) => exchange),
    };
  },
});

/** The forms that show in what became of each trace; of one that was refused nothing is known. */
const formsOf = (kept: readonly (string | undefined)[]): Form[] => {
  const shown = TRACES.filter(([, , changed], at) => kept[at] !== undefined && changed(kept[at]));
  return FORMS.filter((form) => shown.some(([one]) => one === form));
};

/** The name under which a tag with this text in its name is kept, or undefined where it is refused. */
async function keptAs(
  target: Target,
  text: string,
): Promise<{ readonly exchange: Exchange; readonly kept?: string }> {
  const exchange = await target.create({ name: target.names.endingIn(text) });
  const created = createdIn(exchange);
  if (created === undefined) return { exchange };
  const { entries } = await target.lookUp(created.tagId);
  const listed = entries.find(({ tagId }) => tagId === created.tagId)?.name;
  const kept = listed ?? created.name;
  return typeof kept === 'string' ? { exchange, kept } : { exchange };
}

export const refusedNames = open({
  id: 'open/name-refused',
  section: '2',
  sentences: ['2/tag-name-characters'],
  text: 'Which kinds of names are refused?',
  key: 'names.refused',
  answers: z.array(z.enum(TYPICAL.map(({ id }) => id))),
  tags: AT_ONCE,
  tell: (answer) =>
    answer.length === 0
      ? 'Names of every kind that was tried are accepted.'
      : `Names are refused that have ${TYPICAL.filter(({ id }) => answer.includes(id))
          .map(({ has }) => has)
          .join(', ')}.`,
  ask: async (target) => {
    const asked = await apart(target, TYPICAL, async (part, { id, name }) => ({
      id,
      exchange: await part.create({ name: name(part) }),
    }));
    const refused = asked.filter(({ exchange }) => !accepted(exchange));
    return { answer: refused.map(({ id }) => id), exchanges: refused.map(({ exchange }) => exchange) };
  },
});

export const surrogates = open({
  id: 'open/name-surrogates',
  section: '2',
  sentences: ['2/tag-name-characters'],
  when: 'calm',
  text: 'Is a name with half a surrogate pair accepted, which is no Unicode text?',
  key: 'names.surrogates',
  answers: z.union([z.enum(['kept', 'replaced']), acceptance]),
  tags: 1,
  needs: [pagination],
  tell: (answer) =>
    answer === 'kept' || answer === 'replaced'
      ? `Half a surrogate pair in a name is ${answer}.`
      : `A name with half a surrogate pair is ${tellAcceptance(answer)}.`,
  ask: async (target) => {
    await listsAreWhole(target);
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
    return {
      answer: String(created.name).includes('\ud83d') ? ('kept' as const) : ('replaced' as const),
      exchanges: [exchange],
    };
  },
});
