import { expect, it } from 'vitest';
import { clientSchema } from '../../src/contract/client.schema.ts';
import { defaultClients } from '../../src/contract/default-clients.ts';

it('the default clients equal their parsed form', () => {
  expect(defaultClients.length).toBeGreaterThan(0);
  for (const client of defaultClients) {
    const { id, name, kind, secret, anyLoopbackRedirect, signingAlgorithm, appRoles, consent } = client;
    const given = { id, name, kind, secret, anyLoopbackRedirect, signingAlgorithm, appRoles, consent };
    expect(clientSchema.parse(JSON.parse(JSON.stringify(given)))).toEqual(client);
  }
});

it.each([
  ['secret', 'Schlüssel'],
  ['secret', 'two\nlines'],
  ['secret', ''],
  ['redirectUris', ['https://shop.example/callback#part']],
  ['redirectUris', ['javascript:alert(1)']],
  ['redirectUris', ['https://shop.example/', 'DATA:text/html,x']],
  ['redirectUris', ['file:///callback']],
  ['postLogoutRedirectUris', ['https://shop.example/#']],
  ['redirectUris', [`https://shop.example/${'a'.repeat(2_048)}`]],
  ['corsOrigins', ['https://shop.example/']],
  ['corsOrigins', ['https://shop.example:443']],
  ['corsOrigins', ['null']],
  ['corsOrigins', ['*']],
  ['corsOrigins', ['com.example.shop://shop']],
  ['authMethods', []],
  ['authMethods', ['tls_client_auth']],
])('a client that no application can use is rejected at its faulty key: %s %j', (key, value) => {
  const shop = {
    id: 'shop',
    secret: 'a secret, with signs: %+&',
    redirectUris: ['com.example.shop:/callback?of=shop'],
  };
  expect(clientSchema.safeParse(shop).success).toBe(true);
  const problems = clientSchema.safeParse({ ...shop, [key]: value }).error?.issues ?? [];
  expect(problems.map(({ path }) => path[0])).toEqual([key]);
});

const x = 'a'.repeat(43);
const ec = { kty: 'EC', crv: 'P-256', x, y: x };
const byKey = {
  id: 'shop',
  redirectUris: ['https://shop.example/'],
  authMethods: ['private_key_jwt'],
  jwks: { keys: [ec] },
};
const service = { id: 'job', kind: 'service', secret: 'a'.repeat(32) };

it('a client with keys needs no secret, and a client with a signing secret needs a long one', () => {
  for (const given of [byKey, { ...service, authMethods: ['client_secret_jwt', 'client_secret_basic'] }])
    expect(clientSchema.safeParse(given).error).toBeUndefined();
});

it.each<[string, object]>([
  ['secret', { ...service, secret: 'a'.repeat(31), authMethods: ['client_secret_jwt'] }],
  ['secret', { ...byKey, authMethods: ['private_key_jwt', 'client_secret_post'] }],
  ['jwks', { ...byKey, jwks: undefined }],
  ['jwks', { ...service, jwks: byKey.jwks }],
  ['jwks', { ...byKey, jwks: { keys: [] } }],
  ['jwks', { ...byKey, jwks: { keys: [{ ...ec, d: x }] } }],
  ['jwks', { ...byKey, jwks: { keys: [{ ...ec, crv: 'P-521' }] } }],
  ['jwks', { ...byKey, jwks: { keys: [{ kty: 'oct', k: x }] } }],
  ['jwks', { ...byKey, jwks: { keys: [{ ...ec, x: 'not base64url' }] } }],
  ['authMethods', { ...service, authMethods: ['none'] }],
  ['authMethods', { id: 'app', kind: 'public', anyLoopbackRedirect: true, authMethods: ['client_secret_post'] }],
])('a client that cannot authenticate is rejected at its faulty key: %s of %j', (key, client) => {
  expect(clientSchema.safeParse(client).error?.issues.map(({ path }) => path[0])).toContain(key);
});
