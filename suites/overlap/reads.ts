import fc from 'fast-check';
import { broken, listedIn, type Outcome, type Target } from '../../lib/check.ts';
import { tagsIn } from '../listed-tags.ts';
import {
  intervalOf,
  letterOf,
  tagModel,
  type TagAction,
  type TimedRequest,
  withTimeline,
  writeOperations,
} from './history.ts';
import { isLinearizable, type Operation } from './linearizable.ts';
import { makeTagWhenFree } from './writes.ts';

/** The list without a filter, or the list filtered by the name with this number. */
type Look = 'list' | number;

/** Requests for one tag, in lanes that run in parallel. The requests of a lane are sent one after another. */
interface ReadCase {
  /** The number of updates in each lane of updates. */
  readonly renames: readonly number[];
  /** The lists in each lane of lists. */
  readonly looks: readonly (readonly Look[])[];
}

/** The filters come after a list, because the first request often ends before the target has received an update. */
const LOOKS: readonly Look[] = ['list', 0, 1];

export const readCases: fc.Arbitrary<ReadCase> = fc.record({
  renames: fc.constantFrom([1], [2], [1, 1]),
  looks: fc
    .shuffledSubarray([...LOOKS], { minLength: LOOKS.length })
    .map((looks) => [['list' as const, ...looks, 'list' as const]]),
});

/** A request for the tag, with what it did or showed. */
interface TagRequest extends TimedRequest {
  readonly operations: readonly Operation<TagAction>[];
}

/** Lists a tag while it is renamed, and checks that some order of the requests explains all answers. */
export async function readMeanwhile(target: Target, { renames, looks }: ReadCase): Promise<Outcome> {
  const tag = await makeTagWhenFree(target);
  const names = [tag.name, ...renames.flatMap((count) => Array.from({ length: count }, () => target.name()))];
  await target.untilListed(tag.tagId, tag.name);
  let given = 0;
  const rename = async (): Promise<TagRequest> => {
    const at = ++given;
    const name = names[at] ?? '';
    const exchange = await target.rename(tag.tagId, { name });
    return {
      label: `update to ${letterOf(at)}`,
      exchange,
      operations: writeOperations({ do: 'rename', name }, exchange),
    };
  };
  const read = async (look: Look): Promise<TagRequest> => {
    const filter = look === 'list' ? undefined : names[look % names.length];
    const label = look === 'list' ? 'list' : `filter by ${letterOf(look % names.length)}`;
    const exchange = await target.list(filter);
    const entries = listedIn(exchange)?.filter(({ tagId }) => tagId === tag.tagId);
    if (entries === undefined) return { label, exchange, operations: [] };
    const [entry] = entries;
    const at = names.indexOf(String(entry?.name));
    const result = entry === undefined ? 'not shown' : at < 0 ? 'another name' : `shows ${letterOf(at)}`;
    const action: TagAction =
      filter === undefined
        ? { do: 'shown', name: String(entry?.name) }
        : { do: 'found', name: filter, isFound: entries.some(({ name }) => name === filter) };
    // An unfiltered list without the tag proves nothing, because it may be paged.
    const isEvidence = filter !== undefined || entry !== undefined;
    return { label, exchange, result, operations: isEvidence ? [{ action, ...intervalOf(exchange) }] : [] };
  };
  const inTurn = async (requests: readonly (() => Promise<TagRequest>)[]): Promise<TagRequest[]> => {
    const done: TagRequest[] = [];
    for (const request of requests) done.push(await request());
    return done;
  };
  const lanes = await target.run('simultaneously', () =>
    Promise.all([
      ...renames.map((count) => inTurn(Array.from({ length: count }, () => rename))),
      ...looks.map((lane) => inTurn(lane.map((look) => () => read(look)))),
    ]),
  );
  const requests = lanes.flat();
  // A list that cannot be read ends the check, but only after all requests are answered.
  for (const { exchange } of requests) if (exchange.ask.operation === 'list') tagsIn(exchange);
  const operations = requests.flatMap((one) => one.operations);
  const finding = isLinearizable(tagModel(tag.name, false), operations)
    ? undefined
    : broken(
        'no order of the updates and the lists explains what the lists showed of a tag while it was renamed',
        ...requests.map(({ exchange }) => exchange),
      );
  return withTimeline(finding, requests);
}
