import { z } from 'zod';
import {
  accepted,
  createdIn,
  type Exchange,
  type Lookup,
  open,
  type Target,
  Undecided,
  whatCame,
} from '../../lib/check.ts';
import { idForm } from '../unknown-ids.ts';
import { acceptance, acceptanceIn, tellAcceptance } from './answers.ts';

/** A tag made again under the name of a deleted one, while nothing else is made. */
function madeAgain(
  target: Target,
): Promise<{ readonly again: Exchange; readonly isReused: boolean | undefined }> {
  return target.shared('made again', 2, async (shared) => {
    const tag = await shared.makeTag();
    const removed = await shared.delete(tag.tagId);
    if (!accepted(removed) || !(await shared.untilGone(tag)).good)
      throw new Undecided(
        'failure',
        `the tag is still there after its delete, which ${whatCame(removed)}`,
        removed,
      );
    const again = await shared.create({ name: tag.name });
    const other = accepted(again) ? again : await shared.create({ name: shared.name() });
    const created = createdIn(other);
    return { again, isReused: created === undefined ? undefined : created.tagId === tag.tagId };
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
  tell: (answer) => `A create with the name of a deleted tag is ${tellAcceptance(answer)}.`,
  ask: async (target) => {
    const { again } = await madeAgain(target);
    return { answer: acceptanceIn(again), exchanges: [again] };
  },
});

export const idReuse = open({
  id: 'open/id-reuse',
  section: '4.5',
  sentences: ['4.5/status-200'],
  when: 'calm',
  text: 'Is the tag_id of a deleted tag given to the next one?',
  key: 'idReuse',
  answers: z.enum(['reused', 'not reused']),
  tell: (answer) => `The tag_id of a deleted tag is ${answer}.`,
  ask: async (target) => {
    const { again, isReused } = await madeAgain(target);
    if (isReused === undefined) throw new Undecided('failure', 'no create gave a tag_id', again);
    return { answer: isReused ? ('reused' as const) : ('not reused' as const), exchanges: [again] };
  },
});

/** The tag_ids of the whole run so far, of which there is one at least, and a list that shows one. */
const idsSeen = (target: Target): Promise<{ readonly ids: readonly string[]; readonly exchange: Exchange }> =>
  target.shared('tag_ids', 1, async (shared) => {
    const { name } = await shared.makeTag();
    return { ids: shared.knownTags().map(({ tagId }) => tagId), exchange: await shared.list(name) };
  });

export const idFormat = open({
  id: 'open/tag-id-form',
  section: '2',
  sentences: ['2/tag-id-form'],
  when: 'calm',
  text: 'What form does a tag_id have?',
  key: 'tagId.form',
  answers: z.enum(['uuid', 'ulid', 'integer', 'hex', 'other']),
  tell: (answer) => `A tag_id is ${answer === 'other' ? 'of a form of its own' : TOLD[answer]}.`,
  ask: async (target) => {
    const { ids, exchange } = await idsSeen(target);
    return { answer: idForm(ids), exchanges: [exchange] };
  },
});

const TOLD = { uuid: 'a UUID', ulid: 'a ULID', integer: 'an integer', hex: 'hexadecimal' } as const;

export const idEncoding = open({
  id: 'open/tag-id-encoding',
  section: '2',
  sentences: ['2/tag-id-form'],
  when: 'calm',
  text: 'Does a tag_id need percent-encoding in a path?',
  key: 'tagId.encoding',
  answers: z.enum(['needed', 'not needed']),
  tell: (answer) => `Percent-encoding of a tag_id in a path is ${answer}.`,
  ask: async (target) => {
    const { ids, exchange } = await idsSeen(target);
    const odd = ids.some((id) => encodeURIComponent(id.toWellFormed()) !== id);
    return { answer: odd ? ('needed' as const) : ('not needed' as const), exchanges: [exchange] };
  },
});

const spelling = z.enum(['the same tag', 'no tag']);

/** Which tag an update reaches whose path spells the tag_id in another way. */
async function reached(
  target: Target,
  respell: (tagId: string) => string | undefined,
  otherwise: string,
): Promise<{ answer: z.infer<typeof spelling>; exchanges: readonly Exchange[] }> {
  const tag = await target.makeTag();
  const spelled = respell(tag.tagId);
  if (spelled === undefined || spelled === tag.tagId) throw new Undecided('choice', otherwise);
  const name = target.name();
  const exchange = await target.rename(spelled, { name }, { open: true });
  const look = (): Promise<Lookup> => target.lookUp(tag.tagId, name, tag.name);
  const isReached = ({ entries }: Lookup): boolean =>
    entries.some((entry) => entry.tagId === tag.tagId && entry.name === name);
  // What was acknowledged may take its time to show.
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
      (id) => (id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase()),
      'the tag_ids of this target have no letters',
    ),
});

export const idZeros = open({
  id: 'open/tag-id-zeros',
  section: '2',
  sentences: ['2/tag-id-form'],
  text: 'Which tag does a tag_id with a zero before it address?',
  key: 'tagId.zeros',
  answers: spelling,
  tags: 1,
  tell: (answer) => `A tag_id with a zero before it addresses ${answer}.`,
  ask: (target) =>
    reached(
      target,
      (id) => (idForm([id]) === 'integer' ? `0${id}` : undefined),
      'the tag_ids of this target are no integers',
    ),
});
