import {
  accepted,
  broken,
  createdIn,
  type Exchange,
  holds,
  nameOf,
  type Position,
  type RequestOverrides,
  type Requirement,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { listUntil, shows } from '../listed-tags.ts';
import { tour } from '../tour.ts';

const JSON_TYPE = 'application/json';

/** Headers that mean the same as those of section 5. */
const EQUIVALENT: readonly {
  readonly id: string;
  /** Completes "A request …". */
  readonly what: string;
  readonly sentence: Position;
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

const lower = (name: string): string => name.toLowerCase();
const upper = (name: string): string => name.toUpperCase();
const mixed = (name: string): string =>
  [...name].map((char, at) => (at % 2 === 0 ? char.toLowerCase() : char.toUpperCase())).join('');

/** Sends each operation with header names in this spelling. Returns the first exchange without effect, if any. */
async function useSpelled(
  target: Target,
  spelling: RequestOverrides['spelling'],
): Promise<Exchange | undefined> {
  const departure = spelling === undefined ? undefined : { spelling };
  const [before, name] = [target.name(), target.name()];
  const create = await target.create({ name: before }, departure);
  const created = createdIn(create);
  if (created === undefined) return create;
  const { tagId } = created;
  // The list that waits for the tag is spelled as well.
  const { list, good } = await listUntil(target, (one) => shows(one, created), {
    filter: before,
    ...(departure === undefined ? {} : { overrides: departure }),
  });
  if (!good) return list;
  const update = await target.rename(tagId, { name }, departure);
  if (!accepted(update)) return update;
  const remove = await target.delete(tagId, departure);
  return accepted(remove) ? undefined : remove;
}

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
    tags: 3,
    check: async (target) => {
      for (const [spelling, written] of [
        ['lower', lower],
        ['upper', upper],
        ['mixed', mixed],
      ] as const) {
        if ((await useSpelled(target, written)) === undefined) continue;
        const usual = await useSpelled(target, undefined);
        if (usual !== undefined)
          return undecided(
            'failure',
            'the same requests do not work with the usual header names either',
            usual,
          );
        // A quota, or a token that ended, may have refused the first one.
        const odd = await useSpelled(target, written);
        if (odd === undefined) continue;
        return broken(
          `${whatCame(odd)}, but without the usual effect, when the header names are in ${spelling} case`,
          odd,
        );
      }
      return holds();
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
      const pair = await Promise.all([
        target.create({ name: target.name() }, { headers }),
        target.list(undefined, { headers: { Accept: headers['Accept'] ?? JSON_TYPE } }),
      ]);
      const refused = pair.find((exchange) => !accepted(exchange));
      if (refused === undefined) return holds();
      const { operations } = await tour(target);
      const twin = operations.find(({ ask }) => ask.operation === refused.ask.operation);
      return twin === undefined || !accepted(twin)
        ? undecided(
            'failure',
            `the ${nameOf(refused.ask.operation)} does not work with the usual headers either`,
            refused,
          )
        : broken(`${whatCame(refused)} to a request ${what}`, refused, twin);
    },
  })),
];
