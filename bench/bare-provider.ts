import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/**
 * Bare instance of the OIDC library that the mock server is built on. It uses the library’s own in-memory store, its
 * own pages for username and consent, and an ES256 JWT for client credentials, as the mock server does. Any username
 * can sign in.
 */
// The library’s warnings about production use are not part of the measurement.
console.warn = () => undefined;
console.info = () => undefined;
const server = createServer().listen(0, '127.0.0.1', () => {
  const baseUrl = `http://localhost:${(server.address() as AddressInfo).port}`;
  server.on('request', provider(baseUrl).callback());
  process.stdout.write(`${JSON.stringify({ baseUrl })}\n`);
});
process.on('SIGTERM', () => process.exit(0));

function provider(baseUrl: string): Provider {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const resource = `${baseUrl}/api`;
  return new Provider(baseUrl, {
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
    cookies: { keys: ['test data'] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    clients: [
      {
        client_id: 'test-public',
        token_endpoint_auth_method: 'none',
        redirect_uris: ['http://localhost:9/callback'],
        application_type: 'native',
      },
      {
        client_id: 'test-service',
        client_secret: 'test-secret',
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    features: {
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: (ctx) => (ctx.oidc.params?.['grant_type'] === 'client_credentials' ? resource : []),
        getResourceServerInfo: () => ({
          scope: '',
          audience: resource,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  });
}
