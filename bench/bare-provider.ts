import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/**
 * The library that ours stands on, with nothing around it: its own store in memory, its own pages for name and consent, and a
 * JWT of ES256 for client credentials, as ours gives. Signs in anyone who says a name.
 */
// Its advice for those who go into production with it is no part of what is measured.
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
