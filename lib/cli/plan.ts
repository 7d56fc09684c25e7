import { BUDGETS, EFFORTS, reaches } from '../effort.ts';
import { FORGIVEN_SHARE } from '../http/budget.ts';
import { select } from '../selection.ts';
import { MOST_CONCURRENCY, readSome } from '../settings.ts';
import { catalogue } from '../../suites/index.ts';

/** The settings that the plan shows. A mistake in any other one does not matter here; the run reports it. */
const SHOWN = [
  'CONFORMANCE_EFFORT',
  'CONFORMANCE_BASE_URL',
  'CONFORMANCE_CONCURRENCY',
  'CONFORMANCE_MAX_RPS',
  'CONFORMANCE_MAX_LIVE_TAGS',
  'CONFORMANCE_MAX_TIME_S',
] as const;

/**
 * Prints the limits of what a run sends. The HTTP client enforces them.
 *
 * @throws SettingsError if the effort or the selection is mistaken: everything else has a default.
 */
export function plan({
  effort: given,
  only = [],
  envFile = '.env',
}: {
  readonly effort?: string;
  readonly only?: readonly string[];
  readonly envFile?: string;
}): number {
  const { value, isGiven, mistakes } = readSome(SHOWN, {
    flags: given === undefined ? {} : { CONFORMANCE_EFFORT: given },
    environment: process.env,
    envFile,
  });
  const mistakenEffort = mistakes.get('CONFORMANCE_EFFORT');
  if (mistakenEffort !== undefined) throw mistakenEffort;
  const { selected } = select(catalogue, only);
  for (const { message } of mistakes.values())
    process.stderr.write(`A run would refuse this setting; the plan goes without it. ${message}\n`);
  const effort = value('CONFORMANCE_EFFORT');
  const base = value('CONFORMANCE_BASE_URL');
  const maxRps = value('CONFORMANCE_MAX_RPS');
  const asked = selected.filter((one) => reaches(effort, one.effort ?? 'quick'));
  const { requests, writes, logins, failedLogins } = BUDGETS[effort];
  const atATime = isGiven('CONFORMANCE_CONCURRENCY')
    ? value('CONFORMANCE_CONCURRENCY')
    : `${value('CONFORMANCE_CONCURRENCY')} (${MOST_CONCURRENCY} while answers do not become slower)`;
  const lines = [
    `A run of the effort ${effort}${base === undefined ? '' : ` against ${base.origin}`} checks ${asked.length} of ${catalogue.length} requirements and sends at most`,
    `  ${requests} requests, of which`,
    `  ${writes} write tags (create, update, delete), with at most ${value('CONFORMANCE_MAX_LIVE_TAGS')} tags alive at a time, and`,
    `  ${logins} are logins, of which at most ${failedLogins} fail.`,
    `Up to ${FORGIVEN_SHARE * 100} % more of them are sent again where a token had ended, an answer was lost or an outage was over, and up to ${FORGIVEN_SHARE * 100} % more remove the tags of the run. A request that the target defers (429 or 503) is sent again and counts once.`,
    `It sends up to ${atATime} requests at a time${maxRps === undefined ? '' : `, starts at most ${maxRps} per second`}, and ends after ${value('CONFORMANCE_MAX_TIME_S')} s at the latest.`,
    `Other efforts: ${EFFORTS.filter((other) => other !== effort)
      .map((other) => `${other} (${BUDGETS[other].requests} requests, ${BUDGETS[other].logins} logins)`)
      .join(', ')}.`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}
