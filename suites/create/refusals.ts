import {
  accepted,
  broken,
  createdIn,
  holds,
  holdsWithWarning,
  type Listed,
  matches,
  quote,
  type Requirement,
  statusOf,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { sendPair, unrefused } from '../pair.ts';
import { oddCreates } from '../odd-bodies.ts';
import { leftByValue } from './left-behind.ts';
import { createTwin, refusedCreate } from './refused-together.ts';
import { NO_NAMES, NO_OBJECTS, TEXT_LIKE } from '../invalid-bodies.ts';
import { holdsAsTaken, isTakenText } from '../taken-text.ts';

const refusesNoName = NO_NAMES.map(({ id, what, sentences }): Requirement => ({
  id: `create/${id}`,
  ...(id === 'name-missing' || id === 'name-null' ? {} : { effort: 'standard' as const }),
  section: id === 'name-missing' ? '7' : '4.2',
  sentences: sentences.create,
  level: 'required',
  text: `A create ${what} is answered 422 and makes no tag.`,
  cause: 'The name is stored without a check of its type, or the check answers with another status.',
  tags: 2,
  check: async (target) => {
    const { exchange, left } = await refusedCreate(target, id);
    const pair = await sendPair({
      ...createTwin(target),
      refused: () => Promise.resolve(exchange),
    });
    return left === undefined ? matches.refusal(pair, 422) : broken(left.why, ...left.exchanges);
  },
}));

const refusesOtherTypes = TEXT_LIKE.map(({ id, what, sentences, hasOwnText, body }): Requirement => ({
  id: `create/${id}`,
  effort: 'standard',
  section: '4.2',
  sentences: sentences.create,
  level: 'required',
  text: `A create ${what} is answered 422 and makes no tag.`,
  cause: 'The name is stored without a check of its type, or the check answers with another status.',
  tags: 2,
  check: async (target) => {
    const invalid = body(target, 'create');
    const pair = await sendPair({
      ...createTwin(target),
      refused: () => target.create(invalid.body),
    });
    if (await isTakenText(target, pair.refused, invalid.traces)) return holdsAsTaken(pair.refused);
    if (!accepted(pair.refused)) {
      const left = await leftByValue(target, pair.refused, {
        texts: invalid.traces,
        areOwn: hasOwnText === true,
        send: () => target.create(invalid.body),
      });
      return left === undefined ? matches.refusal(pair, 422) : broken(left.why, ...left.exchanges);
    }
    const created = createdIn(pair.refused);
    if (created === undefined) return broken(`${whatCame(pair.refused)}, not 422`, pair.refused);
    const isMade = ({ tagId }: Listed): boolean => tagId === created.tagId;
    const { seen } = await target.until(
      () => target.lookUp(created.tagId, ...invalid.traces),
      ({ entries }) => entries.some(isMade),
    );
    const kept = seen.entries.find(isMade)?.name;
    return typeof kept === 'string' && invalid.traces.includes(kept) && created.name === kept
      ? holdsWithWarning(
          `answered ${statusOf(pair.refused)}, not 422: the value was converted to the string ${quote(kept)}`,
          pair.refused,
        )
      : broken(
          `${whatCame(pair.refused)}, not 422, and the name became ${quote(kept)}`,
          pair.refused,
          ...seen.exchanges,
        );
  },
}));

const refusesNoObject = NO_OBJECTS.map(({ id, what }): Requirement => ({
  id: `create/${id}`,
  effort: 'standard',
  section: '4.2',
  sentences: ['4/json-sent', '4.2/body', '5/content-type-purpose'],
  level: 'derived',
  derivation:
    'The body of a create is a JSON object with a name (4.2, 5), and this body is not a JSON object (RFC 8259).',
  text: `A create whose body ${what} is refused and makes no tag.`,
  cause:
    'A body that cannot be parsed counts as empty or is parsed in another way, and the name is not validated afterwards.',
  tags: 1,
  check: async (target) => {
    const { exchange, left } = await refusedCreate(target, id);
    const pair = await sendPair({
      ...createTwin(target),
      refused: () => Promise.resolve(exchange),
    });
    if (left !== undefined) return broken(left.why, ...left.exchanges);
    if (!accepted(pair.refused))
      return statusOf(exchange) === 0 ? unrefused(`the create ${whatCame(exchange)}`, exchange) : holds();
    return broken(`${whatCame(pair.refused)}, a success`, pair.refused, pair.accepted);
  },
}));

/** Requirements about creates that have to be refused. */
export const refusedCreates: readonly Requirement[] = [
  ...refusesNoName,
  ...refusesOtherTypes,
  ...refusesNoObject,
  {
    id: 'create/refused-for-good',
    effort: 'standard',
    section: '7',
    sentences: ['4.2/status-422', '7/create-422'],
    level: 'derived',
    derivation:
      'A create is answered 200 with the tag that it made, or with an error (4.2, 7): one that was answered with an error makes no tag later.',
    text: 'No list shows a tag of a create that was refused, at any time of the run.',
    cause: 'A background job or the next transaction carries out the refused create.',
    signs: ['refused-made-later'],
    // The run looks for such a tag in every list.
    check: async (target) => {
      const { exchange } = await refusedCreate(target, 'name-missing');
      return statusOf(exchange) === 0
        ? undecided('failure', `the create ${whatCame(exchange)}`, exchange)
        : holds();
    },
  },
  ...oddCreates,
];
