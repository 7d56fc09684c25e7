import { z } from 'zod';
import { accepted, answers, type Exchange, generated, listedIn, open, Undecided } from '../../lib/check.ts';
import { fillAccount } from '../full-account.ts';
import { tour } from '../tour.ts';

export const pagination = open({
  id: 'open/pagination',
  section: '4.4',
  sentences: ['4.4/pagination'],
  when: 'full',
  text: 'How many tags does a list show at most?',
  key: 'pagination',
  answers: z.union([z.literal('none'), z.int()]),
  tell: (answer) =>
    answer === 'none' ? 'The list showed all tags of the run.' : `A list shows at most ${answer} tags.`,
  ask: async (target) => {
    const { lists, isPaged } = await fillAccount(target);
    return { answer: isPaged ? (listedIn(lists[0])?.length ?? 0) : ('none' as const), exchanges: [lists[0]] };
  },
});

export const order = open({
  id: 'open/order',
  section: '4.4',
  sentences: ['4.4/order'],
  when: 'full',
  text: 'In which order does a list show the tags?',
  key: 'order',
  answers: z.enum(['oldest first', 'newest first', 'by name', 'none']),
  tell: (answer) =>
    `A list shows the tags ${answer === 'none' ? 'in no order that the suite knows' : answer}.`,
  ask: async (target) => {
    const { lists, waves } = await fillAccount(target);
    const [one, other] = lists.map((list) => (listedIn(list) ?? []).filter(({ tagId }) => waves.has(tagId)));
    if (one === undefined || other === undefined || one.length < FEWEST_IN_ORDER)
      throw new Undecided('choice', 'the list shows too few tags of this run to show an order', ...lists);
    const ages = one.map(({ tagId }) => waves.get(tagId) ?? 0);
    const names = one.map(({ name }) => String(name));
    // The order of names that begin with punctuation or a capital letter depends on the collation.
    const plain = names.filter((name) => name.startsWith(generated.ownLettersIn(name) ?? '\n'));
    const isSameOrder = one.every(({ tagId }, at) => other[at]?.tagId === tagId);
    const answer = !isSameOrder
      ? ('none' as const)
      : isSorted(ages)
        ? ('oldest first' as const)
        : isSorted(ages.toReversed())
          ? ('newest first' as const)
          : isSorted(names) || (plain.length >= FEWEST_NAMES && isSorted(plain))
            ? ('by name' as const)
            : ('none' as const);
    return { answer, exchanges: lists };
  },
});

/**
 * The least number of tags that show an order. So many tags are hardly in order by chance, and the order of names does
 * not agree with that of the waves.
 */
const FEWEST_IN_ORDER = 8;
const FEWEST_NAMES = 5;

const isSorted = (values: readonly (string | number)[]): boolean =>
  values.every((value, at) => at === 0 || (values[at - 1] ?? value) <= value);

export const errorFlag = open({
  id: 'open/error-flag',
  section: '4.4',
  sentences: ['4.4/status-200-error'],
  text: 'Which value does the member error of a list have?',
  key: 'errorFlag',
  answers: z.enum(['false', 'true', 'mixed', 'no boolean']),
  tell: (answer) =>
    answer === 'mixed'
      ? 'The member error of a list that is answered 200 is sometimes true and sometimes false.'
      : answer === 'no boolean'
        ? 'The member error of a list that is answered 200 is missing or no boolean.'
        : `The member error of a list that is answered 200 is ${answer}.`,
  ask: async (target) => {
    const [empty, { operations }] = await Promise.all([target.list(target.name()), tour(target)]);
    const exchanges = [...operations.filter(({ ask }) => ask.operation === 'list'), empty].filter(accepted);
    const flags = new Set(exchanges.map(flagIn));
    const [flag] = flags;
    if (flag === undefined) throw new Undecided('failure', 'no list is answered 200', empty);
    return { answer: flags.size > 1 ? ('mixed' as const) : flag, exchanges };
  },
});

function flagIn(exchange: Exchange): 'true' | 'false' | 'no boolean' {
  const flag = answers.member(exchange, 'error');
  return flag === true ? 'true' : flag === false ? 'false' : 'no boolean';
}

/** A quota is reported as the smallest of these numbers that is not less than it. */
const QUOTAS = [10, 20, 50, 100, 1_000] as const;

export const tagQuota = open({
  id: 'open/tag-quota',
  section: '8',
  sentences: ['8/quotas'],
  when: 'full',
  text: 'Is there a limit to the number of tags?',
  key: 'tagQuota',
  answers: z.string(),
  tell: (answer) =>
    answer === 'not met'
      ? 'The run met no limit to the number of tags.'
      : answer === 'met'
        ? 'The number of tags is limited.'
        : `The number of tags is limited: an account can have ${answer}.`,
  ask: async (target) => {
    const { lists, isPaged, refused } = await fillAccount(target);
    if (refused === undefined) return { answer: 'not met', exchanges: [lists[0]] };
    // If lists are paged, they do not show how many tags exist.
    if (isPaged) return { answer: 'met', exchanges: [refused.exchange, lists[0]] };
    const end = QUOTAS.find((most) => refused.listed <= most);
    return {
      answer: end === undefined ? 'over 1000' : `up to ${end}`,
      exchanges: [refused.exchange, lists[0]],
    };
  },
});
