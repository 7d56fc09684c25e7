// What the client uses of undici. The whole of it, with its fetch, its mocks and its caches, takes three times as long to load.
import connect from 'undici/lib/api/api-connect.js';
import Client from 'undici/lib/dispatcher/client.js';

// As undici itself does with all parts of its API.
Object.assign(Client.prototype, { connect });

export { default as buildConnector } from 'undici/lib/core/connect.js';
export { Client };
