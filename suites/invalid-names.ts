import type { Target } from '../lib/engine/target.ts';

/** A body of create or update in which the required name is missing or no string (4.2, 4.3, 7). */
export interface InvalidName {
  readonly id: string;
  /** Completes "A create …". */
  readonly what: string;
  /** The body, and the texts that a target which took it after all would keep as the name. */
  readonly body: (target: Target) => { readonly body: unknown; readonly traces: readonly string[] };
}

/** No reading of the specification makes a name of these. */
export const NO_NAMES: readonly InvalidName[] = [
  { id: 'name-missing', what: 'without a name', body: () => ({ body: {}, traces: [] }) },
  { id: 'name-null', what: 'with a name that is null', body: () => ({ body: { name: null }, traces: [] }) },
  {
    id: 'name-array',
    what: 'with a name that is an array',
    body: (target) => {
      const trace = target.name();
      return { body: { name: [trace] }, traces: [trace] };
    },
  },
  {
    id: 'name-object',
    what: 'with a name that is an object',
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
    body: (target) => {
      const number = target.number();
      return { body: { name: number }, traces: [String(number)] };
    },
  },
  {
    id: 'name-boolean',
    what: 'with a name that is a boolean',
    body: () => ({ body: { name: true }, traces: ['true', 'True', '1'] }),
  },
];
