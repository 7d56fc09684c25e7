import { RawBody } from '../lib/check.ts';
import { NO_OBJECTS } from './create/no-object.ts';

/** Values that many languages count as absent, and a number of an unusual form. Some frameworks convert scalars to a string. */
const FALSY: readonly { readonly value: unknown; readonly texts: readonly string[] }[] = [
  { value: 0, texts: ['0'] },
  { value: false, texts: ['false', 'False', 'FALSE', '0', ''] },
  { value: -4821.5, texts: ['-4821.5'] },
  { value: [], texts: [] },
  { value: {}, texts: [] },
];

/** Bodies whose name stands in a member in which some clients wrap what they send, under another key, or among others. */
const wrapped = (name: string): readonly unknown[] => [
  { tagging: { name }, tag: name, tag_name: name },
  { data: { name }, title: name, label: name },
  { name: [name, 2] },
];

/** A kind of bodies that have to be refused. */
export type OddKind = 'falsy' | 'elsewhere' | 'no object' | 'blank';

/** A body that has to be refused. */
export interface OddBody {
  readonly kind: OddKind;
  /** Completes "an update …". */
  readonly what: string;
  /** The texts to which a framework may convert the value. */
  readonly texts: readonly string[];
  readonly body: unknown;
}

/** What is sent as the body, and what it is called. The name stands in those bodies that hold one. */
export function oddBodies(name: string): readonly OddBody[] {
  return [
    ...FALSY.map(({ value, texts }) => ({
      kind: 'falsy' as const,
      what: `with the name ${JSON.stringify(value)}`,
      texts,
      body: { name: value },
    })),
    ...wrapped(name).map((body) => ({
      kind: 'elsewhere' as const,
      what: `with the body ${JSON.stringify(body)}`,
      texts: [],
      body,
    })),
    ...NO_OBJECTS.flatMap((row) =>
      [row, ...(row.others ?? [])].map(({ what, content }) => ({
        kind: 'no object' as const,
        what: `whose body ${what}`,
        texts: [],
        body: new RawBody(content(name)),
      })),
    ),
    // Last, because they may be accepted.
    ...['', '  '].map((blank) => ({
      kind: 'blank' as const,
      what: `with the name ${JSON.stringify(blank)}`,
      texts: [],
      body: { name: blank },
    })),
  ];
}
