import { Secret } from '../secret.ts';
import type { Settings, Variable } from '../settings.ts';
import type { Targeted } from './targeted.ts';

/** The settings that the embedded reference server gives itself. */
const OF_REFERENCE: ReadonlySet<string> = new Set<Variable>([
  'CONFORMANCE_BASE_URL',
  'CONFORMANCE_USERNAME',
  'CONFORMANCE_PASSWORD',
  'CONFORMANCE_SECOND_USERNAME',
  'CONFORMANCE_SECOND_PASSWORD',
  'CONFORMANCE_ACCESS_TOKEN',
]);

/** Serves the reference over HTTPS while `work` runs, with accounts and a certificate made for this run. */
export async function withReference(
  settings: Settings,
  work: (targeted: Targeted) => Promise<number>,
): Promise<number> {
  const [{ Reference }, { freshAccounts }, { serve }] = await Promise.all([
    import('../../fixtures/reference/reference.ts'),
    import('../../fixtures/reference/accounts.ts'),
    import('../../fixtures/reference/serve.ts'),
  ]);
  const accounts = freshAccounts();
  const [first, second] = accounts;
  const reference = new Reference(accounts).seeded();
  const panelToken = await reference.issueToken({ username: first.username, scopes: ['api'] });
  const serving = await serve(reference);
  const values: Readonly<Record<string, string>> = {
    CONFORMANCE_BASE_URL: serving.url,
    CONFORMANCE_USERNAME: first.username,
    CONFORMANCE_SECOND_USERNAME: second.username,
  };
  const referenceSettings = [...OF_REFERENCE].map((name) => ({
    name,
    value: values[name],
    from: 'reference' as const,
  }));
  try {
    return await work({
      ...settings,
      base: new URL(serving.url),
      ca: serving.certificate,
      username: first.username,
      password: new Secret(first.password, '$PASSWORD'),
      panelToken: new Secret(panelToken, '$PANEL_TOKEN'),
      second: { username: second.username, password: new Secret(second.password, '$SECOND_PASSWORD') },
      given: [...settings.given.filter(({ name }) => !OF_REFERENCE.has(name)), ...referenceSettings],
    });
  } finally {
    await serving.close();
  }
}
