import type { Client } from '../../contract/client.schema.ts';
import { openidScopes } from '../../contract/openid-scopes.ts';
import { writePermission } from '../../contract/resource.schema.ts';
import { findPermission, type TokenResource } from '../../sandbox/token-resources.ts';

/** Name that stands for everything that a client was given for a resource. */
export const everything = '.default';

/** Lists the scopes of a resource that users can delegate to a client: those of its fixture, and all of its own API. */
export function listGiven(
  resources: readonly TokenResource[],
  client: Client,
  resource: TokenResource,
): readonly string[] {
  if (resource.clientId === client.id) return resource.scopes;
  return listNames(resources, client.permissions, resource);
}

/** Lists the names of permissions that belong to a resource. */
export function listNames(
  resources: readonly TokenResource[],
  permissions: readonly string[],
  resource: TokenResource,
): readonly string[] {
  return permissions.flatMap((permission) => {
    if (!permission.includes('/')) return resource.clientId === null ? [permission] : [];
    const match = findPermission(resources, permission);
    return match?.resource === resource ? [match.name] : [];
  });
}

/** Writes a permission as responses list it. */
export function spell(resource: TokenResource, uri: string, name: string): string {
  return resource.clientId === null ? name : writePermission(uri, name);
}

/** Lists all scopes of a sandbox with every URI of their resources. */
export function listAllScopes(resources: readonly TokenResource[]): readonly string[] {
  const spelled = resources.flatMap((resource) =>
    resource.uris.flatMap((uri) => resource.scopes.map((name) => spell(resource, uri, name))),
  );
  return [...new Set([...openidScopes, ...spelled])];
}

/** Lists the scopes that a fixture client can request, with every URI of their resources. */
export function listClientScopes(resources: readonly TokenResource[], client: Client): readonly string[] {
  const spelled = resources.flatMap((resource) =>
    listGiven(resources, client, resource).flatMap((name) => resource.uris.map((uri) => spell(resource, uri, name))),
  );
  return [...new Set([...openidScopes, ...spelled])];
}
