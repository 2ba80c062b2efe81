import type { Client } from './client.schema.ts';
import { clientPermissions } from './client-permissions.ts';
import { policyPermissions } from './policy-caller.ts';

/** Secret of the default clients, which is test data and never a real secret. */
const testSecret = 'test-secret';

/** Default clients of a sandbox, so an application on the local machine can sign in without configuration. */
export const defaultClients: readonly Client[] = [
  client({ id: 'test-public', name: 'Test application', kind: 'public', anyLoopbackRedirect: true }),
  client({ id: 'test-web', name: 'Test web site', secret: testSecret, anyLoopbackRedirect: true }),
  client({
    id: 'test-consent',
    name: 'Test application with consent',
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

/**
 * Applies the defaults of the client schema. A journal can be replayed without the schema, and a test compares the two.
 */
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
