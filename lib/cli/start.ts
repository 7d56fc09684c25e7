import { EXIT } from '../judging/judge.ts';
import { sweepHint } from './live.ts';
import { faultSentence, main } from './main.ts';

/**
 * Runs the command line of this process to its exit code.
 *
 * @param fallBack whether to certify the reference if no target is given, which only the repository does.
 */
export async function start(fallBack: boolean): Promise<void> {
  // By default Node.js would exit with 1, which says that the target does not conform.
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${faultSentence(error)} ${sweepHint(fallBack)}\n`);
    process.exit(EXIT.fault);
  });
  // The reader of the output may end first, as in `| head`. The run goes on to its end, and removes its tags.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  process.exitCode = await main(process.argv.slice(2), fallBack);
}
