import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { EFFORTS } from './effort.ts';
import type { HeaderLine } from './http/exchange.ts';
import { Secret } from './secret.ts';

const EMPTY = 'is set but empty; give it a value or leave it out';

const filled = z.string().min(1, EMPTY);

const secret = (label: string) => filled.transform((value) => new Secret(value, label));

const wholeNumber = (least: number, most: number) => {
  const message = `is expected to be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\s*\d+\s*$/, message)
    .transform(Number)
    .refine((value) => value >= least && value <= most, message);
};

/** A value that a function reads. If it throws a `Mistake`, that becomes the message about the setting. */
const readBy = <T>(read: (text: string) => T) =>
  z.string().transform((text, context): T => {
    try {
      return read(text);
    } catch (error) {
      if (!(error instanceof Mistake)) throw error;
      context.addIssue({ code: 'custom', message: error.message, input: text });
      return z.NEVER;
    }
  });

class Mistake extends Error {}

/** Returns a base URL that ends in a slash and leaves out `/api/v2`. */
function baseUrl(text: string): URL {
  const example = 'https://staging.example.com';
  if (text.trim() === '')
    throw new Mistake(`is set but empty; give the address of the target, such as ${example}`);
  if (!URL.canParse(text.trim())) throw new Mistake(`is expected to be an address such as ${example}`);
  const url = new URL(text.trim());
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new Mistake('is expected to start with https://, or with http:// for a target on this machine');
  if (url.username !== '' || url.password !== '')
    throw new Mistake('holds credentials; give them as CONFORMANCE_USERNAME and CONFORMANCE_PASSWORD');
  if (/[?#]/.test(text))
    throw new Mistake('is expected to have no query and no fragment; leave out what begins with ? or #');
  url.pathname = url.pathname.replace(/\/+$/, '').replace(/\/api\/v2$/, '') + '/';
  return url;
}

/** A field name is a token, and a field value visible ASCII and white space (RFC 9110, 5.1 and 5.5). */
const headerObject = z.record(
  z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/),
  z.string().regex(/^[\t\x20-\x7e]*$/),
);

/** Headers that the suite sets itself. A second value would make honest targets fail. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'authorization',
  'content-length',
  'content-type',
  'transfer-encoding',
]);

function headers(text: string): HeaderLine[] {
  const message = 'is expected to be a JSON object of header names and values, such as {"X-Access": "..."}';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Mistake(message);
  }
  const { success, data } = headerObject.safeParse(value);
  if (!success) throw new Mistake(message);
  const taken = Object.keys(data).find((name) => OWN_HEADERS.has(name.toLowerCase()));
  if (taken !== undefined)
    throw new Mistake(`is expected to leave out ${taken}, which every run sets itself`);
  return Object.entries(data).map(([name, line], at) => [name, new Secret(line, `$HEADER_${at + 1}`)]);
}

/** Returns the content of a certificate file. */
function pemFile(file: string): string {
  let pem: string;
  try {
    pem = readFileSync(file, 'utf8');
  } catch {
    throw new Mistake('is expected to name a file that can be read');
  }
  try {
    // Throws if the file holds no certificate.
    void new X509Certificate(pem).subject;
  } catch {
    throw new Mistake('is expected to name a file that holds a PEM certificate');
  }
  return pem;
}

/** All settings, with their formats and defaults. */
export const variables = z.object({
  CONFORMANCE_BASE_URL: readBy(baseUrl).optional(),
  CONFORMANCE_USERNAME: filled.optional(),
  CONFORMANCE_PASSWORD: secret('$PASSWORD').optional(),
  CONFORMANCE_ACCESS_TOKEN: secret('$PANEL_TOKEN')
    .refine(
      (token) => /^[\x21-\x7e]+$/.test(token.reveal()),
      'is expected to be visible ASCII without blanks',
    )
    .optional(),
  CONFORMANCE_SECOND_USERNAME: filled.optional(),
  CONFORMANCE_SECOND_PASSWORD: secret('$SECOND_PASSWORD').optional(),
  CONFORMANCE_HEADERS: readBy(headers).default([]),
  CONFORMANCE_REPORT_DIR: z
    .string()
    .min(1, 'is set but empty; give a folder or leave it out')
    .default('reports'),
  CONFORMANCE_EFFORT: z.enum(EFFORTS, `is expected to be one of ${EFFORTS.join(', ')}`).default('standard'),
  CONFORMANCE_SEED: filled.max(100, 'is expected to have at most 100 characters').default('0.1'),
  CONFORMANCE_CA_FILE: readBy(pemFile).optional(),
  CONFORMANCE_CLIENT_CERT_FILE: readBy(pemFile).optional(),
  CONFORMANCE_CLIENT_KEY_FILE: filled.optional(),
  CONFORMANCE_CLIENT_KEY_PASSPHRASE: secret('$KEY_PASSWORD').optional(),
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

export type Variable = keyof typeof variables.shape;
export const VARIABLES = Object.keys(variables.shape) as Variable[];

/** Variables whose values appear in no message. */
export const SECRET_VARIABLES: ReadonlySet<Variable> = new Set<Variable>([
  'CONFORMANCE_PASSWORD',
  'CONFORMANCE_ACCESS_TOKEN',
  'CONFORMANCE_SECOND_PASSWORD',
  'CONFORMANCE_HEADERS',
  'CONFORMANCE_CLIENT_KEY_PASSPHRASE',
]);
