import type { Report } from '../reports/schema.ts';
import type { Facts } from './facts.ts';
import { predicateOf, type Beside } from './predicate.ts';
import { PREDICATE_TYPE, STATEMENT_TYPE, type Statement } from './statement.ts';
import { sha256, SUBJECT_NAMES, type Read } from './subjects.ts';

/**
 * The statement about a run whose files are written.
 *
 * @throws Error if one of the files cannot be read.
 */
export function statementOf(report: Report, facts: Facts, beside: Beside, read: Read): Statement {
  const subject = SUBJECT_NAMES.map((name) => {
    const bytes = read(name);
    if (bytes === undefined) throw new Error(`${name} cannot be read again after it was written`);
    return { name, digest: { sha256: sha256(bytes) } };
  });
  return {
    _type: STATEMENT_TYPE,
    subject,
    predicateType: PREDICATE_TYPE,
    predicate: predicateOf(report, facts, beside),
  };
}
