import {
  accepted,
  allOf,
  holds,
  type Outcome,
  type Requirement,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { NO_NAMES, TEXT_LIKE } from '../invalid-bodies.ts';
import {
  type InvalidBody,
  judgeRefusal,
  refusedTogether,
  type Refusals,
  TAGS_OF_REFUSALS,
  updatesAfterwards,
} from './refused-together.ts';

interface InvalidUpdate extends InvalidBody {
  readonly id: string;
}

interface SentTogether extends Refusals<InvalidUpdate> {
  /** Whether the tag can still be updated, if that was checked. */
  readonly afterwards?: Outcome;
}

/** Updates a tag to each kind of invalid name, once in a run. */
const refusals = (target: Target): Promise<SentTogether> =>
  target.shared('updates to invalid names', TAGS_OF_REFUSALS, async (shared): Promise<SentTogether> => {
    const noNames = NO_NAMES.map(({ id, what, body }): InvalidUpdate => {
      const invalid = body(shared, 'update');
      return { id, what, body: invalid.body, names: invalid.traces, texts: [] };
    });
    const textLike = TEXT_LIKE.map(({ id, what, body }): InvalidUpdate => {
      const invalid = body(shared, 'update');
      return { id, what, body: invalid.body, names: [], texts: invalid.traces };
    });
    if (shared.settings.effort === 'quick') return refusedTogether(shared, noNames.slice(0, 1));
    const all = await refusedTogether(shared, [...noNames, ...textLike], { hasNeighbour: true });
    const { twin, tag, sent } = all;
    if (!accepted(twin) || tag === undefined) return all;
    const refused = sent.map(({ exchange }) => exchange).filter((one) => !accepted(one));
    return { ...all, afterwards: await updatesAfterwards(shared, tag, refused) };
  });

/** Requirements about updates to invalid names. */
export const refusedUpdates = [...NO_NAMES, ...TEXT_LIKE].map(({ id, what, sentences }): Requirement => ({
  id: `update/${id}`,
  ...(id === 'name-missing' ? {} : { effort: 'standard' as const }),
  section: id === 'name-missing' ? '7' : '4.3',
  sentences: sentences.update,
  level: 'required',
  text: `An update ${what} is answered 422, and the tag keeps its name.`,
  cause: 'The name is stored without a check of its type, or the check answers with another status.',
  check: async (target) => {
    const { twin, sent, afterwards = holds() } = await refusals(target);
    if (!accepted(twin)) return undecided('failure', `an update with a plain name ${whatCame(twin)}`, twin);
    const own = sent.find((one) => one.id === id);
    return own === undefined
      ? undecided('failure', 'an update with another body changed the tag before')
      : allOf(judgeRefusal(own, twin), id === 'name-missing' ? afterwards : holds());
  },
}));
