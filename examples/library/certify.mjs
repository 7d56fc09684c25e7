// Certifies a server from a program of your own, and decides itself what to do with the result.
import { certify, SettingsError } from 'account-mutation-conformance';
import { serveReference } from 'account-mutation-conformance/reference';

const { BASE_URL, API_USERNAME, API_PASSWORD } = process.env;

// Without a server, the reference stands in for one.
const reference = BASE_URL === undefined ? await serveReference() : undefined;
const target = reference?.options ?? {
  baseUrl: BASE_URL ?? '',
  username: API_USERNAME,
  password: API_PASSWORD,
};

// The run removes its tags before it ends, also when it is interrupted.
const controller = new AbortController();
process.once('SIGINT', () => controller.abort());

try {
  const report = await certify({
    ...target,
    effort: 'quick',
    signal: controller.signal,
    onResult: ({ id, verdict, reason }) => {
      if (verdict === 'fail') console.log(`${id}: ${reason}`);
    },
  });
  const passed = report.requirements.filter(({ verdict }) => verdict === 'pass').length;
  console.log(
    `${report.verdict}: ${passed} requirements hold, ${report.traffic.requests} requests were sent`,
  );
  for (const { id, explains } of report.causes)
    console.log(`cause: ${id}, which explains ${explains.length} more`);
  process.exitCode = report.exitCode;
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
} finally {
  await reference?.close();
}
