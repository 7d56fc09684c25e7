import { z } from 'zod';
import {
  accepted,
  createdIn,
  type Exchange,
  type Lookup,
  open,
  spec,
  type Tag,
  type Target,
  Undecided,
  whatCame,
} from '../../lib/check.ts';
import { areSparse, idForm } from '../unknown-ids.ts';
import { acceptance, acceptanceIn, describeAcceptance } from './answers.ts';

/** The create of a tag with the name of a deleted one. */
interface Recreation {
  readonly create: Exchange;
  /** Whether the next tag got the id of the deleted one; undefined if no create gave an id. */
  readonly isIdReused: boolean | undefined;
}

/** @throws Undecided if the tag is still listed after its delete. */
async function deleteForCertain(target: Target, tag: Tag): Promise<void> {
  const exchange = await target.delete(tag.tagId);
  if (accepted(exchange) && (await target.untilGone(tag)).good) return;
  const why = `the tag is still there after its delete, which ${whatCame(exchange)}`;
  throw new Undecided('failure', why, exchange);
}

/** Deletes a tag and makes another one with the same name, while the run makes no other tag; once in a run. */
function recreate(target: Target): Promise<Recreation> {
  return target.shared('made again', 2, async (shared) => {
    const tag = await shared.makeTag();
    await deleteForCertain(shared, tag);
    const create = await shared.create({ name: tag.name });
    const next = accepted(create) ? create : await shared.create({ name: shared.name() });
    const created = createdIn(next);
    return { create, isIdReused: created === undefined ? undefined : created.tagId === tag.tagId };
  });
}

export const nameReuse = open({
  id: 'open/name-reuse',
  section: '4.5',
  sentences: ['4.5/status-200'],
  when: 'calm',
  text: 'May the name of a deleted tag be used again?',
  key: 'nameReuse',
  answers: acceptance,
  tell: (answer) => `A create with the name of a deleted tag is ${describeAcceptance(answer)}.`,
  ask: async (target) => {
    const { create } = await recreate(target);
    return { answer: acceptanceIn(create), exchanges: [create] };
  },
});

export const idReuse = open({
  id: 'open/id-reuse',
  section: '4.5',
  sentences: ['4.5/status-200'],
  when: 'calm',
  text: 'Does the next tag get the tag_id of a deleted one?',
  key: 'idReuse',
  answers: z.enum(['reused', 'not reused']),
  tell: (answer) => `The tag_id of a deleted tag is ${answer}.`,
  ask: async (target) => {
    const { create, isIdReused } = await recreate(target);
    if (isIdReused === undefined) throw new Undecided('failure', 'no create gave a tag_id', create);
    // The run also notes reused ids, because the target may have given this id to a stranger's tag, or have reused the
    // id of a stranger's deleted tag first.
    const isReused = isIdReused || target.facts.givesIdsAgain;
    return { answer: isReused ? ('reused' as const) : ('not reused' as const), exchanges: [create] };
  },
});

/** All tag_ids that the run has seen so far, at least one, and a list that shows one of them. */
const issuedIds = (
  target: Target,
): Promise<{ readonly ids: readonly string[]; readonly exchange: Exchange }> =>
  target.shared('tag_ids', 1, async (shared) => {
    const { name } = await shared.makeTag();
    return { ids: shared.facts.tags.map(({ tagId }) => tagId), exchange: await shared.list(name) };
  });

export const idFormat = open({
  id: 'open/tag-id-form',
  section: '2',
  sentences: ['2/tag-id-form'],
  when: 'counted',
  text: 'What form does a tag_id have?',
  key: 'tagId.form',
  answers: z.enum(['uuid', 'ulid', 'integer', 'hex', 'other']),
  tell: (answer) => `A tag_id is ${FORM_TEXTS[answer]}.`,
  ask: async (target) => {
    const { ids, exchange } = await issuedIds(target);
    return { answer: idForm(ids), exchanges: [exchange] };
  },
});

const FORM_TEXTS = {
  uuid: 'a UUID',
  ulid: 'a ULID',
  integer: 'an integer',
  hex: 'hexadecimal',
  other: 'neither a UUID, a ULID, an integer nor hexadecimal',
} as const;

export const idEncoding = open({
  id: 'open/tag-id-encoding',
  section: '2',
  sentences: ['2/tag-id-form'],
  when: 'counted',
  text: 'Does a tag_id need percent-encoding in a path?',
  key: 'tagId.encoding',
  answers: z.enum(['needed', 'not needed']),
  tell: (answer) => `Percent-encoding of a tag_id in a path is ${answer}.`,
  ask: async (target) => {
    const { ids, exchange } = await issuedIds(target);
    const isOdd = ids.some((id) => spec.encodedId(id) !== id);
    return { answer: isOdd ? ('needed' as const) : ('not needed' as const), exchanges: [exchange] };
  },
});

/** Integers with at least this many digits are sparse, so that one with a leading zero is no other tag's id. */
const LONG_INTEGER = 15;

const spelling = z.enum(['the same tag', 'no tag']);

/**
 * Sends an update to another spelling of a tag's tag_id, and looks whether it changes the tag.
 *
 * @param respell returns another spelling of a tag_id, or undefined if none is safe.
 * @param whyNot why no spelling is safe, as a clause.
 */
async function reached(
  target: Target,
  respell: (tagId: string) => string | undefined,
  whyNot: string,
): Promise<{ answer: z.infer<typeof spelling>; exchanges: readonly Exchange[] }> {
  const tag = await target.makeTag();
  const spelled = respell(tag.tagId);
  if (spelled === undefined || spelled === tag.tagId) throw new Undecided('choice', whyNot);
  const name = target.name();
  const exchange = await target.rename(spelled, { name }, { open: true });
  const look = (): Promise<Lookup> => target.lookUp(tag.tagId, name, tag.name);
  const isReached = ({ entries }: Lookup): boolean =>
    entries.some((entry) => entry.tagId === tag.tagId && entry.name === name);
  // An acknowledged update may show late.
  const seen = accepted(exchange) ? (await target.until(look, isReached)).seen : await look();
  return { answer: isReached(seen) ? 'the same tag' : 'no tag', exchanges: [exchange, ...seen.exchanges] };
}

export const idLetterCase = open({
  id: 'open/tag-id-letter-case',
  section: '2',
  sentences: ['2/tag-id-form'],
  text: 'Which tag does a tag_id in another letter case address?',
  key: 'tagId.letterCase',
  answers: spelling,
  tags: 1,
  tell: (answer) => `A tag_id in another letter case addresses ${answer}.`,
  ask: (target) =>
    reached(
      target,
      (id) => (!areSparse([id]) ? undefined : id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase()),
      'the tag_ids of this target have no letters, or are so short that another letter case may address a tag of somebody else',
    ),
});

export const idZeros = open({
  id: 'open/tag-id-zeros',
  section: '2',
  sentences: ['2/tag-id-form'],
  text: 'Which tag does a tag_id with a leading zero address?',
  key: 'tagId.zeros',
  answers: spelling,
  tags: 1,
  tell: (answer) => `A tag_id with a leading zero addresses ${answer}.`,
  ask: (target) =>
    reached(
      target,
      (id) => (idForm([id]) === 'integer' && id.length >= LONG_INTEGER ? `0${id}` : undefined),
      'the tag_ids of this target are not integers, or are so short that a leading zero may address a tag of somebody else',
    ),
});
