import { z } from 'zod';
import {
  accepted,
  createdIn,
  type Exchange,
  jsonOf,
  listedIn,
  open,
  type Target,
  Undecided,
  whatCame,
} from '../../lib/check.ts';
import { tour } from '../tour.ts';

/** As many tags as the run may have, and what the list without a filter then shows. */
interface Crowd {
  /** Ids by the wave in which their tags were made: those of a later wave are younger. */
  readonly waves: ReadonlyMap<string, number>;
  /** The list, asked twice while nothing changed. */
  readonly lists: readonly [Exchange, Exchange];
  /** A tag that the list leaves out, and that another look shows. */
  readonly hidden: boolean;
  /** The create that was refused where those before it were not, and how many tags the list then held. */
  readonly refused: { readonly exchange: Exchange; readonly after: number } | undefined;
}

/** Tags of one wave are made at once. Few, so that no list is in the order of their age by chance. */
const WAVE = 3;

/** Enough to go beyond pages of 15. */
const CROWD = 18;

/** Names for every wave, such that going through them in their order goes through all waves again and again. */
function namesOfWaves(target: Target, count: number): string[][] {
  const names = Array.from({ length: count }, () => target.name()).toSorted();
  const waves = Math.ceil(count / WAVE);
  return Array.from({ length: waves }, (_, wave) => names.filter((_, at) => at % waves === wave));
}

function crowd(target: Target): Promise<Crowd> {
  const most = Math.min(CROWD, target.settings.mostTags);
  return target.shared('crowd', most, async (shared) => {
    const made: { tagId: string; name: string; wave: number }[] = [];
    let refused: Exchange | undefined;
    for (const [wave, names] of namesOfWaves(shared, most).entries()) {
      const creates = await Promise.all(names.map((name) => shared.create({ name })));
      for (const [at, name] of names.entries()) {
        const create = creates[at];
        const created = create === undefined ? undefined : createdIn(create);
        if (created !== undefined) made.push({ tagId: created.tagId, name, wave });
        else refused ??= create;
      }
      if (refused !== undefined) break;
    }
    const last = made.at(-1);
    if (last === undefined)
      throw new Undecided('failure', 'no tag could be made', ...(refused ? [refused] : []));
    const missingIn = (list: Exchange): (typeof made)[number] | undefined => {
      const ids = new Set(listedIn(list)?.map(({ tagId }) => tagId));
      return made.find(({ tagId }) => !ids.has(tagId));
    };
    // What only shows late is not left out; on a page tags are missing for good.
    const { seen } = await shared.until(
      async () => {
        const list = await shared.list();
        return { list, exchanges: [list] };
      },
      ({ list }) => missingIn(list) === undefined,
      { late: 'ignored' },
    );
    const lists = [seen.list, await shared.list()] as const;
    const listed = listedIn(lists[0]);
    if (listed === undefined)
      throw new Undecided('failure', `the list ${whatCame(lists[0])} and cannot be read`, lists[0]);
    const missing = missingIn(lists[0]);
    const sight = missing === undefined ? undefined : await shared.untilListed(missing.tagId, missing.name);
    return {
      waves: new Map(made.map(({ tagId, wave }) => [tagId, wave])),
      lists,
      hidden: sight?.good === true,
      refused: refused === undefined ? undefined : { exchange: refused, after: listed.length },
    };
  });
}

export const pagination = open({
  id: 'open/pagination',
  section: '4.4',
  sentences: ['4.4/pagination'],
  when: 'calm',
  text: 'How many tags does a list show at most?',
  key: 'pagination',
  answers: z.union([z.literal('none'), z.int()]),
  tell: (answer) =>
    answer === 'none' ? 'A list showed all tags that there were.' : `A list shows ${answer} tags at most.`,
  ask: async (target) => {
    const { lists, hidden } = await crowd(target);
    return { answer: hidden ? (listedIn(lists[0])?.length ?? 0) : ('none' as const), exchanges: [lists[0]] };
  },
});

export const order = open({
  id: 'open/order',
  section: '4.4',
  sentences: ['4.4/order'],
  when: 'calm',
  text: 'In which order does a list show the tags?',
  key: 'order',
  answers: z.enum(['oldest first', 'newest first', 'by name', 'none']),
  tell: (answer) => `A list is ${answer === 'none' ? 'in no order' : `ordered ${answer}`}.`,
  ask: async (target) => {
    const { lists, waves } = await crowd(target);
    const [one, other] = lists.map((list) => (listedIn(list) ?? []).filter(({ tagId }) => waves.has(tagId)));
    if (one === undefined || other === undefined || one.length < ENOUGH)
      throw new Undecided('choice', 'the list shows too few of the tags of this run to tell', ...lists);
    const steps = one.map(({ tagId }) => waves.get(tagId) ?? 0);
    const names = one.map(({ name }) => String(name));
    const same = one.every(({ tagId }, at) => other[at]?.tagId === tagId);
    const answer = !same
      ? ('none' as const)
      : rises(steps)
        ? ('oldest first' as const)
        : rises(steps.toReversed())
          ? ('newest first' as const)
          : rises(names)
            ? ('by name' as const)
            : ('none' as const);
    return { answer, exchanges: lists };
  },
});

/** So many tags are in no order by chance, and those in the order of their names go through the waves twice. */
const ENOUGH = 8;

const rises = (values: readonly (string | number)[]): boolean =>
  values.every((value, at) => at === 0 || (values[at - 1] ?? value) <= value);

export const errorFlag = open({
  id: 'open/error-flag',
  section: '4.4',
  sentences: ['4.4/status-200-error'],
  text: 'What is the error flag of a list?',
  key: 'errorFlag',
  answers: z.enum(['false', 'true', 'mixed', 'no boolean']),
  tell: (answer) =>
    answer === 'mixed'
      ? 'The error flag of a list that is answered 200 is now true, now false.'
      : `The error flag of a list that is answered 200 is ${answer}.`,
  ask: async (target) => {
    const [none, { operations }] = await Promise.all([target.list(target.name()), tour(target)]);
    const exchanges = [...operations.filter(({ ask }) => ask.operation === 'list'), none].filter(accepted);
    const flags = new Set(exchanges.map(flagIn));
    const [flag] = flags;
    if (flag === undefined) throw new Undecided('failure', 'no list is answered 200', none);
    return { answer: flags.size > 1 ? ('mixed' as const) : flag, exchanges };
  },
});

function flagIn(exchange: Exchange): 'true' | 'false' | 'no boolean' {
  const body = jsonOf(exchange);
  const flag = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  return flag === true ? 'true' : flag === false ? 'false' : 'no boolean';
}

/** Upper ends of what a number of tags is told as. */
const QUOTAS = [10, 20, 50, 100, 1_000] as const;

export const tagQuota = open({
  id: 'open/tag-quota',
  section: '8',
  sentences: ['8/quotas'],
  when: 'calm',
  text: 'Is there a limit to the number of tags?',
  key: 'tagQuota',
  answers: z.string(),
  tell: (answer) =>
    answer === 'not met'
      ? 'No limit to the number of tags was met.'
      : answer === 'met'
        ? 'There is a limit to the number of tags.'
        : `There can be ${answer} tags.`,
  ask: async (target) => {
    const { lists, hidden, refused } = await crowd(target);
    if (refused === undefined) return { answer: 'not met', exchanges: [lists[0]] };
    // A page does not tell how many tags there are.
    if (hidden) return { answer: 'met', exchanges: [refused.exchange, lists[0]] };
    const end = QUOTAS.find((most) => refused.after <= most);
    return {
      answer: end === undefined ? 'over 1000' : `up to ${end}`,
      exchanges: [refused.exchange, lists[0]],
    };
  },
});
