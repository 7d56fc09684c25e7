import { X509Certificate } from 'node:crypto';
import { nearest } from '../selection.ts';
import { readSettings, VARIABLES, type Settings, type Variable } from '../settings.ts';
import { SettingsError } from '../settings-error.ts';
import { refuseOtherForms } from './forms.ts';
import type { Options } from './options.ts';

/** Settings that a library takes in another form. */
const OTHERWISE: Readonly<Partial<Record<Variable, keyof Options>>> = { CONFORMANCE_CA_FILE: 'ca' };

/** The option of a setting: `maxTimeS` for `CONFORMANCE_MAX_TIME_S`. */
export const optionOf = (variable: Variable): string =>
  OTHERWISE[variable] ?? camelCase(variable.slice('CONFORMANCE_'.length).toLowerCase());

const camelCase = (words: string): string =>
  words.replace(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Turns options into settings.
 *
 * @param allowed names of options beside those of `Options`.
 * @param environment settings that hold if an option is not given.
 * @throws SettingsError for the first mistake; it names the option.
 */
export function settingsOf(
  options: Options,
  allowed: readonly string[] = [],
  from: { readonly environment: NodeJS.ProcessEnv; readonly envFile?: string } = { environment: {} },
): Settings {
  refuseOtherForms(options);
  refuseUnknown(Object.keys(options), ['allowHttp', ...allowed]);
  const given: Partial<Record<Variable, string>> = {};
  for (const variable of VARIABLES) {
    const value = options[optionOf(variable) as keyof Options];
    if (value === undefined || OTHERWISE[variable] !== undefined) continue;
    given[variable] =
      typeof value === 'object' && !(value instanceof URL) ? JSON.stringify(value) : String(value);
  }
  const { environment, envFile = '' } = from;
  const settings = asOptions(() => readSettings({ flags: given, environment, envFile }));
  return options.ca === undefined ? settings : { ...settings, ca: pem(options.ca) };
}

/** Makes messages about mistakes name options instead of variables and flags. */
export function asOptions<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const message = error.message
      .replace(/CONFORMANCE_[A-Z_]+/g, (name) => optionOf(name as Variable))
      .replace(/--([a-z][a-z-]*)/g, (_, flag: string) => camelCase(flag));
    throw new SettingsError(message, { cause: error });
  }
}

function refuseUnknown(names: readonly string[], allowed: readonly string[]): void {
  const known = [...VARIABLES.map(optionOf), ...allowed];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const guess = nearest(unknown, known);
  throw new SettingsError(
    `${JSON.stringify(unknown)} is not an option; the options are ${known.join(', ')}${guess === undefined ? '.' : `. Did you mean ${guess}?`}`,
  );
}

function pem(text: string): string {
  try {
    void new X509Certificate(text).subject;
    return text;
  } catch (error) {
    throw new SettingsError('ca is expected to be the text of a PEM certificate.', { cause: error });
  }
}
