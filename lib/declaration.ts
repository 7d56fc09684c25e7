import { z } from 'zod';
import { inWords, isObject } from './judging/claim.ts';
import type { Question, Requirement } from './requirement.ts';
import { nearest } from './selection.ts';
import { textIn } from './given-file.ts';
import { SettingsError } from './settings-error.ts';

/** The answers to open questions that an implementer declares, by key. */
export type Declaration = ReadonlyMap<string, unknown>;

/** The open questions of a catalogue, in its order. */
export const questionsOf = (catalogue: readonly Requirement[]): Question[] =>
  catalogue.flatMap((requirement) => (requirement.level === 'open' ? [requirement.question] : []));

/** The schema of a declared answer. An answer with members may be declared in part. */
const declarable = ({ answers }: Question): z.ZodType =>
  answers instanceof z.ZodObject ? answers.partial().strict() : answers;

/**
 * The schema of a declaration, which may answer every open question and has no other members.
 *
 * @param texts the questions as sentences, by key.
 */
export function declarationSchema(
  questions: readonly Question[],
  texts: ReadonlyMap<string, string>,
): z.ZodType {
  const tree: Record<string, z.ZodType> = {};
  const groups: Record<string, Record<string, z.ZodType>> = {};
  for (const question of questions) {
    const { key } = question;
    const described = declarable(question)
      .describe(texts.get(key) ?? '')
      .optional();
    const [group = key, member] = key.split('.');
    if (member === undefined) tree[group] = described;
    else (groups[group] ??= {})[member] = described;
  }
  for (const [group, members] of Object.entries(groups)) tree[group] = z.strictObject(members).optional();
  return z.strictObject({ $schema: z.string().optional(), ...tree });
}

/**
 * Reads a declaration.
 *
 * @throws SettingsError if the file cannot be read, is not a JSON object, has a key that is not an open question, or has an
 * answer that the question does not allow.
 */
export const readDeclaration = (file: string, questions: readonly Question[]): Declaration =>
  declarationOf(objectIn(file), questions, file);

/**
 * Reads a declaration from an object.
 *
 * @param file names the origin of the object in messages.
 * @throws SettingsError as `readDeclaration` does.
 */
export function declarationOf(
  given: Readonly<Record<string, unknown>>,
  questions: readonly Question[],
  file: string,
): Declaration {
  const declaration = new Map<string, unknown>();
  for (const [key, value] of Object.entries(given)) {
    if (key === '$schema') continue;
    const members = questions.filter((question) => question.key.startsWith(`${key}.`));
    if (members.length === 0) declaration.set(key, answer(file, key, value, questions));
    else if (!isObject(value))
      throw new SettingsError(
        `${file}: ${key} is expected to be an object with answers (${members.map((one) => one.key.slice(key.length + 1)).join(', ')}); given was ${JSON.stringify(value)}.`,
      );
    else
      for (const [member, part] of Object.entries(value))
        declaration.set(`${key}.${member}`, answer(file, `${key}.${member}`, part, questions));
  }
  return declaration;
}

function objectIn(file: string): Readonly<Record<string, unknown>> {
  const text = textIn(file, `The declaration ${file}`, 'give the path of a JSON file');
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    throw new SettingsError(`The declaration ${file} is not JSON: ${(error as Error).message}.`, {
      cause: error,
    });
  }
  throw new SettingsError(`The declaration ${file} is expected to be a JSON object of answers by key.`);
}

function answer(file: string, key: string, value: unknown, questions: readonly Question[]): unknown {
  const question = questions.find((one) => one.key === key);
  if (question === undefined) {
    const guess = nearest(
      key,
      questions.flatMap((one) => [one.key, one.key.split('.')[0] ?? one.key]),
    );
    throw new SettingsError(
      `${file}: ${JSON.stringify(key)} is not an open question, so it cannot be declared${guess === undefined ? '; declaration.schema.json lists the keys.' : `. Did you mean ${guess}?`}`,
    );
  }
  const form = declarable(question);
  if (form.safeParse(value).success) return value;
  throw new SettingsError(
    `${file}: ${key} is expected to be ${expected(z.toJSONSchema(form))}; given was ${JSON.stringify(value)}.`,
  );
}

/** The values that a schema allows, in words. */
function expected(schema: z.core.JSONSchema.BaseSchema): string {
  if (schema.const !== undefined) return inWords(schema.const);
  if (schema.enum !== undefined)
    return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(', ')}`;
  if (schema.anyOf !== undefined)
    return schema.anyOf.map((part) => (typeof part === 'object' ? expected(part) : '')).join(' or ');
  switch (schema.type) {
    case 'integer':
      return 'a whole number';
    case 'boolean':
      return 'true or false';
    case 'string':
      return 'a text';
    case 'array':
      return `a list, each item ${typeof schema.items === 'object' && !Array.isArray(schema.items) ? expected(schema.items) : 'an answer'}`;
    default:
      return schema.properties === undefined
        ? 'an object'
        : `an object with some of ${Object.entries(schema.properties)
            .map(([name, part]) => `${name} (${typeof part === 'object' ? expected(part) : ''})`)
            .join(', ')}`;
  }
}
