import { hash } from 'node:crypto';
import { decodeJwt } from 'jose';
import type Provider from 'oidc-provider';
import type { Account, Client, Configuration, KoaContextWithOIDC } from 'oidc-provider';
import ProviderClass from 'oidc-provider';
import { getSubjectType } from '../../../contract/identity-settings.schema.ts';
import { randomId } from '../../../core/ids.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { loginHintClaim, readLoginHint } from '../login-hint.ts';
import { renderError } from '../provider-pages.ts';
import type { ProviderParts, TenantForm } from '../provider-parts.ts';
import { getKeyCertificate } from './key-certificate.ts';
import { describePageError } from './sign-in-errors.ts';
import { toTenantUrl } from './tenant-addresses.ts';
import { getSubject, getTenantClaims, getUserObjectId } from './tenant-claims.ts';
import { findTenant } from './tenant-selection.ts';

/** Claims of each scope in the tenant form. */
const claims = {
  openid: ['sub', 'acr', 'amr', 'auth_time', 'ver', 'tid', 'oid', 'idp'],
  profile: ['name', 'preferred_username', 'given_name', 'family_name'],
};

/** Completes the configuration of a provider with what depends on the form, which is all but the subjects. */
export function adaptConfiguration(configuration: Configuration, parts: ProviderParts): Configuration {
  const { sandbox, form } = parts;
  const adapted: Configuration = {
    ...configuration,
    pairwiseIdentifier: async (_ctx, userId, { clientId }) => getSubject(parts, clientId, userId),
  };
  if (form === null) return adapted;
  const { features = {}, findAccount } = configuration;
  return {
    ...adapted,
    claims: { ...configuration.claims, ...claims, [loginHintClaim]: null },
    extraParams: {
      ...(configuration.extraParams as Record<string, null>),
      client_info: null,
      domain_hint: (ctx, hint) => {
        nameHintedUser(sandbox, ctx);
        applyDomainHint(sandbox, ctx, hint);
      },
    },
    findAccount: async (ctx, userId, token) => {
      const account: Account | undefined = await Promise.resolve(findAccount?.(ctx, userId, token));
      return account === undefined ? undefined : completeAccount(sandbox, account);
    },
    // As at the provider. In the plain form, libraries refresh without the scope (`configuration.ts`).
    issueRefreshToken: async (_ctx, client, { scopes }) =>
      client.grantTypeAllowed('refresh_token') && scopes.has('offline_access'),
    renderError: (ctx, out, error) => renderError(sandbox, ctx, out, describePageError(parts, ctx, error)),
    features: {
      ...features,
      introspection: { enabled: false },
      revocation: { enabled: false },
      registration: { enabled: false },
      registrationManagement: { enabled: false },
    },
  };
}

function completeAccount(sandbox: Sandbox, account: Account): Account {
  return {
    ...account,
    accountId: account.accountId,
    claims: async (...request) => ({
      ...(await account.claims(...request)),
      ...getTenantClaims(sandbox, account.accountId),
    }),
  };
}

/** Replaces the value of the claim `login_hint` in a request by the name of its user, which pages show (CL25). */
function nameHintedUser({ recorder }: Sandbox, { oidc: { params = {} } }: KoaContextWithOIDC): void {
  const state = recorder.state();
  const user = state.users.get(readLoginHint(state, params['login_hint']) ?? '');
  if (user !== undefined) params['login_hint'] = user.profile.userPrincipalName;
}

/** Values of `domain_hint` that name no domain. */
const kindsOfAccount: readonly string[] = ['organizations', 'consumers'];

/** Suggests the only user of a domain, if the request names the domain and no user. */
function applyDomainHint(sandbox: Sandbox, { oidc }: KoaContextWithOIDC, hint: string | undefined): void {
  const { params } = oidc;
  if (
    params === undefined ||
    hint === undefined ||
    params['login_hint'] !== undefined ||
    kindsOfAccount.includes(hint.toLowerCase())
  )
    return;
  const ending = `@${hint.toLowerCase()}`;
  const { users } = sandbox.recorder.state();
  // Synthetic users have the same domain, so two of them stand for all: two users suffice to suggest none.
  const names = new Set<string>();
  for (const some of [users.values().take(2), users.stored()]) {
    for (const { profile } of some) {
      const name = profile.userPrincipalName.toLowerCase();
      if (name.endsWith(ending)) names.add(name);
      if (names.size > 1) return;
    }
  }
  const [only] = names;
  if (only !== undefined) params['login_hint'] = only;
}

/** Makes subjects pairwise if the sandbox or the form has such subjects. */
export function useSubjects(provider: Provider, { sandbox, form }: ProviderParts): void {
  // The metadata of a client could not name the type, because the provider would then demand a sector for its URIs.
  Object.defineProperty(provider.Client.prototype, 'subjectType', {
    get: () => getSubjectType(sandbox.recorder.state().settings, form !== null),
    set: () => undefined,
  });
}

/**
 * Makes a provider respond in the tenant form: its addresses, the format of its tokens, and the account of the user in
 * its responses.
 */
export function useTenantForm(provider: Provider, parts: ProviderParts & { readonly form: TenantForm }): void {
  useTenantUrls(provider, parts);
  allowRepeatedAssertions(provider);
  useTenantIdTokens(provider, parts);
  Object.defineProperty(provider.Client.prototype, 'idTokenSignedResponseAlg', {
    get: () => 'RS256',
    set: () => undefined,
  });
  provider.on('authorization.success', ({ oidc }: KoaContextWithOIDC, response) => {
    if (oidc.params?.['client_info'] !== '1' || oidc.session?.accountId === undefined || response === undefined) return;
    response['client_info'] = createClientInfo(parts, oidc.session.accountId);
  });
}

/**
 * Accepts the same assertion until it expires, because a client library of this form sends it again. Its id stays its
 * own: another assertion with the id of an earlier one is rejected. DPoP proofs are still accepted once.
 *
 * @see CL41, A76
 */
function allowRepeatedAssertions(provider: Provider): void {
  const { ReplayDetection } = provider;
  const { unique } = ReplayDetection;
  const find = ReplayDetection.find as (id: string) => Promise<unknown>;
  ReplayDetection.unique = async (clientId, tokenId, expiresAt) => {
    const assertion = ProviderClass.ctx?.oidc.params?.['client_assertion'];
    const isNew = await unique.call(ReplayDetection, clientId, tokenId, expiresAt);
    if (typeof assertion !== 'string' || decodeJwt(assertion).jti !== tokenId) return isNew;
    const whole = `assertion ${hash('sha256', assertion, 'base64url')}`;
    if (isNew) return unique.call(ReplayDetection, clientId, whole, expiresAt);
    const isKnown = await find.call(ReplayDetection, hash('sha256', `${clientId}${whole}`, 'base64url'));
    return isKnown !== undefined;
  };
}

/** Returns the value from which client libraries form the id of an account. */
export function createClientInfo({ sandbox, form }: ProviderParts, userId: string): string {
  const account = { uid: getUserObjectId(sandbox.recorder.state(), userId), utid: form?.tenantId };
  return Buffer.from(JSON.stringify(account)).toString('base64url');
}

function useTenantUrls(provider: Provider, { issuer: baseUrl, form }: ProviderParts & { readonly form: TenantForm }) {
  const { serverUrl, tenantId } = form;
  provider.OIDCContext.prototype.urlFor = function (this: { readonly ctx: KoaContextWithOIDC }, name, options) {
    const selected = findTenant(this.ctx.res);
    const tenant = selected?.isShared === true ? selected.tenant : tenantId;
    // Browsers send the sign-in of their pages only to the sign-out of the plain form, and both forms share the session.
    if (name === 'end_session_confirm') return `${baseUrl}${provider.pathFor(name, { ...options, mountPath: '' })}`;
    return toTenantUrl(provider.pathFor(name, { ...options, mountPath: '' }), { serverUrl, baseUrl, tenant });
  };
}

type IdToken = InstanceType<Provider['IdToken']> & { readonly extra: Readonly<Record<string, unknown>> };

/** Values of a token that appear in it only as half of their hash. */
const hashedClaims = ['at_hash', 'c_hash', 's_hash'];

/** Signs ID tokens with RS256 and the thumbprint of its certificate, for any client. */
function useTenantIdTokens(provider: Provider, { sandbox }: ProviderParts): void {
  const { IdToken } = provider;
  const { issue } = IdToken.prototype;
  const { expiresIn } = IdToken as unknown as { expiresIn(ctx: object, token: object, client: Client): number };
  IdToken.prototype.issue = async function (this: IdToken, options) {
    if (options.use !== 'idtoken') return issue.call(this, options);
    const { client, ctx } = this;
    const payload = await this.payload();
    for (const name of hashedClaims) if (typeof payload[name] === 'string') payload[name] = halfHash(payload[name]);
    const iat = Math.floor(sandbox.clock.nowMs() / 1000);
    const exp = options.expiresAt ?? iat + expiresIn.call(IdToken, ctx, this, client);
    const key = await sandbox.tokens.keys.key('RS256');
    const { x5t } = await getKeyCertificate(key);
    const own = { iss: provider.issuer, aud: client.clientId, iat, nbf: iat, exp, uti: randomId() };
    return key.sign('JWT', { ...payload, ...own }, { x5t });
  };
}

/** Returns the left half of the hash of a value (OpenID Connect Core 1.0, section 3.1.3.6). */
function halfHash(value: string): string {
  return hash('sha256', value, 'buffer').subarray(0, 16).toString('base64url');
}

/** Makes providers accept client assertions for the addresses of either form. */
export function acceptAssertionsOfBothForms(provider: Provider, { sandbox, issuer: baseUrl }: ProviderParts): void {
  const { prototype } = provider.OIDCContext;
  const { clientJwtAuthExpectedAudience: getAudience } = prototype;
  prototype.clientJwtAuthExpectedAudience = function () {
    const { tenantIssuer } = sandbox.tokens;
    const tenantUrl = tenantIssuer.slice(0, -'/v2.0'.length);
    const audience = getAudience.call(this);
    for (const one of [baseUrl, `${baseUrl}/oauth2/token`, tenantIssuer, `${tenantUrl}/oauth2/v2.0/token`])
      audience.add(one);
    return audience;
  };
}
