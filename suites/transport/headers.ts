import {
  accepted,
  broken,
  createdIn,
  type Exchange,
  holds,
  type RequestOverrides,
  type Requirement,
  spec,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { listUntil, shows } from '../listed-tags.ts';
import { tour } from '../tour.ts';

/** Headers that mean the same as those of section 5. */
const EQUIVALENT: readonly {
  readonly id: string;
  /** Completes "A request …". */
  readonly what: string;
  readonly sentence: Requirement['sentences'][number];
  readonly headers: Readonly<Record<string, string>>;
  readonly cause: string;
}[] = [
  {
    id: 'accept-with-weights',
    what: 'whose Accept allows other types besides JSON',
    sentence: '5/accept-value',
    headers: { Accept: 'application/json, */*;q=0.8' },
    cause: 'Accept is compared as a whole with application/json.',
  },
  {
    id: 'content-type-with-charset',
    what: 'whose Content-Type names the charset',
    sentence: '5/content-type-value',
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    cause: 'Content-Type is compared as a whole with application/json.',
  },
];

/** Code that compares header names with one or two usual spellings does not read these. */
const IN_CAPITALS: RequestOverrides = { spelling: (name) => name.toUpperCase() };

/** Code that knows three usual spellings does not read these. */
const IN_MIXED_CASE: RequestOverrides = {
  spelling: (name) =>
    [...name].map((char, at) => (at % 2 === 0 ? char.toLowerCase() : char.toUpperCase())).join(''),
};

/**
 * Sends each operation, with unusual header names if `isOdd`. Returns the first exchange that has no effect, if any.
 */
async function useSpelled(target: Target, isOdd: boolean): Promise<Exchange | undefined> {
  const [capitals, mixed] = isOdd ? [IN_CAPITALS, IN_MIXED_CASE] : [];
  const [before, name] = [target.name(), target.name()];
  const create = await target.create({ name: before }, capitals);
  const created = createdIn(create);
  if (created === undefined) return create;
  const { tagId } = created;
  // The lists that wait for the tag use this spelling as well.
  const { list, good } = await listUntil(target, (one) => shows(one, created), {
    filter: before,
    ...(capitals === undefined ? {} : { overrides: capitals }),
  });
  if (!good) return list;
  const update = await target.rename(tagId, { name }, capitals);
  if (!accepted(update)) return update;
  const last = await target.list(name, mixed);
  if (!accepted(last)) return last;
  const remove = await target.delete(tagId, capitals);
  return accepted(remove) ? undefined : remove;
}

/** Sends a create with these headers, and a list with those that it may have. */
const sendWith = (target: Target, headers: Readonly<Record<string, string>>): Promise<readonly Exchange[]> =>
  Promise.all([
    target.create({ name: target.name() }, { headers }),
    ...('Accept' in headers ? [target.list(undefined, { headers })] : []),
  ]);

/** The same with all headers that mean the same as those of section 5, sent once in a run. */
const withAllEquivalent = (target: Target): Promise<readonly Exchange[]> =>
  target.shared('equivalent headers', 1, (shared) =>
    sendWith(shared, Object.fromEntries(EQUIVALENT.flatMap(({ headers }) => Object.entries(headers)))),
  );

/** Requirements about other ways to write the headers of section 5. */
export const headerForms: readonly Requirement[] = [
  {
    id: 'transport/header-case',
    effort: 'standard',
    section: '5',
    sentences: ['5/content-type-value', '5/accept-value', '5/authorization-value'],
    level: 'derived',
    derivation: 'Field names are case-insensitive (RFC 9110, 5.1).',
    text: 'Header names mean the same in any letter case.',
    cause: 'Headers are looked up by the exact spelling that was sent.',
    tags: 2,
    check: async (target) => {
      if ((await useSpelled(target, true)) === undefined) return holds();
      const usual = await useSpelled(target, false);
      if (usual !== undefined)
        return undecided(
          'failure',
          'the same requests do not work with the usual header names either',
          usual,
        );
      // The first failure may have had another reason, such as a quota or an ended token.
      const odd = await useSpelled(target, true);
      return odd === undefined
        ? holds()
        : broken(
            `${whatCame(odd)}, but without the usual effect, when the header names are not in their usual letter case`,
            odd,
          );
    },
  },
  ...EQUIVALENT.map(({ id, what, sentence, headers, cause }): Requirement => ({
    id: `transport/${id}`,
    effort: 'standard',
    section: '5',
    sentences: [sentence],
    level: 'advisory',
    text: `A request ${what} is answered as usual.`,
    cause,
    tags: 1,
    check: async (target) => {
      if ((await withAllEquivalent(target)).every(accepted)) return holds();
      const pair = await sendWith(target, headers);
      const refused = pair.find((exchange) => !accepted(exchange));
      if (refused === undefined) return holds();
      const { operations } = await tour(target);
      const twin = operations.find(({ ask }) => ask.operation === refused.ask.operation);
      return twin === undefined || !accepted(twin)
        ? undecided(
            'failure',
            `the ${spec.nameOf(refused.ask.operation)} does not work with the usual headers either`,
            refused,
          )
        : broken(`${whatCame(refused)} to a request ${what}`, refused, twin);
    },
  })),
];
