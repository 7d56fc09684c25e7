import type { Changeable, Draft } from './certificate.test.double.ts';
import type { Holding } from './verify.ts';

/** Changes what is signed, as somebody with the key can. */
export type Inside = readonly [
  what: string,
  change: (made: Draft) => void,
  refusal: RegExp,
  Partial<Holding>?,
];

export const statement =
  (change: (statement: Changeable) => void) =>
  (made: Draft): void => {
    made.statement = (one) => {
      change(one);
      return one;
    };
  };

export const predicate = (change: (predicate: Changeable) => void): ((made: Draft) => void) =>
  statement((one: Changeable) => change(one.predicate));

export const report =
  (change: (report: Changeable) => void) =>
  (made: Draft): void =>
    change(made.report);

export const requirement = (level: string, change: (one: Changeable) => void): ((made: Draft) => void) =>
  report((value: Changeable) => change(value.requirements.find((one: Changeable) => one.level === level)));

export const CHANGED = /^The signature does not fit the certificate: one of the two was changed/;
