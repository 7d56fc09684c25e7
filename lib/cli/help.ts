import { Help, type Command, type Option } from 'commander';

/** The options of the main job, certifying a target, in the order in which a user needs them. */
const GROUPS: readonly (readonly [heading: string, flags: readonly string[]])[] = [
  [
    'The target:',
    [
      '--base-url',
      '--username',
      '--second-username',
      '--ca-file',
      '--client-cert-file',
      '--client-key-file',
      '--allow-http',
      '--wait-ready',
      '--reference',
    ],
  ],
  [
    'What is checked:',
    [
      '--effort',
      '--only',
      '--seed',
      '--path',
      '--declare',
      '--write-declaration',
      '--known-failures',
      '--write-known-failures',
    ],
  ],
  [
    'The run:',
    [
      '--watch',
      '--bail',
      '--verbose',
      '--require-whole',
      '--report-dir',
      '--since',
      '--product',
      '--product-version',
      '--operator',
    ],
  ],
  [
    'Its limits:',
    ['--concurrency', '--max-rps', '--timeout-ms', '--max-time-s', '--settle-ms', '--max-live-tags'],
  ],
];

/** For options that are in no group. */
const OTHERS = 'Other options:';

const AFTER = `
Secrets come from the environment or the file .env, never from options: CONFORMANCE_PASSWORD, CONFORMANCE_ACCESS_TOKEN,
CONFORMANCE_SECOND_PASSWORD, CONFORMANCE_HEADERS and CONFORMANCE_CLIENT_KEY_PASSPHRASE.

Exit codes: 0 conforming, 1 non-conforming, 2 a mistake in the arguments or settings, 3 inconclusive, 70 a fault of the
suite, 130 interrupted.
`;

const IN_ORDER = GROUPS.flatMap(([, flags]) => flags);

const placeOf = ({ long }: Option): number => {
  const place = IN_ORDER.indexOf(long ?? '');
  return place === -1 ? Number.POSITIVE_INFINITY : place;
};

/**
 * Shows the options of the main job in groups, the most needed ones first. The help of the program shows them, too,
 * because `certify` is the default command.
 */
export function arrangeHelp(program: Command, certifying: Command): void {
  for (const option of certifying.options)
    option.helpGroup(GROUPS.find(([, flags]) => flags.includes(option.long ?? ''))?.[0] ?? OTHERS);
  const inOrder = certifying.options.toSorted((one, other) => placeOf(one) - placeOf(other) || 0);
  for (const command of [program, certifying]) {
    const own = command
      .createHelp()
      .visibleOptions(command)
      .filter((option) => !inOrder.includes(option));
    for (const option of own) option.helpGroup(OTHERS);
    command
      .configureHelp({
        visibleOptions: () => [...inOrder, ...own],
        // By default the groups have the order in which the options were added.
        groupItems: (_, visible, groupOf) => new Help().groupItems(visible, visible, groupOf),
      })
      .addHelpText('after', AFTER);
  }
  program.usage('[options]\n       account-mutation-conformance [command] [options]');
}
