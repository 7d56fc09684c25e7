import { readSettings, type Settings, type Variable } from './settings.ts';
import { SettingsError } from './settings-error.ts';

export type Given = Readonly<Partial<Record<Variable, string>>>;

export const read = (environment: Readonly<Record<string, string>>): Settings =>
  readSettings({ flags: {}, environment, envFile: '' });

/** The message about settings that are a mistake. */
export function mistake(environment: Given): string {
  try {
    read(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  throw new Error('these settings were accepted');
}

export const TARGET = {
  CONFORMANCE_BASE_URL: 'https://staging.example.com',
  CONFORMANCE_USERNAME: 'someone',
  CONFORMANCE_PASSWORD: 'its password',
};
