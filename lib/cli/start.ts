import { EXIT } from '../judging/judge.ts';
import { faultSentence, main } from './main.ts';

/**
 * Runs the command line of this process to its exit code.
 *
 * @param fallBack whether a missing target means the embedded reference; only so in the repository itself.
 */
export async function start(fallBack: boolean): Promise<void> {
  // Node's own way would end with 1, which says that the target does not conform.
  process.on('uncaughtException', (error) => {
    process.stderr.write(
      `${faultSentence(error)} What a run had made is in the ledger of the report folder; npm start -- sweep removes it, with the same settings.\n`,
    );
    process.exit(EXIT.fault);
  });
  // Whoever read the output may have left (`| head`): the run goes on to its end and tidies up all the same.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  process.exitCode = await main(process.argv.slice(2), fallBack);
}
