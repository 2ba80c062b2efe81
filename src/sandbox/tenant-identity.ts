import { defaultSandboxId } from '../core/default-sandbox.ts';
import { isGuid, nameBasedUuid } from '../core/ids.ts';
import { sandboxesMax } from '../core/limits.ts';
import { LruMap } from '../core/lru-map.ts';
import type { SandboxState } from '../journal/state.ts';

/** State that determines the names of a tenant. */
type NamedTenant = Pick<SandboxState, 'tenant' | 'settings'>;

/**
 * Returns the id of a tenant in addresses and tokens: the id of its facts if it is a GUID, otherwise one that is derived
 * from it. Tenants of different sandboxes have different ids, even with equal facts.
 *
 * @see DIR41
 */
export function getTenantGuid(sandboxId: string, { tenant: { id } }: NamedTenant): string {
  if (isGuid(id)) return id;
  const name = `tenant:${sandboxId}:${id}`;
  let derived = derivedIds.get(name);
  if (derived === undefined) {
    derived = nameBasedUuid(name);
    derivedIds.set(name, derived);
  }
  return derived;
}

/** Derived ids by the names that they are derived from. A request by tenant compares those of all sandboxes. */
const derivedIds = new LruMap<string, string>({ max: sandboxesMax });

/** Lists the names by which an address can name a tenant: its id, and its verified domains. */
export function listTenantNames(sandboxId: string, state: NamedTenant): readonly string[] {
  return [getTenantGuid(sandboxId, state), ...(state.settings.directory?.verifiedDomains ?? [])];
}

/** Returns `true` if an address can name a tenant in this way. The case of the name plays no part. */
export function isTenantName(sandboxId: string, state: NamedTenant, name: string): boolean {
  const wanted = name.toLowerCase();
  return listTenantNames(sandboxId, state).some((one) => one.toLowerCase() === wanted);
}

/** Returns the issuer of a tenant, whose addresses are at the root of the server. `baseUrl` is that of the sandbox. */
export function getTenantIssuer(sandboxId: string, state: NamedTenant, baseUrl: string): string {
  return `${getServerUrl(sandboxId, baseUrl)}/${getTenantGuid(sandboxId, state)}/v2.0`;
}

/** Returns the URL of the server without the path of the sandbox. */
export function getServerUrl(sandboxId: string, baseUrl: string): string {
  const suffix = `/s/${sandboxId}`;
  return sandboxId !== defaultSandboxId && baseUrl.endsWith(suffix) ? baseUrl.slice(0, -suffix.length) : baseUrl;
}
