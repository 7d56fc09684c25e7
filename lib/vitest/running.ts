import { inject } from 'vitest';
import { Secret } from '../secret.ts';
import { readSettings, type Settings } from '../settings.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The embedded reference, which is served for this run if no target is given. */
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

/**
 * The target of the settings, or the reference.
 *
 * @throws Error if there is neither.
 */
export function targetOfProcess(): Settings & { readonly base: URL } {
  const settings = readSettings({ flags: {}, environment: process.env, envFile: '.env' });
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
