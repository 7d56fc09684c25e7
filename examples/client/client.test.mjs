// Tests a client of the API against the reference: real HTTP, no mocks, and fresh accounts for every test.
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { serveReference } from 'account-mutation-conformance/reference';

/** The client under test: a small one, to show how. */
class Tags {
  #base;
  #token;

  constructor(/** @type {string} */ base, /** @type {string} */ token) {
    this.#base = base;
    this.#token = token;
  }

  async #send(/** @type {string} */ method, path = '', /** @type {RequestInit} */ more = {}) {
    const answer = await fetch(`${this.#base}/api/v2/tagging${path}`, {
      method,
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        Authorization: `Bearer ${this.#token}`,
      },
      ...more,
    });
    const content = await answer.json();
    if (!answer.ok) throw new Error(`${answer.status}: ${content.message}`);
    return content;
  }

  async create(/** @type {string} */ name) {
    return (await this.#send('POST', '', { body: JSON.stringify({ name }) })).tagging.tag_id;
  }

  async named(/** @type {string} */ name) {
    const { tagging } = await this.#send('GET', `?tag=${encodeURIComponent(name)}`);
    return tagging.filter((/** @type {{ name: string }} */ tag) => tag.name === name);
  }

  async delete(/** @type {string} */ id) {
    await this.#send('DELETE', `/${encodeURIComponent(id)}`);
  }
}

/** @type {import('account-mutation-conformance/reference').ServedReference} */
let server;
/** @type {Tags} */
let tags;

beforeEach(async () => {
  // Plain http on loopback: a client needs no certificate for it.
  server = await serveReference({ tls: false });
  tags = new Tags(server.url, server.accessToken);
});
afterEach(() => server.close());

test('finds the tag that it has made, by any name', async () => {
  const id = await tags.create('rent & food');
  deepEqual(await tags.named('rent & food'), [{ name: 'rent & food', tag_id: id }]);
});

test('tells that a tag is gone', async () => {
  const id = await tags.create('rent');
  await tags.delete(id);
  equal((await tags.named('rent')).length, 0);
  await rejects(tags.delete(id), /^Error: 404/);
});
