import type { RequestHandler, Response } from 'express';
import { defaultSandboxId } from '../../../core/default-sandbox.ts';
import { NudgeLabError } from '../../../core/errors.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../../sandbox/sandboxes.ts';
import { getServerUrl } from '../../../sandbox/tenant-identity.ts';
import { readableBy } from '../cors.ts';
import { createSignInError, formatErrorNumber, type SignInError } from './sign-in-errors.ts';
import { toTenantUrl } from './tenant-addresses.ts';
import { findTenant, type SelectedTenant } from './tenant-selection.ts';
import type { Tenants } from './tenants.ts';

/** Documents that pages of any origin can read. */
const documents: ReadonlySet<string> = new Set(['/.well-known/openid-configuration', '/oauth2/jwks']);

/** Pages for users. All other addresses are for programs. */
const page = /^\/oauth2\/(?:authorize|end_session)(?:\/|$)/;

/**
 * Creates the handler for addresses in the tenant form that belong to no sandbox: those of unknown tenants, instance
 * discovery, and addresses that are not simulated or unknown. All others continue below their sandbox.
 *
 * @see CL16, CL18, CL85
 */
export function tenantForm(sandboxes: Sandboxes, tenants: Tenants): RequestHandler {
  return async (request, response, next) => {
    const selected = findTenant(response);
    if (selected === undefined || (selected.sandboxId !== null && selected.target.kind === 'endpoint')) return next();
    const sandbox = await findSandbox(sandboxes, selected.sandboxId ?? defaultSandboxId);
    const { target } = selected;
    if (target.kind === 'none') {
      const error: SignInError = { error: 'invalid_request', description: target.reason, fault: null };
      return sendError(404, error, { sandbox, response });
    }
    if (selected.sandboxId === null || sandbox === null)
      return refuseUnknownTenant(selected, { sandbox, response, next });
    const { authorization_endpoint: endpoint, 'api-version': version } = request.query;
    const requested = typeof endpoint === 'string' ? URL.parse(endpoint) : null;
    const serverUrl = getServerUrl(sandbox.id, sandbox.tokens.issuer);
    const { host } = new URL(serverUrl);
    if (requested?.host !== host) {
      const description = `authorization_endpoint is ${JSON.stringify(endpoint ?? null)}; it must be a URL of ${host}.`;
      return sendError(400, { error: 'invalid_instance', description, fault: null }, { sandbox, response });
    }
    const [, named = ''] = requested.pathname.split('/');
    const tenant = await tenants.nameInUrls(named);
    if (tenant === null) return refuseUnknownTenant({ ...selected, tenant: named }, { sandbox, response, next });
    const place = { serverUrl, baseUrl: serverUrl, tenant };
    send(200, response, {
      tenant_discovery_endpoint: toTenantUrl('/.well-known/openid-configuration', place),
      'api-version': typeof version === 'string' ? version : '1.1',
      metadata: [{ preferred_network: host, preferred_cache: host, aliases: [host] }],
    });
  };
}

/** Returns a sandbox. `null` if it does not exist, as the default sandbox after its removal. */
async function findSandbox(sandboxes: Sandboxes, id: string): Promise<Sandbox | null> {
  return (await sandboxes.exists(id)) ? sandboxes.within(id, (sandbox) => sandbox) : null;
}

interface Refusal {
  readonly sandbox: Sandbox | null;
  readonly response: Response;
}

/** Rejects a request for an unknown tenant: a page for users, or an error in the shape of the endpoint. */
function refuseUnknownTenant(
  { tenant, target }: SelectedTenant,
  { sandbox, response, next }: Refusal & { readonly next: (error: unknown) => void },
): void {
  const description = `No sandbox has the tenant ${JSON.stringify(tenant)}. Use its tenant id, or one of its verified domains.`;
  const plainPath = target.kind === 'endpoint' ? target.plainPath : '';
  if (page.test(plainPath)) {
    const number = formatErrorNumber(sandbox, 'tenant-unknown');
    const message = number === '' ? description : `${number}: ${description}`;
    return next(new NudgeLabError('tenant-not-found', { message }));
  }
  const isTokenShaped = target.kind === 'endpoint' && !documents.has(plainPath);
  const error = isTokenShaped ? 'invalid_request' : 'invalid_tenant';
  sendError(400, { error, description, fault: 'tenant-unknown' }, { sandbox, response });
}

function sendError(status: number, error: SignInError, { sandbox, response }: Refusal): void {
  send(status, response, createSignInError(error, { sandbox, request: response.req }));
}

function send(status: number, response: Response, body: object): void {
  const { origin } = response.req.headers;
  response
    .status(status)
    .set({
      'Cache-Control': 'no-store',
      ...(origin === undefined ? { 'Access-Control-Allow-Origin': '*' } : readableBy(origin)),
    })
    .json(body);
}
