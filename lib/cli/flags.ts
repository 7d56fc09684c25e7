import { Option, type Command } from 'commander';
import type { Variable } from '../settings.ts';
import { SettingsError } from '../settings-error.ts';

/** Flags for the settings that are not secret. Secrets come only from the environment or the `.env` file. */
const FLAGS: readonly (readonly [flag: string, variable: Variable, meaning: string])[] = [
  ['--base-url <url>', 'CONFORMANCE_BASE_URL', 'address of the target, without /api/v2'],
  ['--username <name>', 'CONFORMANCE_USERNAME', 'the account; CONFORMANCE_PASSWORD gives its password'],
  [
    '--second-username <name>',
    'CONFORMANCE_SECOND_USERNAME',
    'another account; CONFORMANCE_SECOND_PASSWORD gives its password',
  ],
  ['--report-dir <folder>', 'CONFORMANCE_REPORT_DIR', 'folder for the reports and the ledger'],
  ['--effort <name>', 'CONFORMANCE_EFFORT', 'quick, standard or thorough'],
  ['--seed <text>', 'CONFORMANCE_SEED', 'seed of the generated cases'],
  ['--ca-file <file>', 'CONFORMANCE_CA_FILE', 'a CA certificate to trust, as PEM'],
  [
    '--client-cert-file <file>',
    'CONFORMANCE_CLIENT_CERT_FILE',
    'a certificate to show to the target, as PEM',
  ],
  ['--client-key-file <file>', 'CONFORMANCE_CLIENT_KEY_FILE', 'the key of that certificate, as PEM'],
  ['--timeout-ms <number>', 'CONFORMANCE_TIMEOUT_MS', 'time limit for one request'],
  ['--max-time-s <number>', 'CONFORMANCE_MAX_TIME_S', 'time limit for the run'],
  ['--concurrency <number>', 'CONFORMANCE_CONCURRENCY', 'the most requests at a time'],
  ['--max-rps <number>', 'CONFORMANCE_MAX_RPS', 'the most requests started per second'],
  ['--settle-ms <number>', 'CONFORMANCE_SETTLE_MS', 'time until an acknowledged change must be visible'],
  ['--max-live-tags <number>', 'CONFORMANCE_MAX_LIVE_TAGS', 'the most tags of the run alive at a time'],
];

export function addSettingFlags(command: Command): void {
  for (const [flag, variable, meaning] of FLAGS)
    command.addOption(new Option(flag, `${meaning} (${variable})`));
}

/** The settings among the options of a command, by variable. */
export function settingsIn(
  command: Command,
  options: Readonly<Record<string, string>>,
): Partial<Record<Variable, string>> {
  return Object.fromEntries(
    FLAGS.flatMap(([flag, variable]) => {
      const name = command.options.find((option) => option.flags === flag)?.attributeName() ?? '';
      const value = options[name];
      return value === undefined ? [] : [[variable, value]];
    }),
  );
}

/** The option to wait for a target that is just starting. */
export const waiting = (): Option =>
  new Option(
    '--wait-ready <time>',
    'how long to wait until the target accepts connections, such as 30s',
  ).argParser(milliseconds);

/**
 * Reads a time such as `30s`, `500ms` or `2m`.
 *
 * @returns milliseconds.
 * @throws SettingsError if the text is no time.
 */
function milliseconds(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? [];
  if (number === undefined || unit === undefined) {
    throw new SettingsError(
      `--wait-ready is expected to be a time such as 30s, 500ms or 2m; given was ${JSON.stringify(text)}.`,
    );
  }
  return Number(number) * { ms: 1, s: 1_000, m: 60_000 }[unit as 'ms' | 's' | 'm'];
}

/**
 * Reads the number of failures after which a run ends.
 *
 * @throws SettingsError if the text is no whole number from 1.
 */
export function failures(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new SettingsError(
    `--bail is expected to be a whole number from 1, or to stand alone; given was ${JSON.stringify(text)}.`,
  );
}
