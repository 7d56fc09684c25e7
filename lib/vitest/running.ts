import { join } from 'node:path';
import { inject } from 'vitest';
import { conversation } from '../certify.ts';
import { BUDGETS, reaches } from '../effort.ts';
import { filePage, ledgerName } from '../engine/ledger.ts';
import { Run } from '../engine/run.ts';
import { report, reportingOf } from '../reports/report.ts';
import { reported, skipped } from '../reports/result.ts';
import type { Report, ReportedRequirement } from '../reports/schema.ts';
import type { Requirement } from '../requirement.ts';
import { Secret } from '../secret.ts';
import { readSettings, type Settings } from '../settings.ts';
import { SUITE } from '../suite.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The embedded reference, which is served for this run where no target is given. */
    readonly reference:
      | {
          readonly url: string;
          readonly ca: string;
          readonly accounts: readonly [string, string][];
          readonly panelToken: string;
        }
      | undefined;
  }
}

/** A run that has been started. */
export interface Running {
  /** The result of one requirement, as soon as it is known. Some are known only at the end of the run. */
  result(id: string): Promise<ReportedRequirement>;
  readonly interrupt: () => void;
  readonly report: Promise<Report>;
}

/** Starts a run against the target of the settings, or against the reference. */
export function startRun(selected: readonly Requirement[], filtered: readonly Requirement[]): Running {
  const settings = targeted();
  const { effort, maxTimeMs } = settings;
  const startedAt = new Date();
  const page = filePage(join(settings.reportDir, ledgerName(startedAt, process.pid)), settings.base.origin);
  const { session, masker } = conversation({ settings }, page);
  const isAsked = (requirement: Requirement): boolean => reaches(effort, requirement.effort ?? 'quick');
  const leftOut = [
    ...selected
      .filter((requirement) => !isAsked(requirement))
      .map((requirement) => ({ requirement, why: `asked with the effort ${requirement.effort} and above` })),
    ...filtered.map((requirement) => ({ requirement, why: 'left out by the filters of vitest' })),
  ];
  const run = new Run({ session, masker, requirements: selected.filter(isAsked), maxTimeMs });
  const reporting = reportingOf(session, masker);
  return {
    result: async (id) => {
      const skip = leftOut.find(({ requirement }) => requirement.id === id);
      return skip === undefined
        ? reported(await run.result(id), reporting)
        : skipped(skip.requirement, skip.why);
    },
    interrupt: () => run.interrupt(),
    report: run.conclude().then((conclusion) =>
      report({
        conclusion,
        session,
        masker,
        leftOut,
        budget: BUDGETS[effort],
        suite: { name: SUITE.name, version: SUITE.version },
        startedAt,
        requireWhole: false,
      }),
    ),
  };
}

const settingsOfRun = (): Settings => readSettings({ flags: {}, environment: process.env, envFile: '.env' });

/** The folder for the reports. */
export const reportDir = (): string => settingsOfRun().reportDir;

function targeted(): Settings & { readonly base: URL } {
  const settings = settingsOfRun();
  if (settings.base !== undefined) return { ...settings, base: settings.base };
  const reference = inject('reference');
  const [first, second] = reference?.accounts ?? [];
  if (reference === undefined || first === undefined || second === undefined) {
    throw new Error('There is no target: CONFORMANCE_BASE_URL is not set, and the reference is not served.');
  }
  return {
    ...settings,
    base: new URL(reference.url),
    ca: reference.ca,
    username: first[0],
    password: new Secret(first[1], '$PASSWORD'),
    panelToken: new Secret(reference.panelToken, '$PANEL_TOKEN'),
    second: { username: second[0], password: new Secret(second[1], '$SECOND_PASSWORD') },
  };
}
