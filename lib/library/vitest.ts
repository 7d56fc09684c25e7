import { saidIn } from '../cli/said.ts';
import { refusePlainHttp } from '../cli/targeted.ts';
import { SettingsError } from '../settings-error.ts';
import { conform as conformTo, type Prepared } from '../vitest.ts';
import { suites } from '../../suites/index.ts';
import { saysOf } from '../../suites/sentences.ts';
import type { Options } from './options.ts';
import { asOptions, settingsOf } from './settings.ts';

/** The data of each test for reporters, as `task.meta.requirement`. */
export type { RequirementMeta } from '../vitest/telling.ts';

/**
 * Makes one test of each requirement, in the test file that calls it. What an option leaves out comes from the
 * environment (`CONFORMANCE_...`) or from `.env`. The reports are written when the last test has ended.
 *
 * @param options the target and the limits, or a function that gives them when the first test starts, after the setup of
 * the test file has started a server.
 * @param tags whether each test has its level as a tag. The configuration of vitest must then define the tags, with
 * `tags: levels.map((name) => ({ name }))`.
 */
export function conform(
  options: Options | (() => Options | Promise<Options>) = {},
  { tags = false }: { readonly tags?: boolean } = {},
): void {
  conformTo(suites, async () => prepared(typeof options === 'function' ? await options() : options), tags);
}

function prepared(options: Options): Prepared {
  const { allowHttp = false } = options;
  const settings = settingsOf(options, [], { environment: process.env, envFile: '.env' });
  const { base } = settings;
  if (base === undefined)
    throw new SettingsError('There is no target: give baseUrl, or set CONFORMANCE_BASE_URL.');
  asOptions(() => refusePlainHttp({ ...settings, base }, allowHttp));
  return {
    settings: { ...settings, base },
    allowsHttp: allowHttp,
    says: saysOf,
    said: saidIn({}),
    keepsEvidence: true,
  };
}
