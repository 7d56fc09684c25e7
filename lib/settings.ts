import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { parse } from 'dotenv';
import { z } from 'zod';
import type { HeaderLine } from './http/exchange.ts';
import { EFFORTS, type Effort } from './effort.ts';
import { Secret } from './secret.ts';

/** A mistake in the settings: one sentence that names the setting, what was given, and what is expected. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

const wholeNumber = (least: number, most: number) => {
  const message = `is expected to be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\s*\d+\s*$/, message)
    .transform(Number)
    .refine((value) => value >= least && value <= most, message);
};

const secret = (label: string) =>
  z
    .string()
    .min(1, 'is set but empty; give it a value or leave it out')
    .transform((value) => new Secret(value, label));

const baseUrl = z.string().transform((text, context) => {
  const fail = (why: string): never => {
    context.addIssue({ code: 'custom', message: why, input: text });
    return z.NEVER;
  };
  if (text.trim() === '')
    return fail('is set but empty; give the address of the target, such as https://staging.example.com');
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    return fail('is expected to be an address such as https://staging.example.com');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return fail('is expected to start with https://');
  if (url.username !== '' || url.password !== '') {
    return fail('holds credentials; give them as CONFORMANCE_USERNAME and CONFORMANCE_PASSWORD');
  }
  if (/[?#]/.test(text)) return fail('is expected to have no query and no fragment');
  url.pathname = url.pathname.replace(/\/+$/, '').replace(/\/api\/v2$/, '') + '/';
  return url;
});

const headers = z.string().transform((text, context): HeaderLine[] => {
  const message = 'is expected to be a JSON object of header names and values, such as {"X-Access": "..."}';
  const fail = (): never => {
    context.addIssue({ code: 'custom', message, input: text });
    return z.NEVER;
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail();
  }
  const lines = z
    .record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/), z.string().regex(/^[\t\x20-\x7e]*$/))
    .safeParse(value);
  if (!lines.success) return fail();
  return Object.entries(lines.data).map(([name, line], at) => [name, new Secret(line, `$HEADER_${at + 1}`)]);
});

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== '';
  } catch {
    return false;
  }
}

const pemFile = z.string().transform((file, context) => {
  const fail = (message: string): never => {
    context.addIssue({ code: 'custom', message, input: file });
    return z.NEVER;
  };
  try {
    const text = readFileSync(file, 'utf8');
    return isCertificate(text) ? text : fail('is expected to name a file that holds a PEM certificate');
  } catch {
    return fail('is expected to name a file that can be read');
  }
});

const schema = z.object({
  CONFORMANCE_BASE_URL: baseUrl.optional(),
  CONFORMANCE_USERNAME: z.string().min(1, 'is set but empty; give it a value or leave it out').optional(),
  CONFORMANCE_PASSWORD: secret('$PASSWORD').optional(),
  CONFORMANCE_ACCESS_TOKEN: secret('$PANEL_TOKEN')
    .refine(
      (token) => /^[\x21-\x7e]+$/.test(token.reveal()),
      'is expected to be visible ASCII without blanks',
    )
    .optional(),
  CONFORMANCE_SECOND_USERNAME: z
    .string()
    .min(1, 'is set but empty; give it a value or leave it out')
    .optional(),
  CONFORMANCE_SECOND_PASSWORD: secret('$SECOND_PASSWORD').optional(),
  CONFORMANCE_HEADERS: headers.default([]),
  CONFORMANCE_REPORT_DIR: z
    .string()
    .min(1, 'is set but empty; give a folder or leave it out')
    .default('reports'),
  CONFORMANCE_EFFORT: z.enum(EFFORTS, `is expected to be one of ${EFFORTS.join(', ')}`).default('standard'),
  CONFORMANCE_SEED: z
    .string()
    .min(1, 'is set but empty; give it a value or leave it out')
    .max(100, 'is expected to have at most 100 characters')
    .default('0.1'),
  CONFORMANCE_CA_FILE: pemFile.optional(),
  CONFORMANCE_TIMEOUT_MS: wholeNumber(1, 600_000).default(10_000),
  CONFORMANCE_MAX_TIME_S: wholeNumber(1, 86_400).default(600),
  CONFORMANCE_CONCURRENCY: wholeNumber(1, 64).default(8),
  CONFORMANCE_MAX_RPS: z.coerce
    .number('is expected to be a number above 0')
    .positive('is expected to be a number above 0')
    .max(100_000, 'is expected to be at most 100000')
    .optional(),
  CONFORMANCE_SETTLE_MS: wholeNumber(0, 60_000).default(1_000),
  CONFORMANCE_MAX_LIVE_TAGS: wholeNumber(10, 1_000).default(20),
});

export type Variable = keyof typeof schema.shape;
export const VARIABLES = Object.keys(schema.shape) as Variable[];

/** Settings whose value is never shown, not even in a message about it. */
const SECRET = new Set<Variable>([
  'CONFORMANCE_PASSWORD',
  'CONFORMANCE_ACCESS_TOKEN',
  'CONFORMANCE_SECOND_PASSWORD',
  'CONFORMANCE_HEADERS',
]);

export interface Settings {
  /** Undefined where no target is given at all. Ends in a slash and leaves out `/api/v2`. */
  readonly base: URL | undefined;
  readonly username: string | undefined;
  readonly password: Secret | undefined;
  readonly panelToken: Secret | undefined;
  readonly second: { readonly username: string; readonly password: Secret } | undefined;
  readonly extraHeaders: readonly HeaderLine[];
  readonly reportDir: string;
  readonly effort: Effort;
  readonly seed: string;
  /** A certificate authority to trust, as PEM. */
  readonly ca: string | undefined;
  readonly timeoutMs: number;
  readonly maxTimeMs: number;
  readonly concurrency: number;
  readonly maxRps: number | undefined;
  readonly settleMs: number;
  readonly maxLiveTags: number;
  /** Variables that look like settings and are none: said, lest a slip in a name go unnoticed. */
  readonly unknown: readonly string[];
}

/** Where a setting comes from, strongest first. */
export interface Sources {
  readonly flags: Readonly<Partial<Record<Variable, string>>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Path of a `.env` file; it need not exist. */
  readonly envFile: string;
}

/**
 * Reads the settings from flags, the environment and a `.env` file, in that order of strength.
 *
 * @throws SettingsError on the first mistake.
 */
export function readSettings({ flags, environment, envFile }: Sources): Settings {
  const file =
    statSync(envFile, { throwIfNoEntry: false })?.isFile() === true ? parse(readFileSync(envFile)) : {};
  const given: Partial<Record<Variable, string>> = {};
  for (const name of VARIABLES) {
    const value = flags[name] ?? environment[name] ?? file[name];
    if (value !== undefined) given[name] = value;
  }
  const result = schema.safeParse(given);
  if (!result.success) {
    const issue = result.error.issues[0];
    const name = issue?.path[0] as Variable;
    throw new SettingsError(`${name} ${issue?.message}${shownValue(name, given[name])}.`);
  }
  const data = result.data;
  const settings: Settings = {
    base: data.CONFORMANCE_BASE_URL,
    username: data.CONFORMANCE_USERNAME,
    password: data.CONFORMANCE_PASSWORD,
    panelToken: data.CONFORMANCE_ACCESS_TOKEN,
    second: couple(
      data.CONFORMANCE_SECOND_USERNAME,
      data.CONFORMANCE_SECOND_PASSWORD,
      'CONFORMANCE_SECOND_USERNAME',
      'CONFORMANCE_SECOND_PASSWORD',
    ),
    extraHeaders: data.CONFORMANCE_HEADERS,
    reportDir: data.CONFORMANCE_REPORT_DIR,
    effort: data.CONFORMANCE_EFFORT,
    seed: data.CONFORMANCE_SEED,
    ca: data.CONFORMANCE_CA_FILE,
    timeoutMs: data.CONFORMANCE_TIMEOUT_MS,
    maxTimeMs: data.CONFORMANCE_MAX_TIME_S * 1_000,
    concurrency: data.CONFORMANCE_CONCURRENCY,
    maxRps: data.CONFORMANCE_MAX_RPS,
    settleMs: data.CONFORMANCE_SETTLE_MS,
    maxLiveTags: data.CONFORMANCE_MAX_LIVE_TAGS,
    unknown: [...new Set([...Object.keys(file), ...Object.keys(environment)])].filter(
      (name) => name.startsWith('CONFORMANCE_') && !(VARIABLES as string[]).includes(name),
    ),
  };
  couple(settings.username, settings.password, 'CONFORMANCE_USERNAME', 'CONFORMANCE_PASSWORD');
  if (settings.base !== undefined && settings.username === undefined && settings.panelToken === undefined) {
    throw new SettingsError(
      'CONFORMANCE_BASE_URL is given without an account; give CONFORMANCE_USERNAME and CONFORMANCE_PASSWORD, or CONFORMANCE_ACCESS_TOKEN, too.',
    );
  }
  if (
    settings.base === undefined &&
    (settings.username ?? settings.panelToken ?? settings.second) !== undefined
  ) {
    throw new SettingsError(
      'An account is given without a target; give CONFORMANCE_BASE_URL too, such as https://staging.example.com.',
    );
  }
  return settings;
}

function couple(
  username: string | undefined,
  password: Secret | undefined,
  nameOfUser: Variable,
  nameOfPassword: Variable,
): Settings['second'] {
  if (username !== undefined && password !== undefined) return { username, password };
  if (username === undefined && password === undefined) return undefined;
  const [there, missing] =
    username === undefined ? [nameOfPassword, nameOfUser] : [nameOfUser, nameOfPassword];
  throw new SettingsError(`${there} is given without ${missing}; give both or neither.`);
}

function shownValue(name: Variable, value: string | undefined): string {
  if (SECRET.has(name) || value === undefined || value === '') return '';
  // An address may hold credentials or a token where it should not.
  if (name === 'CONFORMANCE_BASE_URL' && /[@?#]/.test(value)) return '';
  return `; given was ${JSON.stringify(value)}`;
}
