import { describe, expect, test } from 'vitest';
import { Names } from '../account/names.ts';
import { exchangeOf, answerOf } from '../http/exchange.test.double.ts';
import { OwnTexts } from './own-texts.ts';
import { withoutOthersTexts } from './others-texts.ts';
import { StandIns } from './stand-ins.ts';

describe('the texts of a run', () => {
  const names = new Names();
  const own = new OwnTexts(names);
  const plain = names.plain();
  const sent = `${plain} é`;
  for (const name of [plain, sent, 'null', true])
    own.learn(exchangeOf(answerOf(200), { operation: 'create', body: JSON.stringify({ name }) }));

  test.each([
    ['a name that it sent', plain],
    ['one that a target keeps in another form', sent.normalize('NFD').toUpperCase()],
    ['one that a target cuts', sent.slice(0, 9)],
    ['one that a target escapes', `&lt;${plain}`],
    ['one without random letters', 'null'],
    ['what a target makes of nothing', 'None'],
    ['what a target makes of a boolean', 'True'],
    ['the number that a target makes of a boolean', '1'],
  ])('are %s', (_, name) => expect(own.isOwn(name)).toBe(true));

  test.each([
    ['a name of somebody else', 'groceries'],
    ['one that looks like that of a run', 'ctqwertyuiopas'],
    ['the start that all names share', 'ct'],
  ])('are not %s', (_, name) => expect(own.isOwn(name)).toBe(false));
});

describe('a list', () => {
  const standIns = new StandIns();
  const list = (text: string, isJson = true): string =>
    withoutOthersTexts(text, (name) => name === 'own', standIns, isJson);

  test('loses only the texts of others, with one stand-in for each text', () => {
    const text =
      '{ "error":false, "tagging": [{"name":"own","tag_id":"a1"}, {"tag_id":"b2","name":"Milk 2%"}]}';
    const shown = list(text);
    expect(shown).not.toContain('Milk');
    const other = standIns.of('Milk 2%', 'text');
    expect(shown).toBe(text.replace('Milk 2%', other));
    expect(other).toMatch(/^[A-Z][a-z]{3} \d%$/);
    expect(list('{"tagging":[{"name":"Milk 2%"}]}')).toContain(other);
  });

  test('loses them even if it is not JSON', () => {
    expect(list('[{"name":"Milk", "note":"a note"', false)).toMatch(
      /^\[\{"name":"(?!Milk)[A-Z][a-z]{3}", "note":"(?!a note)/,
    );
  });

  test.each([
    ['in apostrophes', "{'name': 'Milk', 'tag_id': 7}"],
    ['without any marks', '<name>Milk</name>'],
    ['in UTF-16', Buffer.from('["Milk"]', 'utf16le').toString()],
  ])('loses them %s, if they are known from another list', (_where, text) => {
    const known = list('{"tagging":[{"name":"Milk"}]}');
    expect(known).not.toContain('Milk');
    const shown = list(text, false);
    expect(shown.replaceAll('\0', '')).not.toContain('Milk');
  });
});
