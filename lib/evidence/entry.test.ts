import { expect, test } from 'vitest';
import { exchangeOf } from '../http/exchange.test.double.ts';
import { finish } from '../http/message.ts';
import { Masker } from '../judging/masker.ts';
import { entryOf } from './entry.ts';
import { StandIns } from './stand-ins.ts';

test('a list after a byte order mark loses only the names of others', async () => {
  const bytes = Buffer.from(
    '\uFEFF{"tagging":[{"name":"own é😀","tag_id":"1"},{"name":"lait entier","tag_id":"2"}]}',
  );
  const { response } = entryOf(exchangeOf(await finish(200, [], bytes)), {
    base: new URL('https://api.test/'),
    masker: new Masker(),
    standIns: new StandIns(),
    isOwn: (text) => text === 'own é😀',
    timeOf: () => new Date(0),
    sinceStart: () => 0,
  });
  const kept = Buffer.from(response.content.text ?? '', 'base64').toString();
  expect(response.content.encoding).toBe('base64');
  expect(kept).toMatch(/^\uFEFF\{"tagging":\[\{"name":"own é😀","tag_id":"1"\},\{"name":"/);
  expect(kept).not.toContain('lait');
});
