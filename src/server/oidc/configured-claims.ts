import type Provider from 'oidc-provider';
import type { Client, KoaContextWithOIDC } from 'oidc-provider';
import { type ClaimItem, type ClaimTarget, getClaimName } from '../../contract/client-claims.schema.ts';
import { type ClaimsContext, listUserRoles, resolveClaims } from '../../sandbox/client-claims.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { noteFinding } from '../finding.ts';
import { fixtureClient } from './clients.ts';
import { loginHintClaim } from './login-hint.ts';
import type { ProviderParts } from './provider-parts.ts';

type OidcContext = KoaContextWithOIDC['oidc'];

/** Selection of claims for an ID token or a response of userinfo, as the provider makes it. */
interface ClaimSelection {
  readonly available: Readonly<Record<string, unknown>>;
  readonly client: Client;
  readonly ctx: KoaContextWithOIDC | undefined;
  /** Names from the scopes and from the parameter `claims`, with `null` or an object. */
  readonly filter: Readonly<Record<string, unknown>>;
  result(): Promise<Record<string, unknown>>;
}

/** Where the claims of a response go, by the route. */
const targets: Readonly<Record<string, ClaimTarget>> = {
  authorization: 'idToken',
  resume: 'idToken',
  token: 'idToken',
  userinfo: 'userinfo',
};

/**
 * Adds the configured claims of clients to ID tokens and responses of userinfo, and those that the parameter `claims`
 * requests. Configured claims replace claims of the scopes.
 *
 * @param standard - names of the claims that the provider itself supports
 * @see CL70
 */
export function addConfiguredClaims(provider: Provider, parts: ProviderParts, standard: ReadonlySet<string>): void {
  const { sandbox } = parts;
  const { prototype } = (provider as unknown as { readonly Claims: { readonly prototype: ClaimSelection } }).Claims;
  const { result } = prototype;
  prototype.result = async function (this: ClaimSelection) {
    const claims = await result.call(this);
    const { ctx, client, available, filter } = this;
    const target = targets[ctx?.oidc?.route ?? ''];
    const state = sandbox.recorder.state();
    const user = state.users.get(String(available['sub']));
    if (ctx === undefined || target === undefined || user === undefined) return claims;
    const known = fixtureClient(sandbox, client.clientId);
    const requestedNames = Object.entries(filter)
      .filter(([name, wanted]) => isRequest(wanted) && !standard.has(name))
      .map(([name]) => name);
    const context = { ...readContext(parts, user), carrier: getCarrier(ctx, target) };
    const configured = listItems(known?.claims);
    const requested = requestedNames.map((name) => configured.find((item) => getClaimName(item) === name) ?? name);
    const roles = target === 'idToken' && known !== null ? listUserRoles(known, state, user) : [];
    return {
      ...claims,
      ...pickLoginHint(known?.claims?.[target] ?? [], available),
      ...resolveClaims(requested, context),
      ...resolveClaims(known?.claims?.[target] ?? [], context),
      ...(roles.length === 0 ? {} : { roles }),
    };
  };
  allowRequests(provider, sandbox, standard);
}

/** Returns the hint at the user if the claims of a client list it by name. Only the tenant form has it (CL25). */
function pickLoginHint(
  items: readonly ClaimItem[],
  { [loginHintClaim]: hint }: ClaimSelection['available'],
): Readonly<Record<string, unknown>> {
  return hint !== undefined && items.includes(loginHintClaim) ? { [loginHintClaim]: hint } : {};
}

/** Returns the context of claims without their carrier. */
export function readContext(
  { sandbox, issuer }: ProviderParts,
  user: ClaimsContext['user'],
): Omit<ClaimsContext, 'carrier'> {
  return { sandboxId: sandbox.id, state: sandbox.recorder.state(), user, baseUrl: issuer };
}

function getCarrier({ oidc }: KoaContextWithOIDC, target: ClaimTarget): ClaimsContext['carrier'] {
  if (target === 'userinfo') return 'response';
  const { responseMode } = oidc as { readonly responseMode?: string };
  return oidc.route !== 'token' && responseMode === 'fragment' ? 'fragment' : 'token';
}

function isRequest(wanted: unknown): boolean {
  return wanted === null || (typeof wanted === 'object' && !Array.isArray(wanted));
}

/** Lists all configured claims of a client, from which a request selects by name. */
function listItems(
  claims: { readonly [T in ClaimTarget]?: readonly ClaimItem[] | undefined } = {},
): readonly ClaimItem[] {
  return [...(claims.idToken ?? []), ...(claims.userinfo ?? []), ...(claims.accessToken ?? [])];
}

/** Lists the names of the configured claims of all clients, for discovery. */
export function listClaimNames({ recorder }: Sandbox): readonly string[] {
  const { clients } = recorder.state();
  const names = clients.flatMap(({ claims }) => listItems(claims).map(getClaimName));
  return [...new Set([...names, ...(clients.some(({ userRoles }) => userRoles !== undefined) ? ['roles'] : [])])];
}

/** Lets the parameter `claims` name the claims of the client and of the user, which the grant then contains. */
function allowRequests(provider: Provider, sandbox: Sandbox, standard: ReadonlySet<string>): void {
  const { prototype } = (provider as unknown as { readonly OIDCContext: { readonly prototype: OidcContext } })
    .OIDCContext;
  const descriptor = Object.getOwnPropertyDescriptor(prototype, 'requestParamClaims');
  Object.defineProperty(prototype, 'requestParamClaims', {
    configurable: true,
    get(this: OidcContext): Set<string> {
      const supported = descriptor?.get?.call(this) as Set<string>;
      const known = new Set(listKnownNames(sandbox, this));
      const requested = listRequestedNames(this).filter((name) => known.has(name) && !standard.has(name));
      return new Set([...supported, ...requested]);
    },
  });
}

function listKnownNames(sandbox: Sandbox, { client, session }: OidcContext): readonly string[] {
  const known = client === undefined ? null : fixtureClient(sandbox, client.clientId);
  const user = sandbox.recorder.state().users.get(session?.accountId ?? '');
  return [...listItems(known?.claims).map(getClaimName), ...Object.keys(user?.profile.claims ?? {})];
}

function listRequestedNames({ params }: OidcContext): readonly string[] {
  const sent = params?.['claims'];
  if (typeof sent !== 'string') return [];
  const claims = JSON.parse(sent) as Readonly<Record<'userinfo' | 'id_token', object | undefined>>;
  return [claims.userinfo, claims.id_token].flatMap((part = {}) =>
    Object.entries(part).flatMap(([name, wanted]) => (isRequest(wanted) ? [name] : [])),
  );
}

/** Size in bytes above which a token is unusual. Many servers reject longer headers, and browsers longer cookies. */
const usualBytesMax = 8_192;

/** Reports large tokens of a response (CL73). */
export function warnOfLargeTokens(
  ctx: Pick<KoaContextWithOIDC, 'res'>,
  response: Readonly<Record<string, unknown>>,
): void {
  const large = ['access_token', 'id_token'].flatMap((name) => {
    const token = response[name];
    return typeof token === 'string' && token.length > usualBytesMax ? [`${name} has ${token.length} bytes`] : [];
  });
  if (large.length === 0) return;
  const advice = `servers reject headers, and browsers cookies, above ${usualBytesMax} and 4096 bytes: shorten the claims of the client`;
  noteFinding(ctx.res, `${large.join(', ')}; ${advice}.`);
}
