import { OAuth2Server } from 'oauth2-mock-server';

/** The peer of the token endpoint's benchmark, in a process of its own, as its documentation starts it. */
const server = new OAuth2Server();
await server.issuer.keys.generate('RS256');
await server.start(0, '127.0.0.1');
console.log(JSON.stringify({ baseUrl: `http://127.0.0.1:${server.address().port}` }));
