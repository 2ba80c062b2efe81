import { expect, it } from 'vitest';
import { clientSchema } from '../../src/contract/client.schema.ts';
import { defaultClients } from '../../src/contract/default-clients.ts';

it('the clients of a sandbox for which nobody named others are complete, as the schema would make them', () => {
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
])('a client that no application could use is refused where it is described: %s %j', (key, value) => {
  const shop = {
    id: 'shop',
    secret: 'a secret, with signs: %+&',
    redirectUris: ['com.example.shop:/callback?of=shop'],
  };
  expect(clientSchema.safeParse(shop).success).toBe(true);
  const problems = clientSchema.safeParse({ ...shop, [key]: value }).error?.issues ?? [];
  expect(problems.map(({ path }) => path[0])).toEqual([key]);
});
