/**
 * The command that started this process, for commands that the output proposes.
 *
 * @param isCheckout whether the suite runs from its repository.
 */
export function startedBy(
  isCheckout: boolean,
  environment: NodeJS.ProcessEnv = process.env,
  [, file = '']: readonly string[] = process.argv,
): string {
  const { npm_command: npm, npm_lifecycle_event: script } = environment;
  if (isCheckout) return npm === 'run-script' || script === 'start' ? 'npm start --' : 'node lib/launch.mjs';
  // Only npx finds a program that is installed in a project.
  return npm === 'exec' || /node_modules[/\\]\.bin[/\\]/.test(file)
    ? 'npx account-mutation-conformance'
    : 'account-mutation-conformance';
}
