import { expect, test } from 'vitest';
import { startedBy } from './started-by.ts';

const BIN = '/project/node_modules/.bin/account-mutation-conformance';

test.each([
  ['npm start', true, { npm_command: 'run-script' }, '/suite/lib/launch.mjs', 'npm start --'],
  ['the launcher', true, {}, '/suite/lib/launch.mjs', 'node lib/launch.mjs'],
  ['npx', false, { npm_command: 'exec' }, BIN, 'npx account-mutation-conformance'],
  ['the folder of a project', false, {}, BIN, 'npx account-mutation-conformance'],
  ['the path', false, {}, '/usr/bin/account-mutation-conformance', 'account-mutation-conformance'],
])(
  'commands are proposed as the suite was started: by %s',
  (_how, isCheckout, environment, file, expected) => {
    expect(startedBy(isCheckout, environment, ['node', file])).toBe(expected);
  },
);
