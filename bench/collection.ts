import { ROUNDS } from './rounds.ts';
import { REPLAY, type Recorded } from './server.ts';

const jsonHeader = { key: 'Content-Type', value: 'application/json' };

function item(name: string, method: string, path: string, body: unknown, script: readonly string[]): unknown {
  return {
    name,
    request: {
      method,
      url: `{{base}}${path}`,
      header: [jsonHeader, { key: 'Accept', value: 'application/json' }],
      ...(body === undefined ? {} : { body: { mode: 'raw', raw: JSON.stringify(body) } }),
      ...(path.endsWith('/login')
        ? {}
        : { auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}' }] } }),
    },
    event: [
      {
        listen: 'test',
        script: {
          exec: [
            `pm.test(${JSON.stringify(name)}, () => {`,
            'pm.response.to.have.status(200);',
            ...script,
            '});',
          ],
        },
      },
    ],
  };
}

/** The thirty requests as a newman collection. Its environment holds the credentials. */
export const collection = {
  info: {
    name: 'thirty requests',
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  item: [
    item(
      'login',
      'POST',
      '/api/v2/auth/login',
      { username: '{{username}}', password: '{{password}}', scopes: ['api'] },
      ['pm.environment.set("token", pm.response.json().access_token);'],
    ),
    ...Array.from({ length: ROUNDS }, (_, round) => {
      const name = `newman ${round}`;
      return [
        item(`create ${round}`, 'POST', '/api/v2/tagging', { name }, [
          `pm.expect(pm.response.json().tagging.name).to.equal(${JSON.stringify(name)});`,
          'pm.environment.set("id", pm.response.json().tagging.tag_id);',
        ]),
        item(`find ${round}`, 'GET', `/api/v2/tagging?tag=${encodeURIComponent(name)}`, undefined, [
          'pm.expect(pm.response.json().tagging[0].tag_id).to.equal(pm.environment.get("id"));',
        ]),
        item(`rename ${round}`, 'PUT', '/api/v2/tagging/{{id}}', { name: `${name} renamed` }, []),
        item(`delete ${round}`, 'DELETE', '/api/v2/tagging/{{id}}', undefined, []),
      ];
    }).flat(),
    item('list', 'GET', '/api/v2/tagging', undefined, [
      'pm.expect(pm.response.json().error).to.equal(false);',
    ]),
  ],
};

/** Recorded requests as a newman collection, which sends them again one after another. */
export const wholeCollection = (requests: readonly Recorded[]): unknown => ({
  info: { ...collection.info, name: 'the requests of a run' },
  item: requests.map(({ method, path, headers, body }, at) => ({
    name: `${method} ${at}`,
    request: {
      method,
      url: `{{base}}${path}`,
      header: [...sentAgain(headers), [REPLAY, String(at)]].map(([key, value]) => ({ key, value })),
      ...(body === undefined ? {} : { body: { mode: 'raw', raw: body } }),
    },
    event: [
      {
        listen: 'test',
        script: { exec: ['pm.test("answers", () => pm.expect(pm.response.code).to.be.above(199));'] },
      },
    ],
  })),
});

/** The headers of a recorded request without those that the client sets. */
export const sentAgain = (headers: Recorded['headers']): Recorded['headers'] =>
  headers.filter(([name]) => !/^(?:host|connection|content-length|transfer-encoding)$/.test(name));

/** The newman environment that sets these variables. */
export const newmanEnvironment = (values: Readonly<Record<string, string>>): unknown => ({
  name: 'bench',
  values: Object.entries(values).map(([key, value]) => ({ key, value, enabled: true })),
});
