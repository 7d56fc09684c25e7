/** A body that is not a JSON object (RFC 8259). The specification leaves the status open. */
interface NoObject {
  readonly id: string;
  /** Completes "A create whose body …". */
  readonly what: string;
  /** Makes the body around a name that a careless target could find in it. */
  readonly content: (name: string) => string | Uint8Array;
  /** Other such bodies, which only an update sends: what a create makes of them may have no name to know it by. */
  readonly others?: readonly { readonly what: string; readonly content: (name: string) => string }[];
}

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
      { what: 'is a number', content: () => '42' },
      { what: 'is null', content: () => 'null' },
    ],
  },
  {
    id: 'body-array',
    what: 'is an array',
    content: (name) => JSON.stringify([{ name }]),
    others: [{ what: 'is an empty array', content: () => '[]' }],
  },
];
