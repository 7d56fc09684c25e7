import type { Report } from '../reports/schema.ts';
import type { Predicate } from './statement.ts';
import type { Verified } from './verify.ts';

/** A certificate of a collection, verified. */
export interface Member extends Verified {
  /** The path of the certificate. */
  readonly path: string;
}

/** A product with a valid certificate. */
export interface Implementation {
  readonly path: string;
  readonly predicate: Predicate;
  readonly report: Report;
}

/** A certificate that is not in the table, and why. */
export interface Apart {
  readonly path: string;
  /** The product that it names, if its signature fits. */
  readonly product?: string;
  readonly reasons: readonly string[];
}

/** A point on which implementations differ. */
export interface Difference {
  /** The name of an open question, or the id of a requirement. */
  readonly name: string;
  readonly about: string;
  /** For each implementation, in their order. */
  readonly values: readonly string[];
}

/** The implementations with valid certificates, in the order of their names, and how they differ. */
export interface Collection {
  readonly implementations: readonly Implementation[];
  readonly apart: readonly Apart[];
  /** Open questions to which they have different answers. */
  readonly answers: readonly Difference[];
  /** Requirements of which they have different verdicts. */
  readonly verdicts: readonly Difference[];
}

/** Combines verified certificates. If a product has several, only its newest valid one counts. */
export function collectionOf(members: readonly Member[]): Collection {
  const holding = members.flatMap(({ path, statement, report, refusals }): Implementation[] =>
    refusals.length > 0 || statement === undefined || report === undefined
      ? []
      : [{ path, predicate: statement.predicate, report }],
  );
  const newest = holding.filter((one) => newestOf(holding, one) === one);
  const implementations = newest.toSorted((one, other) => compareNames(nameOf(one), nameOf(other)));
  const apart = members.flatMap(({ path, statement, refusals }): Apart[] => {
    const own = holding.find((one) => one.path === path);
    const reasons =
      own === undefined
        ? refusals
        : implementations.includes(own)
          ? []
          : [`A newer certificate of the same product is ${newestOf(holding, own).path}.`];
    const { name, version } = statement?.predicate.product ?? {};
    return reasons.length === 0
      ? []
      : [{ path, ...(name === undefined ? {} : { product: `${name} ${version}` }), reasons }];
  });
  return {
    implementations,
    apart,
    answers: differing(implementations, ({ key }) => key, answerOf),
    verdicts: differing(
      implementations,
      ({ id, level }) => (level === 'open' ? undefined : id),
      ({ verdict }) => verdict,
    ),
  };
}

const nameOf = ({ predicate: { product } }: Implementation): string => product.name;
const compareNames = (one: string, other: string): number => one.localeCompare(other, 'en');

/** The newest one of the same product. */
const newestOf = (holding: readonly Implementation[], one: Implementation): Implementation =>
  holding
    .filter((other) => nameOf(other) === nameOf(one))
    .reduce((newest, other) => (other.predicate.issuedAt > newest.predicate.issuedAt ? other : newest));

type Requirement = Report['requirements'][number];

const answerOf = ({ answer, said, verdict }: Requirement): string =>
  answer === undefined ? verdict : (said ?? JSON.stringify(answer));

/** The points whose values are not the same in all implementations. */
function differing(
  implementations: readonly Implementation[],
  nameOf: (one: Requirement) => string | undefined,
  valueOf: (one: Requirement) => string,
): Difference[] {
  const abouts = new Map<string, string>();
  for (const { report } of implementations)
    for (const one of report.requirements) {
      const name = nameOf(one);
      if (name !== undefined && !abouts.has(name)) abouts.set(name, one.text);
    }
  return [...abouts].flatMap(([name, about]) => {
    const values = implementations.map(({ report }) => {
      const one = report.requirements.find((candidate) => nameOf(candidate) === name);
      return one === undefined ? 'not checked by this version' : valueOf(one);
    });
    return new Set(values).size > 1 ? [{ name, about, values }] : [];
  });
}
