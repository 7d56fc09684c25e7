import { z } from 'zod';
import { harmless } from '../http/wording.ts';

/**
 * Schemas of the bodies in the specification. They require the members that it states, and allow others. The reference
 * does not use them, so a mistake in them shows as a failure of the reference.
 */

const filled = z.string().min(1, 'is an empty string');

const tag = z.looseObject({ name: z.string(), tag_id: filled });

export const bodies = {
  /** 4.1 */
  token: z.looseObject({ access_token: filled }),
  /** 4.2 */
  tag: z.looseObject({ tagging: tag }),
  /** 4.4 */
  list: z.looseObject({ error: z.boolean(), tagging: z.array(tag) }),
  /** 4.1 (302), 4.3, 4.5 */
  message: z.looseObject({ message: z.string() }),
  /** 7 */
  validation: z.looseObject({
    message: z.string(),
    errors: z.record(z.string(), z.array(z.string())),
  }),
} as const;

/** The body of a success, by operation (4.1 to 4.5). */
export const bodyOfSuccess = {
  login: bodies.token,
  create: bodies.tag,
  rename: bodies.message,
  list: bodies.list,
  delete: bodies.message,
} as const;

const typeName = (value: unknown): string => {
  if (value === null) return 'null';
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};

const expectedName: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

/**
 * The first difference between a value and a schema, in one clause that names the path, such as
 * `tagging.tag_id is a number, not a string`; undefined if there is none.
 */
export function misfit(shape: z.ZodType, value: unknown): string | undefined {
  const result = shape.safeParse(value);
  if (result.success) return undefined;
  const issue = result.error.issues[0];
  if (issue === undefined) return 'the body has another form';
  const path = issue.path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('');
  const name = path === '' ? 'the body' : harmless(path.replace(/^\./, ''));
  if (issue.code === 'invalid_type') {
    const got = typeName(at(value, issue.path));
    const wanted = expectedName[issue.expected] ?? issue.expected;
    return got === 'missing' ? `${name} is missing` : `${name} is ${got}, not ${wanted}`;
  }
  return `${name} ${issue.message}`;
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Record<PropertyKey, unknown>)[step];
  }
  return here;
}
