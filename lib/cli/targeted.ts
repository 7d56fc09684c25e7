import type { Settings } from '../settings.ts';
import { SettingsError } from '../settings-error.ts';
import { isLoopback } from '../../suites/transport.ts';

/** Settings with a target. */
export type Targeted = Settings & { readonly base: URL };

/** @throws SettingsError if the password would cross a network unencrypted. */
export function refusePlainHttp({ base }: Targeted, allowed: boolean): void {
  if (base.protocol === 'https:' || isLoopback(base) || allowed) return;
  throw new SettingsError(
    `CONFORMANCE_BASE_URL is plain http (${base.origin}), which would send the password and tokens over the network unencrypted; give an https:// address, or allow plain http with --allow-http.`,
  );
}
