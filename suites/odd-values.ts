import { RawBody } from '../lib/check.ts';
import { NO_OBJECTS } from './create/no-object.ts';
import { type InvalidBody } from './update/refused-together.ts';

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

export interface OddBody extends InvalidBody {
  readonly kind: OddKind;
}

/** All odd bodies, with the name in those that hold one. */
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
        body: new RawBody(content(name)),
        open: true as const,
      })),
    ),
    // Last, because they may be accepted.
    ...['', '  '].map((blank) => ({
      kind: 'blank' as const,
      what: `with the name ${JSON.stringify(blank)}`,
      names,
      texts: [],
      body: { name: blank },
    })),
  ];
}
