// The requirements as tests of your own vitest project. Here they ask the reference, which this file starts; where your
// server runs elsewhere, `conform()` reads CONFORMANCE_BASE_URL and the account from the environment.
import { conform } from 'account-mutation-conformance/vitest';
import { serveReference } from 'account-mutation-conformance/reference';
import { afterAll } from 'vitest';

const server = await serveReference();
afterAll(() => server.close());

conform(() => ({ ...server.options, effort: 'quick', reportDir: 'reports' }), { tags: true });
