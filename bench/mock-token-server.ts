import { OAuth2Server } from 'oauth2-mock-server';

/**
 * Reference server of the token endpoint benchmark, in a separate process and started as its documentation shows.
 */
const server = new OAuth2Server();
await server.issuer.keys.generate('RS256');
await server.start(0, '127.0.0.1');
console.log(JSON.stringify({ baseUrl: `http://127.0.0.1:${server.address().port}` }));
