import type { KoaContextWithOIDC, AdapterPayload as Payload } from 'oidc-provider';
import type { ProviderParts, TenantForm } from '../provider-parts.ts';
import { getKeyCertificate } from './key-certificate.ts';
import { findTenant } from './tenant-selection.ts';

type TenantParts = ProviderParts & { readonly form: TenantForm };

/** Segment of the tenant in the issuer of all tenants, which clients replace by the tenant of a token. */
const anyTenant = '{tenantid}';

/** Endpoints that only the plain form has. */
const plainOnly = new Set(['introspection_endpoint', 'revocation_endpoint', 'registration_endpoint']);

/** Converts a discovery document to that of a tenant, or of all tenants. */
export function completeDiscovery(ctx: KoaContextWithOIDC, { form }: TenantParts): void {
  const { issuer, serverUrl } = form;
  const { host } = new URL(serverUrl);
  const isShared = findTenant(ctx.res)?.isShared === true;
  const plain = Object.entries(ctx.body as Payload).filter(([name]) => !plainOnly.has(name));
  ctx.body = {
    ...Object.fromEntries(plain),
    issuer: isShared ? `${serverUrl}/${anyTenant}/v2.0` : issuer,
    response_modes_supported: ['query', 'fragment', 'form_post'],
    id_token_signing_alg_values_supported: ['RS256'],
    // The parameter names the issuer of the tenant, which the document of all tenants does not.
    authorization_response_iss_parameter_supported: !isShared,
    http_logout_supported: true,
    frontchannel_logout_supported: true,
    request_uri_parameter_supported: false,
    tenant_region_scope: null,
    cloud_instance_name: host,
    msgraph_host: host,
  };
}

/**
 * Converts the published keys to those of the tenant form: RSA keys with a certificate. Each is listed by its id and by
 * the thumbprint of the certificate, because some clients look up `x5t` of a token among the ids.
 *
 * @see CL15
 */
export async function completeKeys(ctx: KoaContextWithOIDC, { sandbox, form }: TenantParts): Promise<void> {
  const { keys } = ctx.body as { readonly keys: readonly Payload[] };
  const rsa = keys.filter(({ kty }) => kty === 'RSA');
  const published = await sandbox.tokens.keys.published();
  const certified = rsa.map(async (key) => {
    const own = published.find(({ key: { id } }) => id === key['kid']);
    if (own === undefined) return { ...key, issuer: form.issuer };
    const { x5c, x5t } = await getKeyCertificate(own.key);
    return { ...key, x5t, x5c: [x5c], issuer: form.issuer };
  });
  const byId: readonly Payload[] = await Promise.all(certified);
  const byThumbprint = byId.flatMap((key) => (key['x5t'] === undefined ? [] : [{ ...key, kid: key['x5t'] }]));
  ctx.body = { keys: [...byId, ...byThumbprint] };
}
