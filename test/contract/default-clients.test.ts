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
