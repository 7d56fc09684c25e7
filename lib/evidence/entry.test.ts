import { expect, test } from 'vitest';
import { exchangeOf } from '../http/exchange.test.double.ts';
import { finish } from '../http/message.ts';
import { Masker } from '../judging/masker.ts';
import { filterQuery, pathOf } from '../spec/requests.ts';
import { entryOf } from './entry.ts';
import { StandIns } from './stand-ins.ts';

const writing = (isOwn: (text: string) => boolean): Parameters<typeof entryOf>[1] => ({
  base: new URL('https://api.test/'),
  masker: new Masker(),
  standIns: new StandIns(),
  isOwn,
  timeOf: () => new Date(0),
  sinceStart: () => 0,
});

test('a filter by the name of a stranger\u2019s tag gets the same stand-in as the name in lists', async () => {
  const parts = writing((text) => text === 'own');
  const listed = async (filter?: string): Promise<ReturnType<typeof entryOf>> => {
    const tagging = ['own', "Anna's lait"].map((name, at) => ({ name, tag_id: String(at) }));
    const answer = await finish(200, [], Buffer.from(JSON.stringify({ error: false, tagging })));
    const exchange = exchangeOf(answer);
    const path = pathOf.list(filter === undefined ? undefined : filterQuery(filter));
    return entryOf({ ...exchange, ask: { ...exchange.ask, path } }, parts);
  };
  const { response } = await listed();
  const { tagging } = JSON.parse(response.content.text ?? '') as { tagging: { name: string }[] };
  const standIn = tagging[1]?.name ?? '';
  const { request } = await listed("Anna's lait");
  expect(request.queryString).toEqual([{ name: 'tag', value: standIn }]);
  expect(JSON.stringify(request)).not.toContain('Anna');
  expect((await listed('own')).request.queryString).toEqual([{ name: 'tag', value: 'own' }]);
});

test('a list after a byte order mark loses only the names of others', async () => {
  const bytes = Buffer.from(
    '\uFEFF{"tagging":[{"name":"own é😀","tag_id":"1"},{"name":"lait entier","tag_id":"2"}]}',
  );
  const { response } = entryOf(
    exchangeOf(await finish(200, [], bytes)),
    writing((text) => text === 'own é😀'),
  );
  const kept = Buffer.from(response.content.text ?? '', 'base64').toString();
  expect(response.content.encoding).toBe('base64');
  expect(kept).toMatch(/^\uFEFF\{"tagging":\[\{"name":"own é😀","tag_id":"1"\},\{"name":"/);
  expect(kept).not.toContain('lait');
});
