import { answerOf, exchangeOf } from '../http/exchange.test.double.ts';
import { Contradictions } from './contradictions.ts';
import type { Look } from './look.ts';
import { Signs } from './signs.ts';
import { OwnedTag } from './tag-record.ts';

const SETTLE_MS = 1.5;

/** A list that is requested at this time, later than the settle time after the create of the tag. */
export const look = (number: number): Look => ({
  exchange: { ...exchangeOf(answerOf(200, {})), number },
  askedAt: 10 + number,
});

/** A tag that was made at this time. */
export const tagMadeAt = (madeAt: number): OwnedTag =>
  Object.assign(new OwnedTag(0, ['a']), { tagId: '1', state: 'alive', isSeen: true, madeAt });

export function found(): { contradictions: Contradictions; signs: Signs } {
  const signs = new Signs();
  return { contradictions: new Contradictions(signs, SETTLE_MS), signs };
}

export const isOfAnother = (tagId: string): boolean => tagId === '29';

export const LISTED = { tagId: '1', name: 'a' };
