// The requests of a run under pactum, one after another.
import { readFileSync } from 'node:fs';
import pactum from 'pactum';

const { CONFORMANCE_BASE_URL, BENCH_REQUESTS, BENCH_REPLAY } = process.env;
const { request, spec } = pactum;
request.setBaseUrl(CONFORMANCE_BASE_URL);

for (const [at, { method, path, headers, body }] of JSON.parse(
  readFileSync(BENCH_REQUESTS, 'utf8'),
).entries()) {
  const one = spec().withMethod(method).withPath(path).withFollowRedirects(false);
  for (const [name, value] of headers) one.withHeaders(name, value);
  one.withHeaders(BENCH_REPLAY, String(at));
  if (body !== undefined) one.withBody(body);
  await one.expect(({ res }) => {
    if (res.statusCode < 200) throw new Error(`answered ${res.statusCode}`);
  });
}
