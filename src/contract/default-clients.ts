import type { Client } from './client.schema.ts';
import { clientPermissions } from './client-permissions.ts';
import { policyPermissions } from './policy-caller.ts';

/** Test data; never a real secret. */
const testSecret = 'test-secret';

/** The clients of a sandbox for which no one named others, so that an application on this machine can be tried at once. */
export const defaultClients: readonly Client[] = [
  client({ id: 'test-public', name: 'Test application', kind: 'public', anyLoopbackRedirect: true }),
  client({ id: 'test-web', name: 'Test web site', secret: testSecret, anyLoopbackRedirect: true }),
  client({
    id: 'test-consent',
    name: 'Test application that asks for consent',
    kind: 'public',
    anyLoopbackRedirect: true,
    consent: 'required',
  }),
  client({
    id: 'test-rs256',
    name: 'Test application with RS256',
    kind: 'public',
    anyLoopbackRedirect: true,
    signingAlgorithm: 'RS256',
  }),
  client({
    id: 'test-service',
    name: 'Test service',
    kind: 'service',
    secret: testSecret,
    appRoles: [policyPermissions.readAll, policyPermissions.readWriteMethods],
  }),
];

/** What the schema of clients fills in, written out, so that folding a journal needs no schema. A test holds it to the schema. */
function client(given: Pick<Client, 'id'> & Partial<Client>): Client {
  return {
    kind: 'web',
    redirectUris: [],
    postLogoutRedirectUris: [],
    anyLoopbackRedirect: false,
    signingAlgorithm: 'ES256',
    permissions: [...clientPermissions],
    appRoles: [],
    consent: 'granted',
    accessTokenLifetimeSeconds: 3_600,
    ...given,
  };
}
