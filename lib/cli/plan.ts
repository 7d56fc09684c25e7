import { BUDGETS, EFFORTS, reaches } from '../effort.ts';
import { select } from '../selection.ts';
import { readSettings } from '../settings.ts';
import { catalogue } from '../../suites/index.ts';

/** Prints the limits of what a run sends. The HTTP client enforces them. */
export function plan(options: { readonly effort?: string; readonly only?: readonly string[] }): number {
  const { effort, base, concurrency, maxRps, maxLiveTags, maxTimeMs } = readSettings({
    flags: options.effort === undefined ? {} : { CONFORMANCE_EFFORT: options.effort },
    environment: process.env,
    envFile: '.env',
  });
  const { selected } = select(catalogue, options.only ?? []);
  const asked = selected.filter((one) => reaches(effort, one.effort ?? 'quick'));
  const { requests, writes, logins, failedLogins } = BUDGETS[effort];
  const lines = [
    `A run of the effort ${effort} against ${base?.origin ?? 'the embedded reference server'} checks ${asked.length} of ${catalogue.length} requirements and sends at most`,
    `  ${requests} requests, of which`,
    `  ${writes} write tags (create, update, delete), with at most ${maxLiveTags} tags alive at a time, and`,
    `  ${logins} are logins, of which at most ${failedLogins} fail.`,
    `It sends up to ${concurrency} requests at a time${maxRps === undefined ? '' : `, starts at most ${maxRps} per second`}, and ends after ${maxTimeMs / 1_000} s at the latest.`,
    `Other efforts: ${EFFORTS.filter((other) => other !== effort)
      .map((other) => `${other} (${BUDGETS[other].requests} requests, ${BUDGETS[other].logins} logins)`)
      .join(', ')}.`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}
