// The parts of undici that the client uses. All of undici, with fetch, mocks and caches, takes three times as long to
// load.
import connect from 'undici/lib/api/api-connect.js';
import Client from 'undici/lib/dispatcher/client.js';

// undici itself adds all methods of its API in this way.
Object.assign(Client.prototype, { connect });

export { default as buildConnector } from 'undici/lib/core/connect.js';
export { Client };
