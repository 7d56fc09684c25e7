import { RawBody, type Requirement, type Target } from '../lib/check.ts';
import { leavesNothing } from './refused-creates.ts';

type Sentences = Readonly<Record<'create' | 'update', Requirement['sentences']>>;

/** The sentences that a body without a name contradicts, by operation. */
const NAME_REQUIRED = {
  create: ['2/tag-name-on-create', '4.2/name-required', '4.2/status-422', '7/create-422'],
  update: ['2/tag-name-on-update', '4.3/name-required', '4.3/status-422', '7/update-422'],
} as const satisfies Sentences;

/** And those that a name of another type than string contradicts. */
const NAME_IS_STRING = {
  create: ['2/tag-name-type', '4.2/name-type', '4.2/status-422', '7/create-422'],
  update: ['2/tag-name-type', '4.3/name-type', '4.3/status-422', '7/update-422'],
} as const satisfies Sentences;

/** A body of create or update in which the required name is missing or no string (4.2, 4.3, 7). */
export interface InvalidName {
  readonly id: string;
  /** Completes "A create …". */
  readonly what: string;
  readonly sentences: Sentences;
  /** The body, and the texts that a target which took it after all would keep as the name. */
  readonly body: (target: Target) => { readonly body: unknown; readonly traces: readonly string[] };
}

/** No reading of the specification makes a name of these. */
export const NO_NAMES: readonly InvalidName[] = [
  {
    id: 'name-missing',
    what: 'without a name',
    sentences: {
      create: [...NAME_REQUIRED.create, '7/missing-name-422'],
      update: [...NAME_REQUIRED.update, '7/missing-name-422'],
    },
    body: () => ({ body: {}, traces: [] }),
  },
  {
    id: 'name-null',
    what: 'with a name that is null',
    sentences: NAME_REQUIRED,
    body: () => ({ body: { name: null }, traces: [] }),
  },
  {
    id: 'name-array',
    what: 'with a name that is an array',
    sentences: NAME_IS_STRING,
    body: (target) => {
      const trace = target.name();
      return { body: { name: [trace] }, traces: [trace] };
    },
  },
  {
    id: 'name-object',
    what: 'with a name that is an object',
    sentences: NAME_IS_STRING,
    body: (target) => {
      const trace = target.name();
      return { body: { name: { name: trace } }, traces: [trace] };
    },
  },
];

/** Some frameworks take these as their text before they validate: that is a warning where they keep it as a string. */
export const TEXT_LIKE: readonly InvalidName[] = [
  {
    id: 'name-number',
    what: 'with a name that is a number',
    sentences: NAME_IS_STRING,
    body: (target) => {
      const number = target.names.number();
      return { body: { name: number }, traces: [String(number)] };
    },
  },
  {
    id: 'name-boolean',
    what: 'with a name that is a boolean',
    sentences: NAME_IS_STRING,
    body: () => ({ body: { name: true }, traces: ['true', 'True', '1'] }),
  },
];

/** A body that no reading makes a JSON object with a name (RFC 8259); its status is open. */
export interface NoObject {
  readonly id: string;
  /** Completes "A create whose body …". */
  readonly what: string;
  /** The body as it is sent, around a name that a careless target could take from it. */
  readonly content: (name: string) => string | Uint8Array;
}

export const NO_OBJECTS: readonly NoObject[] = [
  { id: 'body-empty', what: 'is empty', content: () => '' },
  { id: 'body-cut-short', what: 'is cut short', content: (name) => `{"name":"${name}"` },
  { id: 'body-plain-words', what: 'is plain words', content: (name) => `name is ${name}` },
  { id: 'body-form', what: 'is form-encoded', content: (name) => `name=${name}` },
  { id: 'body-scalar', what: 'is a string', content: (name) => JSON.stringify(name) },
  { id: 'body-array', what: 'is an array', content: (name) => JSON.stringify([{ name }]) },
];

/** A create with such a body, asked once in a run. */
export function noObject(target: Target, row: string): ReturnType<typeof leavesNothing> {
  return target.shared(`create ${row}`, 1, (shared) => {
    const name = shared.name();
    const content = NO_OBJECTS.find(({ id }) => id === row)?.content(name) ?? '';
    return leavesNothing(
      shared,
      () => shared.create(new RawBody(content), { open: true }),
      content === '' ? [] : [name],
    );
  });
}
