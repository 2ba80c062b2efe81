import type Provider from 'oidc-provider';
import type { Grant, KoaContextWithOIDC, RefreshToken } from 'oidc-provider';
import ProviderClass from 'oidc-provider';
import { openidScopes } from '../../contract/openid-scopes.ts';
import type { RefreshScopeRule } from '../../contract/resource.schema.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { listResources, type TokenResource } from '../../sandbox/token-resources.ts';
import { fixtureClient } from './clients.ts';
import { splitWords } from './consent.ts';
import type { ProviderParts } from './provider-parts.ts';
import {
  findResource,
  keepFirstResource,
  missingScope,
  type RequestedScopes,
  readScopes,
  severalResources,
} from './requested-scopes.ts';
import { listClientScopes } from './scope-names.ts';
import { withoutAccessTokenClaims } from './tenant-form/requested-claims.ts';

type OidcContext = KoaContextWithOIDC['oidc'];

/** Scopes of the current requests. */
const readByContext = new WeakMap<OidcContext, RequestedScopes>();

/** Lists the resources of a sandbox under its current URL. */
export function resourcesIn(sandbox: Sandbox): readonly TokenResource[] {
  return listResources(sandbox.recorder.state(), sandbox.tokens.issuer);
}

/**
 * Lets requests name resources in their scopes. The provider has the scopes of all resources as one list, so each
 * request is converted to the form of that list as soon as its client is known.
 *
 * @see CL30
 */
export function resolveScopes(provider: Provider, parts: ProviderParts): void {
  const { sandbox } = parts;
  convertRequests(provider, parts);
  keepOrderOfRequest(provider);
  for (const { prototype } of [provider.AuthorizationCode, provider.DeviceCode]) {
    const { save } = prototype;
    prototype.save = function (
      this: { scope?: string; resource?: string | string[] },
      ...args: Parameters<typeof save>
    ) {
      if (this.scope !== undefined) {
        this.scope = keepFirstResource(resourcesIn(sandbox), splitWords(this.scope)).join(' ');
        const written = findWrittenUri();
        if (written !== null) this.resource ??= written;
      }
      return save.apply(this as InstanceType<typeof provider.AuthorizationCode>, args);
    };
  }
  refuseAtToken(provider, provider.AuthorizationCode);
  refuseAtToken(provider, provider.DeviceCode);
  refuseAtToken<RefreshToken>(provider, provider.RefreshToken, (token) => widenRefresh(provider, parts, token));
}

/**
 * Parameter that keeps the URI of the built-in resource while a user signs in. Scopes do not have it any more, because
 * responses list those of the built-in resource by name.
 */
export const writtenUriParameter = 'nl_scopes';

/**
 * Returns the URI by which the current request, or the one that it continues, named the built-in resource. `null` if it
 * named none.
 */
export function findWrittenUri(): string | null {
  const { oidc } = (ProviderClass.ctx ?? {}) as { readonly oidc?: OidcContext };
  if (oidc === undefined) return null;
  const { AuthorizationCode: code, RefreshToken: refresh, DeviceCode: device } = oidc.entities;
  const sources = [
    code?.resource,
    refresh?.resource,
    device?.params?.[writtenUriParameter],
    oidc.params?.[writtenUriParameter],
  ];
  const written = readByContext.get(oidc)?.builtInUri ?? sources.find((uri) => typeof uri === 'string');
  return typeof written === 'string' ? written : null;
}

/** Lists the scopes of a request in the form in which they are granted, including those that the provider dropped. */
export function listRequestedWords(oidc: OidcContext): readonly string[] {
  return readByContext.get(oidc)?.words ?? [];
}

/**
 * Checks the scopes of a request for a user.
 *
 * @throws `invalid_scope` if the request names a scope that does not exist, or none that the client can have
 */
export function checkScopes({ oidc }: KoaContextWithOIDC): void {
  const read = readByContext.get(oidc);
  if (read !== undefined && read.refused !== null) throw read.refused;
  // The scopes of a pushed request were checked when it was pushed.
  const isWithScope =
    read === undefined
      ? oidc.params?.['scope'] !== undefined
      : read.resources.length > 0 || read.words.some((word) => openidScopes.includes(word));
  if (!isWithScope) throw missingScope();
}

/** Converts the scopes of a request once its parameters and its client are known, in either order. */
function convertRequests(provider: Provider, parts: ProviderParts): void {
  const { prototype } = (provider as unknown as { readonly OIDCContext: { readonly prototype: OidcContext } })
    .OIDCContext;
  const { entity } = prototype;
  const parameters = new WeakMap<OidcContext, OidcContext['params']>();
  prototype.entity = function (this: OidcContext, ...[key, value]: Parameters<typeof entity>) {
    entity.call(this, key, value);
    if (key === 'Client') convertScopes(parts, this);
  };
  Object.defineProperty(prototype, 'params', {
    get(this: OidcContext) {
      return parameters.get(this);
    },
    set(this: OidcContext, params: OidcContext['params']) {
      parameters.set(this, params);
      if (parts.form !== null && typeof params?.['claims'] === 'string') {
        params['claims'] = withoutAccessTokenClaims(params['claims']);
      }
      convertScopes(parts, this);
    },
  });
}

function convertScopes({ sandbox, form }: ProviderParts, oidc: OidcContext): void {
  const { client, params } = oidc;
  if (client === undefined || params === undefined) return;
  const sent = params['grant_type'] === 'client_credentials' ? '' : params['scope'];
  // Scopes that were converted before keep the reason why others were refused.
  if (typeof sent !== 'string' || readByContext.get(oidc)?.words.join(' ') === sent) return;
  const known = fixtureClient(sandbox, client.clientId);
  // OpenID Connect Core 1.0, section 3.1.2.1, ignores unknown scopes. The tenant form rejects them (CL18).
  const read = readScopes(resourcesIn(sandbox), known, splitWords(sent), form === null ? 'plain' : 'tenant');
  readByContext.set(oidc, read);
  params['scope'] = read.words.length === 0 ? undefined : read.words.join(' ');
  if (read.builtInUri !== null && oidc.route !== 'token') params[writtenUriParameter] = read.builtInUri;
}

/** Lists granted scopes in the order of the request instead of the order in which they were granted (CL32). */
function keepOrderOfRequest(provider: Provider): void {
  const { prototype } = provider.Grant;
  prototype.getOIDCScopeFiltered = function (this: Grant, filter): string {
    const granted = new Set(splitWords(this.getOIDCScope()));
    return [...filter].filter((word) => granted.has(word)).join(' ');
  };
}

interface Findable<Found> {
  find: (...args: never[]) => Promise<Found | undefined>;
}

/** Rejects scopes of unknown or several resources in token requests, before a code or refresh token is used. */
function refuseAtToken<Found>(
  provider: Provider,
  kind: Findable<Found>,
  then: (record: Found, oidc: OidcContext) => Promise<void> = async () => undefined,
): void {
  const { find } = kind;
  kind.find = async (...args) => {
    const { oidc } = (ProviderClass.ctx ?? {}) as { readonly oidc?: OidcContext };
    const found = await find.apply(kind, args);
    if (oidc?.route !== 'token' || oidc.provider !== provider) return found;
    const { refused = null, resources = [] } = readByContext.get(oidc) ?? {};
    if (refused !== null) throw refused;
    if (resources.length > 1) throw severalResources(resources, String(oidc.body?.['scope'] ?? ''));
    if (found !== undefined) await then(found, oidc);
    return found;
  };
}

/**
 * Adds requested scopes to the grant of a refresh token, as far as the setting allows it. The refresh token itself keeps
 * its scopes.
 *
 * @see CL34
 */
async function widenRefresh(provider: Provider, parts: ProviderParts, token: RefreshToken): Promise<void> {
  const { oidc } = (ProviderClass.ctx ?? {}) as { readonly oidc?: OidcContext };
  const known = fixtureClient(parts.sandbox, token.clientId ?? '');
  const requested = splitWords(oidc?.params?.['scope']);
  const missing = requested.filter((word) => !token.scopes.has(word));
  const rule = known?.refreshScopes ?? getRule(parts);
  if (rule === 'granted' || missing.length === 0 || !token.isValid || token.clientId !== oidc?.client?.clientId) return;
  const grant = await provider.Grant.find(token.grantId ?? '');
  if (grant === undefined) return;
  const resources = resourcesIn(parts.sandbox);
  const isForAll = known?.consent === 'granted';
  const consented = new Set([
    ...splitWords(grant.getOIDCScope()),
    ...(isForAll ? listClientScopes(resources, known) : []),
  ]);
  const own = findResource(resources, [...token.scopes]);
  const isAllowed = (word: string) =>
    consented.has(word) &&
    (rule === 'any-resource' || openidScopes.includes(word) || findResource(resources, [word]) === own);
  if (!missing.every(isAllowed)) return;
  grant.addOIDCScope(missing.join(' '));
  await grant.save();
  Object.defineProperty(token, 'scopes', { value: new Set([...token.scopes, ...missing]) });
}

function getRule({ sandbox, form }: ProviderParts): RefreshScopeRule {
  return sandbox.recorder.state().settings.identity?.refreshScopes ?? (form === null ? 'granted' : 'any-resource');
}
