import { SettingsError, type Settings } from '../settings.ts';
import { isLoopback } from '../../suites/transport.ts';

/** Settings with a target. */
export type Targeted = Settings & { readonly base: URL };

/** @throws SettingsError where the password would go over a network in plain text. */
export function refusePlainHttp({ base }: Targeted, allowed: boolean): void {
  if (base.protocol === 'https:' || isLoopback(base) || allowed) return;
  throw new SettingsError(
    `CONFORMANCE_BASE_URL is plain http (${base.origin}), which would show the password and tokens to the network; expected is https://, or --allow-http to allow just that.`,
  );
}
