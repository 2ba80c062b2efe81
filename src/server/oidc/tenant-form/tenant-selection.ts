import type { ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { defaultSandboxId } from '../../../core/default-sandbox.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../../sandbox/sandboxes.ts';
import { getTenantGuid, isTenantName } from '../../../sandbox/tenant-identity.ts';
import { findBoundSandbox } from '../../bound-ports.ts';
import { parseTenantAddress, type TenantAddress, userinfoPath } from './tenant-addresses.ts';

/** Tenant of a request in the tenant form. */
export interface SelectedTenant {
  /** Tenant as the address names it. */
  readonly tenant: string;
  readonly target: TenantAddress['target'];
  /** Sandbox of the tenant. `null` if no sandbox has the tenant. */
  readonly sandboxId: string | null;
  /** `true` if the address is that of all tenants, so discovery names no single one. */
  readonly isShared: boolean;
}

/** Names of all tenants. They select the default sandbox. Personal accounts (`consumers`) are not simulated. */
const sharedNames: ReadonlySet<string> = new Set(['common', 'organizations']);

const localName = 'tenantForm';

/** Returns the tenant of a request. `undefined` if its address is not in the tenant form. */
export function findTenant(response: ServerResponse): SelectedTenant | undefined {
  const { locals } = response as { readonly locals?: Response['locals'] };
  return locals?.[localName] as SelectedTenant | undefined;
}

/**
 * Creates the handler that selects the sandbox of an address in the tenant form. The request continues at the same
 * endpoint below the sandbox, so its rules, faults, and limits are the same. It precedes the request log, and leaves
 * addresses of unknown tenants to `refuseUnknownTenant`.
 *
 * @see CL10 to CL16
 */
export function selectTenant(sandboxes: Sandboxes): RequestHandler {
  const tenants = new Tenants(sandboxes);
  return async (request, response, next) => {
    const address = parseTenantAddress(request.path) ?? (await tenants.findByToken(request));
    if (address === null) return next();
    const { tenant, target, sandboxId: within } = address;
    const isShared = sharedNames.has(tenant.toLowerCase());
    const sandboxId = await findSandboxId(tenants, { tenant, within, isShared, bound: findBoundSandbox(request) });
    const selected: SelectedTenant = { tenant, target, sandboxId, isShared };
    response.locals[localName] = selected;
    if (sandboxId !== null && target.kind === 'endpoint') {
      const prefix = sandboxId === defaultSandboxId ? '' : `/s/${sandboxId}`;
      request.url = `${prefix}${target.plainPath}${readQuery(request.url, target.plainPath)}`;
    }
    next();
  };
}

/** Names that determine the sandbox of a request. */
interface Selection {
  readonly tenant: string;
  readonly within: string | null;
  readonly isShared: boolean;
  /** Sandbox of the port. */
  readonly bound: string | undefined;
}

/** Returns the sandbox of a tenant. The names of all tenants select that of the port, or the default one. */
function findSandboxId(tenants: Tenants, { tenant, within, isShared, bound }: Selection): Promise<string | null> {
  if (isShared && bound !== undefined) return Promise.resolve(bound);
  return isShared && within === null ? tenants.findDefault() : tenants.find(tenant, within ?? bound ?? null);
}

/**
 * Returns the query of a URL. Requests for claims of the access token are removed from authorization requests, because
 * the provider knows none and rejects requests without others.
 */
function readQuery(url: string, plainPath: string): string {
  const queryAt = url.indexOf('?');
  const query = queryAt === -1 ? '' : url.slice(queryAt);
  if (plainPath !== '/oauth2/authorize' || !query.includes('access_token')) return query;
  const parameters = new URLSearchParams(query);
  if (parameters.getAll('claims').length !== 1) return query;
  const others = withoutAccessToken(parameters.get('claims') ?? '');
  if (others === null) parameters.delete('claims');
  else parameters.set('claims', others);
  return `?${parameters}`;
}

/** Returns requested claims without those of the access token. `null` if there are no others. */
function withoutAccessToken(claims: string): string | null {
  try {
    const { access_token: _unknown, ...others } = JSON.parse(claims) as Record<string, unknown>;
    return Object.keys(others).length === 0 ? null : JSON.stringify(others);
  } catch {
    return claims;
  }
}

/** Finds the sandboxes of tenants by their names. */
export class Tenants {
  readonly #sandboxes: Sandboxes;
  /** Sandboxes of other processes by tenant id, as far as this process has entered them. */
  readonly #known = new Map<string, string>();
  /** Ids of sandboxes that are in `#known`. */
  readonly #indexed = new Set<string>();

  constructor(sandboxes: Sandboxes) {
    this.#sandboxes = sandboxes;
  }

  /**
   * Returns the sandbox of a tenant. `null` if no sandbox has it.
   *
   * @param within - the only sandbox that can have it. `null` allows all, the default sandbox first
   */
  async find(tenant: string, within: string | null): Promise<string | null> {
    const ofTenant = ({ id, recorder }: Sandbox) => isTenantName(id, recorder.state(), tenant);
    const open = this.#sandboxes.list().filter(({ id }) => within === null || id === within);
    const found = open.find((one) => one.id === defaultSandboxId && ofTenant(one)) ?? open.find(ofTenant);
    if (found !== undefined || !this.#sandboxes.shared) return found?.id ?? null;
    if (within !== null) return this.#enterToCompare(within, tenant);
    await this.#indexOthers();
    const known = this.#known.get(tenant.toLowerCase());
    return known === undefined ? null : this.#enterToCompare(known, tenant);
  }

  /** Returns the sandbox that the names of all tenants select. `null` if it was removed. */
  async findDefault(): Promise<string | null> {
    return (await this.#sandboxes.exists(defaultSandboxId)) ? defaultSandboxId : null;
  }

  /** Returns the name of a tenant in the URLs of its discovery document. `null` if no sandbox has the tenant. */
  async nameInUrls(tenant: string): Promise<string | null> {
    if (sharedNames.has(tenant.toLowerCase())) return tenant.toLowerCase();
    const id = await this.find(tenant, null);
    if (id === null) return null;
    return this.#sandboxes.within(id, ({ recorder }) => getTenantGuid(id, recorder.state()));
  }

  /** Returns the address of userinfo, whose access token names the tenant. */
  async findByToken({ path, headers }: Request): Promise<TenantAddress | null> {
    if (path.toLowerCase() !== userinfoPath) return null;
    const target = { kind: 'endpoint', plainPath: '/oauth2/userinfo' } as const;
    return { sandboxId: null, tenant: readTenant(headers.authorization) ?? 'common', target };
  }

  /** Returns the sandbox if the tenant is its own. */
  async #enterToCompare(id: string, tenant: string): Promise<string | null> {
    try {
      return await this.#sandboxes.within(id, ({ recorder }) =>
        isTenantName(id, recorder.state(), tenant) ? id : null,
      );
    } catch (error) {
      if (error instanceof NudgeLabError && error.code === 'sandbox-not-found') return null;
      throw error;
    }
  }

  /** Enters every sandbox that this process has not entered before, once, to learn the names of its tenant. */
  async #indexOthers(): Promise<void> {
    const ids = new Set(await this.#sandboxes.ids());
    // Another sandbox can have the names of a removed one.
    for (const id of this.#indexed) if (!ids.has(id)) this.#indexed.delete(id);
    for (const [name, id] of this.#known) if (!ids.has(id)) this.#known.delete(name);
    for (const id of ids) {
      if (this.#indexed.has(id)) continue;
      this.#indexed.add(id);
      await this.#sandboxes
        .within(id, ({ recorder }) => {
          const state = recorder.state();
          const { verifiedDomains = [] } = state.settings.directory ?? {};
          for (const name of [getTenantGuid(id, state), ...verifiedDomains]) {
            if (!this.#known.has(name.toLowerCase())) this.#known.set(name.toLowerCase(), id);
          }
        })
        .catch(() => this.#indexed.delete(id));
    }
  }
}

const accessToken = /^(?:Bearer|DPoP) [\w-]{1,4096}\.([\w-]{1,65536})\.[\w-]{1,4096}$/i;

/** Returns the tenant in an access token, which is verified later. `null` if it names none. */
function readTenant(authorization: string | undefined): string | null {
  const [, payload = ''] = accessToken.exec(authorization ?? '') ?? [];
  try {
    const { tid } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { readonly tid?: unknown };
    return typeof tid === 'string' ? tid : null;
  } catch {
    return null;
  }
}
