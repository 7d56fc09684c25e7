import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Reference } from '../../fixtures/reference/reference.ts';
import { serve } from '../../fixtures/reference/serve.ts';
import { makeFolder } from '../folder.ts';
import { SettingsError } from '../settings-error.ts';

/** The accounts of the server, which only this machine can reach. */
const ACCOUNTS = [
  { username: 'first@example.com', password: 'first-password', tags: ['groceries', 'Rent', 'vacation 2024'] },
  { username: 'second@example.com', password: 'second-password', tags: ['groceries', 'savings'] },
];

/** Runs the reference server until it is interrupted. */
export async function serveReference(options: {
  readonly port?: string;
  readonly http?: boolean;
}): Promise<number> {
  const port = Number(options.port ?? '0');
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new SettingsError(
      `--port is expected to be a whole number from 0 to 65535; given was ${JSON.stringify(options.port)}.`,
    );
  }
  let serving;
  try {
    serving = await serve(new Reference(ACCOUNTS).seeded(), { port, tls: options.http !== true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError(
      `The server cannot listen on --port ${port} (${code}); give another port, or none for a free one.`,
      { cause: error },
    );
  }
  const lines = [`The reference server listens on ${serving.url} until you press Ctrl-C.`];
  if (serving.certificate !== undefined) {
    const file = join('reports', 'reference-ca.pem');
    try {
      makeFolder('reports');
      writeFileSync(file, serving.certificate);
    } catch (error) {
      await serving.close();
      throw new SettingsError(
        `The certificate cannot be written to ${file} in this folder; start the server in another folder, or with --http.`,
        { cause: error },
      );
    }
    lines.push(`Its certificate is in ${file}: CONFORMANCE_CA_FILE=${file}`);
  }
  for (const { username, password } of ACCOUNTS)
    lines.push(`Account ${username} with the password ${password}`);
  process.stdout.write(`${lines.join('\n')}\n`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await serving.close();
  return 0;
}
