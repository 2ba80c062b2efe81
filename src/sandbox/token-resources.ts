import type { Client } from '../contract/client.schema.ts';
import { clientPermissions } from '../contract/client-permissions.ts';
import { getDialect } from '../contract/directory-api/dialect.ts';
import { type ClientResource, toComparableUri } from '../contract/resource.schema.ts';
import type { TenantSettings } from '../contract/sandbox.schema.ts';
import type { SandboxState } from '../journal/state.ts';

/** Resource that tokens are issued for. */
export interface TokenResource extends ClientResource {
  /** Client whose API it is. `null` for the policy API, the directory API, and the document records API. */
  readonly clientId: string | null;
}

/** State that determines the resources of a sandbox. */
type ResourceState = Pick<SandboxState, 'clients' | 'settings'>;

/**
 * Lists the resources of a sandbox, the built-in one first.
 *
 * @param baseUrl - URL of the sandbox, by which requests name the built-in resource
 * @see CL30
 */
export function listResources(state: ResourceState, baseUrl: string): readonly TokenResource[] {
  return [createBuiltIn(state, baseUrl), ...listClientResources(state.clients)];
}

/** Lists the resources of clients. */
export function listClientResources(clients: readonly Client[]): readonly TokenResource[] {
  return clients.flatMap(({ id, resource }) => (resource === undefined ? [] : [{ ...resource, clientId: id }]));
}

/** Lists the URIs of the built-in resource that do not depend on the URL of the sandbox. */
export function listBuiltInUris(settings: TenantSettings): readonly string[] {
  const { publicRoot } = settings.directory ?? {};
  return [...getDialect(settings).data.resourceIds, ...(publicRoot === undefined ? [] : [publicRoot])];
}

function createBuiltIn({ settings }: ResourceState, baseUrl: string): TokenResource {
  return {
    id: baseUrl,
    uris: [...listBuiltInUris(settings), baseUrl],
    scopes: [...clientPermissions],
    appRoles: [...clientPermissions],
    clientId: null,
  };
}

/** Permission of a resource as written with one of its URIs. */
export interface WrittenPermission {
  readonly resource: TokenResource;
  /** URI of the resource that the permission begins with, in the spelling of the resource. */
  readonly uri: string;
  readonly name: string;
}

/**
 * Reads a permission written as `{uri}/name` or `{uri}//name`. The case of the URI plays no part. Returns `null` if it
 * begins with the URI of no resource.
 */
export function findPermission(resources: readonly TokenResource[], written: string): WrittenPermission | null {
  const lower = written.toLowerCase();
  for (const resource of resources) {
    for (const uri of resource.uris) {
      const start = `${toComparableUri(uri)}/`;
      if (!lower.startsWith(start)) continue;
      const rest = written.slice(start.length);
      const name = rest.startsWith('/') ? rest.slice(1) : rest;
      if (name !== '' && !name.includes('/')) return { resource, uri, name };
    }
  }
  return null;
}

/**
 * Returns the audience of tokens for a resource in the tenant form (CL31), which is a setting. In the plain form, it is
 * the id of the resource.
 *
 * @param written - URI of the resource as in the request; `null` if the request named it in no other way than by scopes
 */
export function getTenantAudience(
  { settings }: ResourceState,
  resource: TokenResource,
  written: string | null,
): string {
  const isBuiltIn = resource.clientId === null;
  const kind = settings.identity?.audience ?? (isBuiltIn ? 'uri' : 'id');
  if (kind === 'id') return resource.id;
  return resource.uris.find((uri) => uri === written) ?? resource.uris[0] ?? resource.id;
}
