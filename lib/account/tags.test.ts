import { describe, expect, test } from 'vitest';
import { Signs } from './signs.ts';
import { Tags } from './tags.ts';

/** Tags whose ledger lines stay at hand. */
function kept(): { tags: Tags; lines: unknown[] } {
  const lines: unknown[] = [];
  const ledger = { write: (line: string) => lines.push(JSON.parse(line)), discard: () => undefined };
  return { tags: new Tags(ledger, 'first', new Signs()), lines };
}

describe('the tags of a run', () => {
  test('knows a tag by every name and by its id, as long as it lives', () => {
    const { tags } = kept();
    const record = tags.intend('old');
    expect(tags.named('old')).toBe(record);
    expect(tags.living('1')).toBeUndefined();
    tags.made(record, '1');
    expect(tags.living('1')).toBe(record);
    tags.renaming('1', 'new');
    expect(tags.named('old')).toBe(record);
    expect(tags.named('new')).toBe(record);
    tags.removed(record);
    expect(tags.living('1')).toBeUndefined();
  });

  test('gives each tag a key of its own, in the order of the intents', () => {
    const { tags } = kept();
    expect(['a', 'a', 'b'].map((name) => tags.intend(name).key)).toEqual([0, 1, 2]);
    expect(tags.records.map(({ key }) => key)).toEqual([0, 1, 2]);
  });

  test('writes what it knows already once', () => {
    const { tags, lines } = kept();
    const record = tags.intend('a');
    tags.made(record, '1');
    tags.made(record, '1');
    tags.refused(record);
    expect(lines).toHaveLength(2);
    expect(record.state).toBe('alive');
  });

  test('forgets an id that turned out to be somebody else’s', () => {
    const { tags } = kept();
    const record = tags.intend('a');
    tags.made(record, '1');
    tags.disown(record, 'Rent');
    expect(tags.living('1')).toBeUndefined();
    expect(record).toMatchObject({ state: 'intended' });
    expect(record.tagId).toBeUndefined();
  });
});
