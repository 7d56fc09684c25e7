/** A mistake in the settings or arguments: one sentence that names the setting, the given value and the expected one. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
