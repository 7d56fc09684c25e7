import { join } from 'node:path';
import { BUDGETS, reaches } from './effort.ts';
import { filePage, ledgerName, type Page } from './engine/ledger.ts';
import { Run, type Result } from './engine/run.ts';
import { Session } from './engine/session.ts';
import { Client } from './http/client.ts';
import { connect, type Transport } from './http/transport.ts';
import { Masker } from './judging/masker.ts';
import { report, type Report } from './reports/report.ts';
import type { Requirement } from './requirement.ts';
import { Secret } from './secret.ts';
import { SettingsError, type Settings } from './settings.ts';
import { SUITE } from './suite.ts';

export interface Plan {
  readonly settings: Settings & { readonly base: URL; readonly path?: string };
  readonly selected: readonly Requirement[];
  /** Requirements that are not asked by the choice of the tester. */
  readonly leftOut?: readonly Requirement[];
  readonly allowsHttp?: boolean;
  readonly requireWhole?: boolean;
  /** Answers to open questions that the implementer declared, by key. */
  readonly declared?: ReadonlyMap<string, unknown>;
  readonly onResult?: (result: Result) => void;
  /** Carries the requests; by default over connections to the target. */
  readonly transport?: Transport;
  /** Where the ledger is kept; by default in a file of the report folder. */
  readonly page?: Page;
}

export interface Certification {
  readonly run: Run;
  /** Starts the run if need be, and resolves with its report when the target is tidied up. */
  readonly report: () => Promise<Report>;
}

/** Everything that one certification takes, ready to be started. Nothing is sent yet. */
export function certification(plan: Plan): Certification {
  const { settings } = plan;
  const startedAt = new Date();
  const page = plan.page ?? ledgerPage(settings, startedAt);
  const { session, masker } = conversation(plan, page);
  const asked = plan.selected.filter(({ effort = 'quick' }) => reaches(settings.effort, effort));
  const tooMuch = plan.selected.filter((requirement) => !asked.includes(requirement));
  const run = new Run({
    session,
    masker,
    requirements: asked,
    maxTimeMs: settings.maxTimeMs,
    ...(plan.declared === undefined ? {} : { declared: plan.declared }),
    ...(plan.onResult === undefined ? {} : { onResult: plan.onResult }),
  });
  return {
    run,
    report: async () =>
      report({
        conclusion: await run.conclude(),
        session,
        masker,
        leftOut: [
          ...tooMuch.map((requirement) => ({
            requirement,
            why: `asked with the effort ${requirement.effort} and above`,
          })),
          ...(plan.leftOut ?? []).map((requirement) => ({ requirement, why: 'left out by --only' })),
        ],
        budget: BUDGETS[settings.effort],
        suite: { name: SUITE.name, version: SUITE.version },
        startedAt,
        requireWhole: plan.requireWhole ?? false,
      }),
  };
}

/** What it takes to talk with a target: nothing is sent yet. */
export function conversation(
  { settings, transport, allowsHttp = false }: Pick<Plan, 'settings' | 'transport' | 'allowsHttp'>,
  page: Page,
): { readonly session: Session; readonly masker: Masker } {
  const masker = new Masker();
  const secrets = [settings.password, settings.panelToken, settings.second?.password];
  for (const secret of secrets) if (secret !== undefined) masker.add(secret);
  for (const [, value] of settings.extraHeaders) if (value instanceof Secret) masker.add(value);
  const client = new Client(transport ?? connectTo(settings), { ...settings, ...BUDGETS[settings.effort] });
  // A target may put a secret into a tag_id: in a file it stands as little as in a report.
  const masked: Page = { write: (line) => page.write(masker.text(line)), discard: () => page.discard() };
  return { session: new Session({ ...settings, allowsHttp }, client, masker, masked), masker };
}

/** Connections to the target. */
export const connectTo = ({ base, concurrency, ca }: Plan['settings']): Transport =>
  connect(base, concurrency, ca);

function ledgerPage({ reportDir, base }: Plan['settings'], startedAt: Date): Page {
  const name = ledgerName(startedAt, process.pid);
  try {
    return filePage(join(reportDir, name), base.origin);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new SettingsError(
      `CONFORMANCE_REPORT_DIR is expected to be a folder that can be written to${code}; given was ${JSON.stringify(reportDir)}.`,
      { cause: error },
    );
  }
}
