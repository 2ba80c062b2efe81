import { endSentence, suggestName } from '../../../core/nearest-name.ts';

/** Endpoint in the tenant form, with the path of the same endpoint below a sandbox. */
interface TenantEndpoint {
  /** Path after the tenant. */
  readonly path: string;
  /** Other paths that are accepted. */
  readonly alike?: readonly string[];
  /** Path below the sandbox. */
  readonly plainPath: string;
  /** `true` if browsers navigate to it, so it is below the path of the sandbox, where its cookies are. */
  readonly isPage?: boolean;
}

/** Endpoints of the tenant form. */
const endpoints: readonly TenantEndpoint[] = [
  {
    path: '/v2.0/.well-known/openid-configuration',
    alike: ['/.well-known/openid-configuration'],
    plainPath: '/.well-known/openid-configuration',
  },
  { path: '/oauth2/v2.0/authorize', plainPath: '/oauth2/authorize', isPage: true },
  { path: '/oauth2/v2.0/token', plainPath: '/oauth2/token' },
  { path: '/oauth2/v2.0/devicecode', plainPath: '/oauth2/device' },
  { path: '/oauth2/v2.0/par', plainPath: '/oauth2/par' },
  { path: '/oauth2/v2.0/logout', plainPath: '/oauth2/end_session', isPage: true },
  { path: '/discovery/v2.0/keys', alike: ['/discovery/keys'], plainPath: '/oauth2/jwks' },
];

/** Path of userinfo, which is the same for all tenants. */
export const userinfoPath = '/oidc/userinfo';

/** Path of instance discovery after the tenant. */
const instancePath = '/discovery/instance';

/** Known addresses that are not simulated, with the reason. */
const notSimulated: readonly (readonly [RegExp, string])[] = [
  [
    /^\/oauth2\/(?:authorize|token|devicecode)$/i,
    'The first version of this endpoint, with the parameter resource, is not simulated. Use /oauth2/v2.0 in place of /oauth2.',
  ],
  [/^\/saml2$/i, 'SAML 2.0 is not simulated. Use OpenID Connect.'],
  [/^\/wsfed$/i, 'WS-Federation is not simulated. Use OpenID Connect.'],
  [
    /^\/federationmetadata(?:\/|$)/i,
    'The federation metadata of SAML 2.0 and WS-Federation is not simulated. Use OpenID Connect.',
  ],
];

/** First segments of other addresses, which are no tenants. */
const reserved: ReadonlySet<string> = new Set([
  'api',
  'beta',
  'device',
  'documents',
  'lookup',
  'media',
  'oauth2',
  'oidc',
  'phone',
  's',
  'security-info',
  'sign-in',
  'try',
  'v1.0',
]);

/** Address in the tenant form. */
export interface TenantAddress {
  /** Sandbox in the path of a page. `null` if the tenant is the first segment. */
  readonly sandboxId: string | null;
  /** Tenant as the address names it. */
  readonly tenant: string;
  readonly target:
    | { readonly kind: 'endpoint'; readonly plainPath: string }
    | { readonly kind: 'instance' }
    /** Known address that is not simulated, or an unknown one. */
    | { readonly kind: 'none'; readonly reason: string };
}

/** Segments of an address: a sandbox if it is a page, the tenant, and the path after it. */
const address =
  /^(?:\/s\/([^/]{1,64}))?\/([^/]{1,256})(\/(?:oauth2|discovery|v2\.0|\.well-known|saml2|wsfed|federationmetadata)(?:\/.{0,512})?)$/i;

/** Path of an authorization that resumes, or of a page of the sign-out. */
const pagePart = /^(\/oauth2\/v2\.0\/(?:authorize|logout))\/([\w-]{1,64})$/i;

/** Parses a path. Returns `null` if it is no address in the tenant form. */
export function parseTenantAddress(path: string): TenantAddress | null {
  const [, sandboxId, tenant = '', rest = ''] = address.exec(path) ?? [];
  if (rest === '' || reserved.has(tenant.toLowerCase()) || tenant.startsWith('_') || tenant.startsWith('.'))
    return null;
  const target = findTarget(rest, sandboxId !== undefined);
  return target === null ? null : { sandboxId: sandboxId ?? null, tenant: decode(tenant), target };
}

function findTarget(path: string, isBelowSandbox: boolean): TenantAddress['target'] | null {
  // A final slash is accepted, as at the endpoints of a sandbox.
  const rest = path.endsWith('/') ? path.slice(0, -1) : path;
  const [, begun = rest, part] = pagePart.exec(rest) ?? [];
  const lower = begun.toLowerCase();
  const endpoint = endpoints.find(({ path, alike = [] }) => path === lower || alike.includes(lower));
  if (endpoint !== undefined) {
    if (isBelowSandbox && endpoint.isPage !== true) return null;
    return { kind: 'endpoint', plainPath: `${endpoint.plainPath}${part === undefined ? '' : `/${part}`}` };
  }
  if (isBelowSandbox) return null;
  if (lower === instancePath) return { kind: 'instance' };
  const reason = notSimulated.find(([expression]) => expression.test(rest))?.[1];
  return { kind: 'none', reason: reason ?? describeUnknownPath(rest) };
}

function describeUnknownPath(rest: string): string {
  const known = [...endpoints.map(({ path }) => path), instancePath];
  return endSentence(`A tenant has no endpoint ${JSON.stringify(rest)}${suggestName(rest, known)}`);
}

/** Locations from which the addresses of a tenant are formed. */
export interface TenantPlace {
  readonly serverUrl: string;
  /** Base URL of the sandbox. */
  readonly baseUrl: string;
  /** Tenant as the addresses name it. */
  readonly tenant: string;
}

/**
 * Returns the URL of an endpoint in the tenant form. Pages are at the root like all endpoints, except for their parts,
 * which only the browser requests. Endpoints that the tenant form does not have are those of the sandbox.
 *
 * @param plainPath - path of the endpoint below the sandbox
 */
export function toTenantUrl(plainPath: string, { serverUrl, baseUrl, tenant }: TenantPlace): string {
  if (plainPath === '/oauth2/userinfo') return `${serverUrl}${userinfoPath}`;
  const direct = endpoints.find((endpoint) => endpoint.plainPath === plainPath);
  if (direct !== undefined) return `${serverUrl}/${tenant}${direct.path}`;
  const page = endpoints.find((endpoint) => endpoint.isPage === true && plainPath.startsWith(`${endpoint.plainPath}/`));
  return page === undefined
    ? `${baseUrl}${plainPath}`
    : `${baseUrl}/${tenant}${page.path}${plainPath.slice(page.plainPath.length)}`;
}

/** Returns the URL of a page below its sandbox, where the cookies of the browser are. */
export function toTenantPageUrl(plainPath: string, { baseUrl, tenant }: Omit<TenantPlace, 'serverUrl'>): string {
  const page = endpoints.find((endpoint) => endpoint.plainPath === plainPath);
  return page === undefined ? `${baseUrl}${plainPath}` : `${baseUrl}/${tenant}${page.path}`;
}

/** Decodes a segment of a path. A segment that cannot be decoded is no name of a tenant, so it stays. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
