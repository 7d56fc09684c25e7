import { readdirSync } from 'node:fs';
import pc from 'picocolors';
import { noLedger, processOf } from '../account/ledger.ts';
import { conversation } from '../certify.ts';
import { accountFindings } from '../doctor/account.ts';
import { connectionFindings } from '../doctor/connection.ts';
import { fine, note, wrong, type Finding } from '../doctor/finding.ts';
import { EXIT } from '../judging/judge.ts';
import { refuseUnwritable } from '../reports/write.ts';
import { wrapped } from '../reports/wrapping.ts';
import { readSettings, type Settings, type Variable } from '../settings.ts';
import { SettingsError } from '../settings-error.ts';
import { isLoopback } from '../../suites/transport.ts';
import { screenOf } from './live.ts';
import { startedBy } from './started-by.ts';

/** The mark before each finding, by its state. */
const PAINTED = { fine: pc.green('ok   '), note: pc.yellow('note '), wrong: pc.red('WRONG') } as const;

/** Indents the further lines of a finding to the column of its text. */
const MARGIN = ' '.repeat('WRONG '.length + 'second account  '.length);

/**
 * Looks at everything that a run needs, and prints one line for each with what to do about it. Writes nothing to the
 * target.
 *
 * @returns the exit code: 1 where something stands in the way of a run.
 */
export async function doctor(
  options: { readonly allowHttp?: boolean },
  flags: Partial<Record<Variable, string>>,
  isCheckout: boolean,
): Promise<number> {
  const settings = readSettings({ flags, environment: process.env, envFile: '.env' });
  const { base } = settings;
  if (base === undefined)
    throw new SettingsError(
      'There is no target to look at: give CONFORMANCE_BASE_URL, CONFORMANCE_USERNAME and CONFORMANCE_PASSWORD.',
    );
  const { columns } = screenOf(false);
  const found: Finding[] = [];
  const tell = (...findings: readonly Finding[]): void => {
    found.push(...findings);
    for (const finding of findings) process.stdout.write(`${linesOf(finding, columns).join('\n')}\n`);
  };
  tell(...settingsFindings(settings), ...folderFindings(settings.reportDir, startedBy(isCheckout)));
  tell(addressFinding(base, options.allowHttp === true));
  const targeted = { ...settings, base };
  if (found.every(({ state }) => state !== 'wrong'))
    tell(...(await connectionFindings(base, settings, settings.timeoutMs)));
  if (found.every(({ state }) => state !== 'wrong')) {
    const session = conversation({ settings: targeted, allowsHttp: options.allowHttp === true }, noLedger);
    try {
      const findings = await accountFindings(session, settings.effort);
      // A target may repeat a secret.
      tell(...findings.map((finding) => ({ ...finding, says: session.masker.text(finding.says) })));
    } finally {
      await session.client.close();
    }
  }
  const inTheWay = found.filter(({ state }) => state === 'wrong').length;
  process.stdout.write(
    inTheWay === 0
      ? '\nNothing stands in the way of a run.\n'
      : `\n${inTheWay === 1 ? 'One thing stands' : `${inTheWay} things stand`} in the way of a run.\n`,
  );
  return inTheWay === 0 ? EXIT.conforming : EXIT.nonConforming;
}

function linesOf({ what, state, says, todo }: Finding, columns: number): string[] {
  const start = `ok    ${what.padEnd(MARGIN.length - 6)}`;
  const [first = '', ...rest] = wrapped(`${says}.`, columns, start, MARGIN);
  return [
    `${PAINTED[state]} ${first.slice(6)}`,
    ...rest,
    ...(todo === undefined ? [] : wrapped(todo, columns, `${MARGIN}-> `, `${MARGIN}   `)),
  ];
}

function settingsFindings({ unknown }: Settings): Finding[] {
  return unknown.length === 0
    ? []
    : [
        note(
          'settings',
          `${unknown.join(', ')} ${unknown.length === 1 ? 'is no setting' : 'are no settings'} of this suite`,
          'Look for a misspelt name; --help and docs/settings.md list all settings.',
        ),
      ];
}

function addressFinding(base: URL, allowHttp: boolean): Finding {
  const address = base.href.replace(/\/$/, '');
  if (base.protocol === 'https:') return fine('address', address);
  if (isLoopback(base))
    return fine(
      'address',
      `${address}, which is this machine; over plain http a run leaves out the requirements about https`,
    );
  return allowHttp
    ? note('address', `${address} is plain http`, 'Use https: the requirements about it are skipped.')
    : wrong(
        'address',
        `${address} is plain http, which would send the password unencrypted`,
        'Give an https:// address, or allow plain http by --allow-http.',
      );
}

/** Whether reports can be written, and which ledgers earlier runs left behind. */
function folderFindings(folder: string, command: string): Finding[] {
  try {
    refuseUnwritable(folder);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return [
      wrong('reports', error.message.replace(/\.$/, ''), 'Make the folder writable, or give another one.'),
    ];
  }
  const ledgers = readdirSync(folder).filter((name) => processOf(name) !== undefined);
  return ledgers.length === 0
    ? [fine('reports', `the folder ${folder} can be written to, and holds no ledger of an earlier run`)]
    : [
        note(
          'reports',
          `the folder ${folder} holds ${ledgers.length === 1 ? 'the ledger' : `${ledgers.length} ledgers`} of an earlier run: ${ledgers.join(', ')}`,
          `Remove the tags that it left: ${command} sweep`,
        ),
      ];
}
