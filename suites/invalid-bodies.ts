import { RawBody, type Requirement, type Target } from '../lib/check.ts';
import type { InvalidBody } from './update/refused-together.ts';

type Sentences = Readonly<Record<'create' | 'update', Requirement['sentences']>>;

/** The sentences of the specification that require the name. */
const NAME_REQUIRED = {
  create: ['2/tag-name-on-create', '4.2/name-required', '4.2/status-422', '7/create-422'],
  update: ['2/tag-name-on-update', '4.3/name-required', '4.3/status-422', '7/update-422'],
} as const satisfies Sentences;

/** The sentences of the specification that make the name a string. */
const NAME_IS_STRING = {
  create: ['2/tag-name-type', '4.2/name-type', '4.2/status-422', '7/create-422'],
  update: ['2/tag-name-type', '4.3/name-type', '4.3/status-422', '7/update-422'],
} as const satisfies Sentences;

/** A body of a create or an update in which the name is missing or is not a string (4.2, 4.3, 7). */
interface InvalidName {
  readonly id: string;
  /** Completes "A create …". */
  readonly what: string;
  readonly sentences: Sentences;
  /** Whether no stranger's tag has a name that the body holds. */
  readonly hasOwnText?: true;
  /** Makes the body, and lists the strings that a careless target could store as the name. */
  readonly body: (
    target: Target,
    operation: keyof Sentences,
  ) => { readonly body: unknown; readonly traces: readonly string[] };
}

/** Bodies with no value that a target could read as a name. */
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
      return { body: { name: { value: trace, name: trace, text: trace, '0': trace } }, traces: [trace] };
    },
  },
];

/**
 * Some frameworks convert these values to a string before they validate. A target that stores that string gets a
 * warning.
 */
export const TEXT_LIKE: readonly InvalidName[] = [
  {
    id: 'name-number',
    what: 'with a name that is a number',
    sentences: NAME_IS_STRING,
    hasOwnText: true,
    body: (target) => {
      const number = target.names.number();
      return { body: { name: number }, traces: [String(number)] };
    },
  },
  {
    id: 'name-boolean',
    what: 'with a name that is a boolean',
    sentences: NAME_IS_STRING,
    // Further creates and updates send false.
    body: () => ({ body: { name: true }, traces: ['true', 'True', 'TRUE', 't', '1'] }),
  },
];

/** A body that is not a JSON object (RFC 8259). The specification leaves the status open. */
interface NoObject {
  readonly id: string;
  /** Completes "A create whose body …". */
  readonly what: string;
  readonly content: Content;
  readonly others?: readonly { readonly what: string; readonly content: Content }[];
}

/** Makes the body around a name, or around a number, that a careless target could find in it. */
type Content = (name: string, number: string) => string;

export const NO_OBJECTS: readonly NoObject[] = [
  { id: 'body-empty', what: 'is empty', content: () => '' },
  {
    id: 'body-cut-short',
    what: 'is cut short',
    content: (name) => `{"name":"${name}"`,
    others: [{ what: 'is cut short', content: (name) => `{"name":"${name}` }],
  },
  { id: 'body-plain-words', what: 'is plain words', content: (name) => `name is ${name}` },
  { id: 'body-form', what: 'is form-encoded', content: (name) => `name=${name}` },
  {
    id: 'body-scalar',
    what: 'is a string',
    content: (name) => JSON.stringify(name),
    others: [
      {
        what: 'is a string that holds the right body',
        content: (name) => JSON.stringify(JSON.stringify({ name })),
      },
      { what: 'is a number', content: (_, number) => number },
      { what: 'is null', content: () => 'null' },
    ],
  },
  {
    id: 'body-array',
    what: 'is an array',
    content: (name) => JSON.stringify([{ name }]),
    others: [
      { what: 'is an array of strings', content: (name) => JSON.stringify([name]) },
      { what: 'is an empty array', content: () => '[]' },
    ],
  },
];

/**
 * Values that many languages treat as false, and a number of an unusual form, each with the strings to which a
 * framework may convert it.
 */
const FALSY: readonly { readonly value: unknown; readonly texts: readonly string[] }[] = [
  { value: 0, texts: ['0'] },
  { value: false, texts: ['false', 'False', 'FALSE', 'f', '0', ''] },
  { value: -4821.5, texts: ['-4821.5'] },
  { value: [], texts: [] },
  { value: {}, texts: [] },
];

/** Bodies whose name is in a wrapper member, under another key, or among other values. */
const wrapped = (name: string): readonly unknown[] => [
  { tagging: { name }, tag: name, tag_name: name },
  { data: { name }, title: name, label: name },
  { name: [name, 2] },
];

/** A kind of body that must be refused. */
export type OddKind = 'falsy' | 'elsewhere' | 'no object' | 'blank';

/** An update shows by the tag_id what became of the tag, so this number need not be the run's own. */
const NUMBER = '42';

export interface OddBody extends InvalidBody {
  readonly kind: OddKind;
}

/** All odd bodies; those that contain a name contain this one. */
export function oddBodies(name: string): readonly OddBody[] {
  const names = [name];
  return [
    ...FALSY.map(({ value, texts }) => ({
      kind: 'falsy' as const,
      what: `with the name ${JSON.stringify(value)}`,
      names,
      texts,
      body: { name: value },
    })),
    ...wrapped(name).map((body) => ({
      kind: 'elsewhere' as const,
      what: `with the body ${JSON.stringify(body)}`,
      names,
      texts: [],
      body,
    })),
    ...NO_OBJECTS.flatMap((row) =>
      [row, ...(row.others ?? [])].map(({ what, content }) => ({
        kind: 'no object' as const,
        what: `whose body ${what}`,
        names,
        texts: [],
        body: new RawBody(content(name, NUMBER)),
        open: true as const,
      })),
    ),
    // Blank names come last, because a target may accept them.
    ...['', '  '].map((blank) => ({
      kind: 'blank' as const,
      what: `with the name ${JSON.stringify(blank)}`,
      names,
      texts: [],
      body: { name: blank },
    })),
  ];
}
