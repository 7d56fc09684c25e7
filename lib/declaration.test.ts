import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { declarationSchema, questionsOf, readDeclaration } from './declaration.ts';
import { open } from './requirement.ts';
import { SettingsError } from './settings-error.ts';

const question = (key: string, answers: z.ZodType): ReturnType<typeof open> =>
  open({
    id: `open/${key}`,
    section: '4.4',
    sentences: ['4.4/path'],
    text: 'How is it?',
    key,
    answers,
    tell: () => 'So.',
    ask: () => Promise.reject(new Error('nobody asks')),
  });

const QUESTIONS = questionsOf([
  question('missingToken', z.union([z.int(), z.literal('no answer')])),
  question('emptyScopes', z.object({ status: z.int(), token: z.boolean() })),
  question('filter.match', z.enum(['exact', 'substring'])),
  question('filter.wildcards', z.array(z.enum(['%', '_']))),
]);

const folder = mkdtempSync(join(tmpdir(), 'declaration-'));
let files = 0;

function fileOf(text: string): string {
  const file = join(folder, `${++files}.json`);
  writeFileSync(file, text);
  return file;
}

const read = (text: string): Record<string, unknown> =>
  Object.fromEntries(readDeclaration(fileOf(text), QUESTIONS));

function complaint(text: string): string {
  const file = fileOf(text);
  try {
    readDeclaration(file, QUESTIONS);
  } catch (error) {
    if (error instanceof SettingsError) return error.message.replaceAll(file, 'FILE');
    throw error;
  }
  throw new Error('there is nothing wrong with it');
}

describe('a declaration', () => {
  test('gives answers by key, those in groups by both names', () => {
    const text = '{"$schema":"x","missingToken":401,"filter":{"match":"exact","wildcards":["%"]}}';
    expect(read(text)).toEqual({ missingToken: 401, 'filter.match': 'exact', 'filter.wildcards': ['%'] });
  });

  test('may give a part of an answer with members', () => {
    expect(read('{"emptyScopes":{"token":false}}')).toEqual({ emptyScopes: { token: false } });
  });

  test('may be empty', () => {
    expect(read('{}')).toEqual({});
  });

  test.each([
    [
      'a key is close to one',
      '{"misingToken":401}',
      'FILE: "misingToken" is not an open question, so it cannot be declared. Did you mean missingToken?',
    ],
    [
      'a group is close to one',
      '{"fliter":{"match":"exact"}}',
      'FILE: "fliter" is not an open question, so it cannot be declared. Did you mean filter?',
    ],
    [
      'a member is close to one',
      '{"filter":{"mach":"exact"}}',
      'FILE: "filter.mach" is not an open question, so it cannot be declared. Did you mean filter.match?',
    ],
    [
      'a key is close to none',
      '{"create/answers":201}',
      'FILE: "create/answers" is not an open question, so it cannot be declared; declaration.schema.json lists the keys.',
    ],
    [
      'an answer cannot be',
      '{"filter":{"match":"regex"}}',
      'FILE: filter.match is expected to be one of "exact", "substring"; given was "regex".',
    ],
    [
      'a list has another member',
      '{"filter":{"wildcards":["*"]}}',
      'FILE: filter.wildcards is expected to be a list, each item one of "%", "_"; given was ["*"].',
    ],
    [
      'a status is a text',
      '{"missingToken":"401"}',
      'FILE: missingToken is expected to be a whole number or no answer; given was "401".',
    ],
    [
      'an answer has another member',
      '{"emptyScopes":{"body":1}}',
      'FILE: emptyScopes is expected to be an object with some of status (a whole number), token (true or false); given was {"body":1}.',
    ],
    [
      'a group is no object',
      '{"filter":"exact"}',
      'FILE: filter is expected to be an object with answers (match, wildcards); given was "exact".',
    ],
    ['it is no object', '[]', 'The declaration FILE is expected to be a JSON object of answers by key.'],
  ])('is refused in a sentence where %s', (_where, text, sentence) => {
    expect(complaint(text)).toBe(sentence);
  });

  test('is refused in a sentence if it is not JSON', () => {
    expect(complaint('{"a":')).toMatch(/^The declaration FILE is not JSON: .+\.$/);
  });

  test('is refused in a sentence if it cannot be read', () => {
    expect(() => readDeclaration(join(folder, 'none.json'), QUESTIONS)).toThrow(
      /^The declaration .*none\.json cannot be read \(ENOENT.*\); give the path of a JSON file\.$/,
    );
  });

  test('has a schema that allows exactly what is read', () => {
    const schema = declarationSchema(QUESTIONS, new Map());
    const allowed = {
      $schema: 'x',
      missingToken: 'no answer',
      emptyScopes: { token: true },
      filter: { match: 'exact' },
    };
    expect(schema.safeParse(allowed).success).toBe(true);
    for (const wrong of [
      { other: 1 },
      { filter: { other: 1 } },
      { filter: { match: 'regex' } },
      { emptyScopes: { other: 1 } },
    ])
      expect(schema.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
  });
});
