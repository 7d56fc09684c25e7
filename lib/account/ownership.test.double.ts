import { answerOf, exchangeOf } from '../http/exchange.test.double.ts';
import type { Exchange } from '../http/exchange.ts';
import { Contradictions } from './contradictions.ts';
import { noLedger } from './ledger.ts';
import type { Look } from './look.ts';
import { Names } from './names.ts';
import { Ownership } from './ownership.ts';
import { Signs } from './signs.ts';
import type { TagRecord } from './tag-record.ts';
import { Tags } from './tags.ts';

/** A list of all tags that was requested now. */
export const whole = (exchange: Exchange): Look => ({ exchange, askedAt: performance.now() });

export const tagsOfRun = (): Tags => new Tags(noLedger, 'first', new Signs(), 1_000);

/** An ownership with one name of the run, whose create was answered with no tag. */
export function made(given?: string): {
  ownership: Ownership;
  tags: Tags;
  record: TagRecord;
  name: string;
} {
  const [names, tags] = [new Names(), tagsOfRun()];
  const name = given ?? names.plain();
  return {
    ownership: new Ownership(tags, names, new Contradictions(new Signs(), 0)),
    tags,
    record: tags.intend(name),
    name,
  };
}

/** A list that shows these tag_ids with these names. */
export const listed = (...pairs: [string, unknown][]): Exchange =>
  exchangeOf(answerOf(200, { error: false, tagging: pairs.map(([tag_id, name]) => ({ tag_id, name })) }));
