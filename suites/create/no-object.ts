import { RawBody, type Target } from '../../lib/check.ts';
import { leavesNothing } from './left-behind.ts';

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
