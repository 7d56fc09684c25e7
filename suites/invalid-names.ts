import { RawBody, type Target } from '../lib/check.ts';
import { expectNoTag } from './refused-creates.ts';

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
      const number = target.names.number();
      return { body: { name: number }, traces: [String(number)] };
    },
  },
  {
    id: 'name-boolean',
    what: 'with a name that is a boolean',
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
export function noObject(target: Target, row: string): ReturnType<typeof expectNoTag> {
  return target.shared(`create ${row}`, 1, (shared) => {
    const name = shared.name();
    const content = NO_OBJECTS.find(({ id }) => id === row)?.content(name) ?? '';
    return expectNoTag(
      shared,
      () => shared.create(new RawBody(content), { open: true }),
      content === '' ? [] : [name],
    );
  });
}
