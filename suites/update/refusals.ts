import { accepted, type Requirement, type Target, undecided, whatCame } from '../../lib/check.ts';
import { NO_NAMES, TEXT_LIKE } from '../invalid-names.ts';
import {
  type InvalidBody,
  judgeRefusal,
  refusedTogether,
  type Refusals,
  TAGS_OF_REFUSALS,
} from './refused-together.ts';

interface InvalidUpdate extends InvalidBody {
  readonly id: string;
}

/** Updates a tag to each kind of invalid name, once in a run. */
const refusals = (target: Target): Promise<Refusals<InvalidUpdate>> =>
  target.shared('updates to invalid names', TAGS_OF_REFUSALS, async (shared) => {
    const noNames = NO_NAMES.map(({ id, what, body }): InvalidUpdate => {
      const invalid = body(shared, 'update');
      return { id, what, body: invalid.body, names: invalid.traces, texts: [] };
    });
    const textLike = TEXT_LIKE.map(({ id, what, body }): InvalidUpdate => {
      const invalid = body(shared, 'update');
      return { id, what, body: invalid.body, names: [], texts: invalid.traces };
    });
    const isQuick = shared.settings.effort === 'quick';
    return refusedTogether(shared, isQuick ? noNames.slice(0, 1) : [...noNames, ...textLike]);
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
    const { twin, sent } = await refusals(target);
    if (!accepted(twin)) return undecided('failure', `an update with a plain name ${whatCame(twin)}`, twin);
    const own = sent.find((one) => one.id === id);
    return own === undefined
      ? undecided('failure', 'an update with another body changed the tag before')
      : judgeRefusal(own, twin);
  },
}));
