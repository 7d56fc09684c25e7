import { readFileSync, statSync } from 'node:fs';
import { parse } from 'dotenv';
import type { z } from 'zod';
import type { Effort } from './effort.ts';
import type { HeaderLine } from './http/exchange.ts';
import { clientCertificateOf } from './client-certificate.ts';
import type { ClientCertificate, Proxy } from './http/route.ts';
import { proxyFor } from './proxy.ts';
import type { Secret } from './secret.ts';
import { SettingsError } from './settings-error.ts';
import { SECRET_VARIABLES, variables, VARIABLES, type Variable } from './variables.ts';

export { VARIABLES, type Variable } from './variables.ts';

export interface Settings {
  /** Undefined if no target is given. Ends in a slash and leaves out `/api/v2`. */
  readonly base: URL | undefined;
  readonly username: string | undefined;
  readonly password: Secret | undefined;
  readonly panelToken: Secret | undefined;
  readonly second: { readonly username: string; readonly password: Secret } | undefined;
  readonly extraHeaders: readonly HeaderLine[];
  readonly reportDir: string;
  readonly effort: Effort;
  readonly seed: string;
  /** A certificate authority to trust beside those of the system, as PEM. */
  readonly ca: string | undefined;
  readonly clientCertificate?: ClientCertificate | undefined;
  /** Undefined if requests go to the target directly. */
  readonly proxy?: Proxy | undefined;
  readonly timeoutMs: number;
  readonly maxTimeMs: number;
  readonly concurrency: number;
  /** The concurrency may rise to this as long as answers do not become slower; undefined: it does not rise. */
  readonly mostConcurrency?: number | undefined;
  /** The most requests per second; undefined: no limit. */
  readonly maxRps: number | undefined;
  readonly settleMs: number;
  readonly maxLiveTags: number;
  /** Variables that start with `CONFORMANCE_` but are not settings. Most likely their names are misspelt. */
  readonly unknown: readonly string[];
  /** Every setting that has a value, with the origin of the value. */
  readonly given: readonly GivenSetting[];
}

/** Where the value of a setting came from. `reference`: the run set it for the embedded reference server. */
export const ORIGINS = ['option', 'environment', '.env file', 'default', 'reference'] as const;

export interface GivenSetting {
  /** The variable, or the option if there is no variable. */
  readonly name: string;
  /** The value as it was given; undefined for a secret. */
  readonly value: string | undefined;
  readonly from: (typeof ORIGINS)[number];
}

/** Where settings come from, strongest first. */
export interface Sources {
  readonly flags: Readonly<Partial<Record<Variable, string>>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Path of a `.env` file, which need not exist. */
  readonly envFile: string;
}

/**
 * Reads the settings from flags, the environment and a `.env` file. Flags override the environment, which overrides the
 * file.
 *
 * @throws SettingsError for the first mistake, or if the file cannot be read.
 */
export function readSettings({ flags, environment, envFile }: Sources): Settings {
  const file = contentOf(envFile);
  const given: Partial<Record<Variable, string>> = {};
  for (const name of VARIABLES) {
    const value = flags[name] ?? environment[name] ?? file[name];
    if (value !== undefined) given[name] = value;
  }
  const result = variables.safeParse(given);
  if (!result.success) {
    const issue = result.error.issues[0];
    const name = issue?.path[0] as Variable;
    const from = sourceOf(name, { flags, environment, file });
    throw mistakeIn(name, issue?.message, given[name], from);
  }
  const { data } = result;
  const first = account(
    'CONFORMANCE_USERNAME',
    data.CONFORMANCE_USERNAME,
    'CONFORMANCE_PASSWORD',
    data.CONFORMANCE_PASSWORD,
  );
  const second = account(
    'CONFORMANCE_SECOND_USERNAME',
    data.CONFORMANCE_SECOND_USERNAME,
    'CONFORMANCE_SECOND_PASSWORD',
    data.CONFORMANCE_SECOND_PASSWORD,
  );
  const settings: Settings = {
    base: data.CONFORMANCE_BASE_URL,
    username: first?.username,
    password: first?.password,
    panelToken: data.CONFORMANCE_ACCESS_TOKEN,
    second,
    extraHeaders: data.CONFORMANCE_HEADERS,
    reportDir: data.CONFORMANCE_REPORT_DIR,
    effort: data.CONFORMANCE_EFFORT,
    seed: data.CONFORMANCE_SEED,
    ca: data.CONFORMANCE_CA_FILE,
    clientCertificate: clientCertificateOf({
      certificate: data.CONFORMANCE_CLIENT_CERT_FILE,
      keyFile: data.CONFORMANCE_CLIENT_KEY_FILE,
      passphrase: data.CONFORMANCE_CLIENT_KEY_PASSPHRASE,
    }),
    proxy:
      data.CONFORMANCE_BASE_URL &&
      proxyFor(data.CONFORMANCE_BASE_URL, (name) => environment[name] ?? file[name]),
    timeoutMs: data.CONFORMANCE_TIMEOUT_MS,
    maxTimeMs: data.CONFORMANCE_MAX_TIME_S * 1_000,
    concurrency: data.CONFORMANCE_CONCURRENCY,
    mostConcurrency: given.CONFORMANCE_CONCURRENCY === undefined ? MOST_CONCURRENCY : undefined,
    maxRps: data.CONFORMANCE_MAX_RPS,
    settleMs: data.CONFORMANCE_SETTLE_MS,
    maxLiveTags: data.CONFORMANCE_MAX_LIVE_TAGS,
    unknown: [...new Set([...Object.keys(file), ...Object.keys(environment)])].filter(
      (name) => name.startsWith('CONFORMANCE_') && !(VARIABLES as string[]).includes(name),
    ),
    given: VARIABLES.flatMap((name) => {
      const value = given[name] ?? DEFAULTS[name];
      const from = sourceOf(name, { flags, environment, file });
      return value === undefined
        ? []
        : [{ name, value: SECRET_VARIABLES.has(name) ? undefined : value, from }];
    }),
  };
  refuseHalfTarget(settings);
  return settings;
}

function sourceOf(
  name: Variable,
  { flags, environment, file }: Pick<Sources, 'flags' | 'environment'> & { readonly file: object },
): GivenSetting['from'] {
  if (flags[name] !== undefined) return 'option';
  if (environment[name] !== undefined) return 'environment';
  return name in file ? '.env file' : 'default';
}

/** The highest concurrency if the tester sets none. */
export const MOST_CONCURRENCY = 32;

/** The defaults that are strings or numbers, as strings. */
const DEFAULTS: Readonly<Partial<Record<Variable, string>>> = (() => {
  const parsed: Readonly<Record<string, unknown>> = variables.parse({});
  return Object.fromEntries(
    Object.entries(parsed).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  );
})();

/** The parsed value of a variable. */
type Value<N extends Variable> = z.output<(typeof variables.shape)[N]>;

/**
 * Reads some settings. A mistake in one does not keep the others from being read.
 *
 * @returns the value of each, which is the default if there is a mistake, and the mistakes by variable. If the `.env` file
 * cannot be read, its mistake is under `.env`.
 */
export function readSome<N extends Variable>(
  names: readonly N[],
  { flags, environment, envFile }: Sources,
): {
  readonly value: <M extends N>(name: M) => Value<M>;
  /** Whether it was given a value that is not a mistake. */
  readonly isGiven: (name: N) => boolean;
  readonly mistakes: ReadonlyMap<N | '.env', SettingsError>;
} {
  const mistakes = new Map<N | '.env', SettingsError>();
  let file: Readonly<Record<string, string>> = {};
  try {
    file = contentOf(envFile);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    mistakes.set('.env', error);
  }
  const values = new Map<Variable, unknown>();
  const own = new Set<Variable>();
  for (const name of names) {
    const given = flags[name] ?? environment[name] ?? file[name];
    const { success, data, error } = variables.shape[name].safeParse(given);
    values.set(name, success ? data : variables.shape[name].parse(undefined));
    if (success && given !== undefined) own.add(name);
    const from = sourceOf(name, { flags, environment, file });
    if (!success) mistakes.set(name, mistakeIn(name, error.issues[0]?.message, given, from));
  }
  return {
    value: <M extends N>(name: M) => values.get(name) as Value<M>,
    isGiven: (name) => own.has(name),
    mistakes,
  };
}

/** The error names what the user wrote: the option, or the variable and its file. */
function mistakeIn(
  name: Variable,
  message = 'cannot be read',
  given: string | undefined,
  from: GivenSetting['from'],
): SettingsError {
  const where = {
    option: `--${name.slice('CONFORMANCE_'.length).toLowerCase().replaceAll('_', '-')}`,
    '.env file': `${name} in .env`,
  }[from as string];
  return new SettingsError(`${where ?? name} ${message}${shownValue(name, given)}.`);
}

/**
 * The variables in a `.env` file. There are none if no such file exists, or if it is a folder.
 *
 * @throws SettingsError if the file cannot be read.
 */
function contentOf(envFile: string): Readonly<Record<string, string>> {
  try {
    const isFile = statSync(envFile, { throwIfNoEntry: false })?.isFile() === true;
    return isFile ? parse(readFileSync(envFile)) : {};
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError(`The file ${envFile} cannot be read (${code}); make it readable, or remove it.`, {
      cause: error,
    });
  }
}

/** The account from two variables. */
function account(
  nameOfUser: Variable,
  username: string | undefined,
  nameOfPassword: Variable,
  password: Secret | undefined,
): Settings['second'] {
  if (username !== undefined && password !== undefined) return { username, password };
  if (username === undefined && password === undefined) return undefined;
  const [there, missing] =
    username === undefined ? [nameOfPassword, nameOfUser] : [nameOfUser, nameOfPassword];
  throw new SettingsError(`${there} is given without ${missing}; give both or neither.`);
}

function refuseHalfTarget({ base, username, panelToken, second }: Settings): void {
  if (base !== undefined && username === undefined && panelToken === undefined)
    throw new SettingsError(
      'CONFORMANCE_BASE_URL is given without an account; give CONFORMANCE_USERNAME and CONFORMANCE_PASSWORD, or CONFORMANCE_ACCESS_TOKEN, too.',
    );
  if (base === undefined && (username ?? panelToken ?? second) !== undefined)
    throw new SettingsError(
      'An account is given without a target; give CONFORMANCE_BASE_URL too, such as https://staging.example.com.',
    );
}

function shownValue(name: Variable, value: string | undefined): string {
  if (SECRET_VARIABLES.has(name) || value === undefined || value === '') return '';
  // A mistaken address may hold credentials or a token.
  if (name === 'CONFORMANCE_BASE_URL' && /[@?#]/.test(value)) return '';
  return `; given was ${JSON.stringify(value)}`;
}
