import { type Requirement, type Target } from '../lib/check.ts';

type Sentences = Readonly<Record<'create' | 'update', Requirement['sentences']>>;

/** The sentences that a body without a name contradicts. */
const NAME_REQUIRED = {
  create: ['2/tag-name-on-create', '4.2/name-required', '4.2/status-422', '7/create-422'],
  update: ['2/tag-name-on-update', '4.3/name-required', '4.3/status-422', '7/update-422'],
} as const satisfies Sentences;

/** The sentences that a name of another type than string contradicts. */
const NAME_IS_STRING = {
  create: ['2/tag-name-type', '4.2/name-type', '4.2/status-422', '7/create-422'],
  update: ['2/tag-name-type', '4.3/name-type', '4.3/status-422', '7/update-422'],
} as const satisfies Sentences;

/** A body of create or update in which the required name is missing or no string (4.2, 4.3, 7). */
interface InvalidName {
  readonly id: string;
  /** Completes "A create …". */
  readonly what: string;
  readonly sentences: Sentences;
  /** Makes the body, and lists the strings that a careless target could keep as the name. */
  readonly body: (
    target: Target,
    operation: keyof Sentences,
  ) => { readonly body: unknown; readonly traces: readonly string[] };
}

/** Bodies without a name that anybody could read as one. */
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

/** Some frameworks convert these to a string before they validate. If a target keeps that string, it is a warning. */
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
    // The text of the value may be a name by then, and may stay taken: no two operations give the same.
    body: (_target, operation) =>
      operation === 'create'
        ? { body: { name: true }, traces: ['true', 'True', 'TRUE', '1'] }
        : { body: { name: false }, traces: ['false', 'False', 'FALSE', '0'] },
  },
];
