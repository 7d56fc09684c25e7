import type { Work } from './work.ts';

type Run = <T>(work: Work, ask: () => Promise<T>) => Promise<T>;

/** Special ways to run a part of a check. */
const MANNERS = {
  /** Its first requests start at the same time. */
  simultaneously: ({ session }, ask) => session.client.pace.simultaneously(ask),

  /** Meanwhile the run sends one request at a time. */
  'one by one': ({ session }, ask) => session.client.pace.oneAtATime(ask),

  /** Meanwhile the run creates no tags, so that a target that reuses tag_ids gives none of them to a new tag. */
  'without creates': async (work, ask) => {
    work.refuseIfOver();
    const { creating } = work.session.slots;
    return creating.use(creating.total, async () => {
      work.mayCreate = false;
      try {
        return await ask();
      } finally {
        work.mayCreate = true;
      }
    });
  },

  /** Meanwhile no other part runs exclusively. The tags of the check are removed at the end. */
  exclusively: async (work, ask) => {
    // The work takes room first. In the other order there could be a deadlock: a check with room may wait for shared work,
    // which may wait to be exclusive.
    await work.claim?.takeAll();
    return work.session.slots.exclusive.use(1, async () => {
      try {
        return await ask();
      } finally {
        await work.removeTags();
        work.claim?.leave();
      }
    });
  },

  /** It begins when every other check has ended. */
  'after the others': async ({ session }, ask) => {
    await session.othersDone;
    return ask();
  },
} satisfies Readonly<Record<string, Run>>;

export type Manner = keyof typeof MANNERS;

/** Runs a part of a check in a special way. */
export const runIn = async <T>(manner: Manner, work: Work, ask: () => Promise<T>): Promise<T> =>
  MANNERS[manner](work, ask);
