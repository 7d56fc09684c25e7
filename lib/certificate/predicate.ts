import { LEVELS } from '../requirement.ts';
import type { Report } from '../reports/schema.ts';
import { isReference, type Facts } from './facts.ts';
import { commandOf } from './reproducing.ts';
import type { Predicate } from './statement.ts';

/** What a certificate says that does not follow from the report. */
export type Beside = Pick<Predicate, 'power' | 'issuedAt' | 'notAfter' | 'declaration'>;

/** The certificate of a run. Verifying derives it again, so all that it says of the run follows from the report. */
export function predicateOf(report: Report, facts: Facts, beside: Beside): Predicate {
  const { requirements } = report;
  const { power, issuedAt, notAfter, declaration } = beside;
  const { product, operator, server, connection, suite, specification, catalogue, notAsked, endedAt } = facts;
  const ids = (is: (one: Report['requirements'][number]) => boolean): string[] =>
    requirements.filter(is).map(({ id }) => id);
  const { requests, writes, logins, failedLogins } = report.traffic;
  return {
    product: { ...product, server },
    ...(operator === undefined ? {} : { operator }),
    target: { origin: new URL(report.target).origin, isReference: isReference(facts), ...connection },
    verdict: report.verdict,
    levels: levelsOf(report),
    suite,
    specification,
    catalogue,
    power,
    seed: report.seed,
    startedAt: report.startedAt,
    endedAt,
    issuedAt,
    notAfter,
    limits: {
      effort: report.effort,
      allowed: report.planned,
      sent: { requests, writes, logins, failedLogins },
      warned: ids(({ verdict }) => verdict === 'warn'),
      inapplicable: ids(({ verdict }) => verdict === 'inapplicable'),
      undecided: ids(({ verdict }) => verdict === 'skipped' || verdict === 'error'),
      notAsked,
    },
    declaration,
    reproduce: commandOf(report, facts),
  };
}

function levelsOf({ requirements }: Report): Predicate['levels'] {
  const levels = LEVELS.map((level) => {
    const members = requirements.filter((one) => one.level === level);
    const verdicts = [...new Set(members.map(({ verdict }) => verdict))].toSorted();
    const counts = verdicts.map((verdict) => [
      verdict,
      members.filter((one) => one.verdict === verdict).length,
    ]);
    return [level, Object.fromEntries(counts)] as const;
  });
  return Object.fromEntries(levels) as Predicate['levels'];
}
