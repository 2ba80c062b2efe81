import type { ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { defaultSandboxId } from '../../../core/default-sandbox.ts';
import { findBoundSandbox } from '../../bound-ports.ts';
import { parseTenantAddress, type TenantAddress, userinfoPath } from './tenant-addresses.ts';
import { isSharedName, type Tenants } from './tenants.ts';

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
export function selectTenant(tenants: Tenants): RequestHandler {
  return (request, response, next) => {
    const address = parseTenantAddress(request.path) ?? parseUserinfoAddress(request);
    // Other addresses need no asynchronous work.
    return address === null ? next() : select(address, request, response).then(() => next());
  };

  async function select(address: TenantAddress, request: Request, response: Response): Promise<void> {
    const { tenant, target, sandboxId: within } = address;
    const isShared = isSharedName(tenant);
    const sandboxId = await findSandboxId(tenants, { tenant, within, isShared, bound: findBoundSandbox(request) });
    const selected: SelectedTenant = { tenant, target, sandboxId, isShared };
    response.locals[localName] = selected;
    if (sandboxId !== null && target.kind === 'endpoint') {
      const prefix = sandboxId === defaultSandboxId ? '' : `/s/${sandboxId}`;
      const queryAt = request.url.indexOf('?');
      request.url = `${prefix}${target.plainPath}${queryAt === -1 ? '' : request.url.slice(queryAt)}`;
    }
  }
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

/** Returns the address of userinfo, whose access token names the tenant. */
function parseUserinfoAddress({ path, headers }: Request): TenantAddress | null {
  if (path.toLowerCase() !== userinfoPath) return null;
  const target = { kind: 'endpoint', plainPath: '/oauth2/userinfo' } as const;
  return { sandboxId: null, tenant: readTenant(headers.authorization) ?? 'common', target };
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
