// The thirty requests under pactum.
import pactum from 'pactum';

const { CONFORMANCE_BASE_URL, CONFORMANCE_USERNAME, CONFORMANCE_PASSWORD, BENCH_ROUNDS } = process.env;
const { request, spec } = pactum;
request.setBaseUrl(CONFORMANCE_BASE_URL);
request.setDefaultHeaders('Accept', 'application/json');

const token = await spec()
  .post('/api/v2/auth/login')
  .withJson({ username: CONFORMANCE_USERNAME, password: CONFORMANCE_PASSWORD, scopes: ['api'] })
  .expectStatus(200)
  .returns('access_token');
request.setBearerToken(token);

for (let round = 0; round < Number(BENCH_ROUNDS); round++) {
  const name = `pactum ${round}`;
  const id = await spec()
    .post('/api/v2/tagging')
    .withJson({ name })
    .expectStatus(200)
    .expectJsonLike({ tagging: { name } })
    .returns('tagging.tag_id');
  await spec()
    .get('/api/v2/tagging')
    .withQueryParams('tag', name)
    .expectStatus(200)
    .expectJsonLike({ tagging: [{ name, tag_id: id }] });
  await spec()
    .put(`/api/v2/tagging/${id}`)
    .withJson({ name: `${name} renamed` })
    .expectStatus(200);
  await spec().delete(`/api/v2/tagging/${id}`).expectStatus(200);
}
await spec().get('/api/v2/tagging').expectStatus(200).expectJsonLike({ error: false });
