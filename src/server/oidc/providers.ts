import { generateKeySync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { getServerUrl, getTenantGuid } from '../../sandbox/tenant-identity.ts';
import type { FaultListener } from '../faults.ts';
import { getRoutePattern } from '../traffic/route-pattern.ts';
import { fixtureHasOrigin, hasOrigin, sharesCookies } from './client-origins.ts';
import { requiresDpopNonce } from './dpop.ts';
import { loadWithStatusNames } from './load-provider.ts';
import { LogoutTokens } from './logout-tokens.ts';
import { OidcRecordStore } from './oidc-record-store.ts';
import type { AnswerApp, ProviderParts, RegistrationGuard, TenantForm } from './provider-parts.ts';

/** Provider of one sandbox with its request handler. */
export interface MountedProvider {
  readonly provider: Provider;
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly answerApp: AnswerApp;
}

/** Form of the addresses and tokens of a provider. Both forms of a sandbox share users, sessions, and records. */
export type AddressForm = 'plain' | 'tenant';

/** Provider that is being created, or exists, with its issuer. */
interface Mounting {
  /** Issuer and settings of the provider, which it reads only once. */
  readonly configuredBy: string;
  readonly made: Promise<MountedProvider>;
}

interface ProvidersOptions {
  /** Listener for unexpected errors. */
  readonly onFault?: FaultListener | undefined;
  /** `true` sends logout tokens to clients on this machine. */
  readonly deliversLogout?: boolean | undefined;
  /** Guard of client registration. Without it, anyone can register clients. */
  readonly mayRegister?: RegistrationGuard | undefined;
}

const cookieKeyName = 'oidc-cookie-key';
const cookieKeyBits = 256;

/**
 * Manages the OpenID providers of all sandboxes. They are created on first use, because most sandboxes never need one.
 */
export class Providers {
  readonly #options: ProvidersOptions;
  readonly #recordStores = new WeakMap<Sandbox, Promise<OidcRecordStore>>();
  readonly #followed = new WeakSet<Sandbox>();
  /** Providers by form, and by the base URL of the sandbox, which differs between ports. */
  readonly #mounted: Readonly<Record<AddressForm, WeakMap<Sandbox, Map<string, Mounting>>>> = {
    plain: new WeakMap(),
    tenant: new WeakMap(),
  };

  /** Outbox of logout tokens. */
  readonly logout: LogoutTokens;

  constructor(options: ProvidersOptions = {}) {
    this.#options = options;
    this.logout = new LogoutTokens((sandbox) => this.#openRecordStore(sandbox), options.deliversLogout === true);
  }

  /** Returns the provider of a sandbox. Throws `store-corrupt` or `store-failed`. */
  async of(sandbox: Sandbox): Promise<Provider> {
    return (await this.mounted(sandbox)).provider;
  }

  /** Returns `true` if a provider of a sandbox exists, or is being created. */
  isMounted(sandbox: Sandbox): boolean {
    return this.#mounted.plain.get(sandbox)?.has(sandbox.tokens.issuer) === true;
  }

  /**
   * Returns the provider of a sandbox with its request handler. The issuer is the base URL by which the current request
   * reached the sandbox. A provider has the keys that were published when it was created, so each change of the keys creates another one.
   */
  mounted(sandbox: Sandbox, form: AddressForm = 'plain'): Promise<MountedProvider> {
    const { tokens } = sandbox;
    const mounted = this.#mounted[form].get(sandbox) ?? new Map<string, Mounting>();
    this.#mounted[form].set(sandbox, mounted);
    const { issuer: baseUrl } = tokens;
    const issuer = form === 'plain' ? tokens.issuer : tokens.tenantIssuer;
    // The provider reads these settings only once.
    const configuredBy = JSON.stringify([
      issuer,
      tokens.keys.version,
      requiresDpopNonce(sandbox),
      sharesCookies(sandbox),
    ]);
    const known = mounted.get(baseUrl);
    if (known?.configuredBy === configuredBy) return known.made;
    const made = form === 'plain' ? this.#make(sandbox, null) : this.#makeTenantForm(sandbox);
    mounted.set(baseUrl, { configuredBy, made });
    // All waiting callers receive the failure, and the next call tries again.
    made.catch(() => mounted.delete(baseUrl));
    return made;
  }

  /** Returns `true` if an origin belongs to a client of a sandbox, including dynamically registered clients. */
  async knowsOrigin(sandbox: Sandbox, origin: string): Promise<boolean> {
    if (fixtureHasOrigin(sandbox, origin)) return true;
    const registered = (await this.#openRecordStore(sandbox)).payloads('Client');
    return registered.some(({ redirect_uris: redirectUris }) =>
      hasOrigin({ redirectUris: Array.isArray(redirectUris) ? redirectUris : [], anyLoopbackRedirect: false }, origin),
    );
  }

  /** Creates the provider of the tenant form after that of the plain form, with which it shares the stored keys. */
  async #makeTenantForm(sandbox: Sandbox): Promise<MountedProvider> {
    await this.mounted(sandbox);
    const { id, tokens, recorder } = sandbox;
    return this.#make(sandbox, {
      issuer: tokens.tenantIssuer,
      tenantId: getTenantGuid(id, recorder.state()),
      serverUrl: getServerUrl(id, tokens.issuer),
    });
  }

  async #make(sandbox: Sandbox, form: TenantForm | null): Promise<MountedProvider> {
    // The provider is loaded with the first sandbox that needs it, so servers without applications start without it.
    const { createProvider, createAppAnswers } = await loadWithStatusNames(() => import('./provider.ts'));
    const { keys, issuer } = sandbox.tokens;
    const { onFault = () => undefined, mayRegister = null } = this.#options;
    const parts: ProviderParts = {
      sandbox,
      issuer,
      form,
      records: await this.#openRecordStore(sandbox),
      // All algorithms in the discovery document must have a published key from the first response on.
      keys: await keys.published(),
      cookieKey: await getCookieKey(sandbox),
      mayRegister,
      logout: this.logout,
      onFailure: (error, method, path) =>
        onFault({ error, method, path, route: getRoutePattern({ originalUrl: path, route: undefined }) }),
    };
    const provider = createProvider(parts);
    return { provider, answer: provider.callback(), answerApp: createAppAnswers(provider, parts) };
  }

  /** Opens the outboxes of sandboxes, so tokens of an earlier process are delivered without waiting for a request. */
  resumeDeliveries(sandboxes: readonly Sandbox[]): void {
    if (this.#options.deliversLogout !== true) return;
    // The next request that needs the records reports a failure.
    for (const sandbox of sandboxes) this.#openRecordStore(sandbox).catch(() => undefined);
  }

  #openRecordStore(sandbox: Sandbox): Promise<OidcRecordStore> {
    const known = this.#recordStores.get(sandbox);
    if (known !== undefined) return known;
    const records = OidcRecordStore.open(sandbox);
    if (!this.#followed.has(sandbox)) this.logout.follow(sandbox);
    if (!this.#followed.has(sandbox)) sandbox.recorder.carried.onKept((kept) => this.#follow(sandbox, kept));
    this.#followed.add(sandbox);
    this.#recordStores.set(sandbox, records);
    records.catch(() => this.#recordStores.delete(sandbox));
    return records;
  }

  /** Applies the changes of another process. After a restore, everything is read again. */
  #follow(sandbox: Sandbox, kept: ReadonlyMap<string, string | null> | null): void {
    if (kept === null) this.#recordStores.delete(sandbox);
    if (kept === null) for (const mounted of Object.values(this.#mounted)) mounted.delete(sandbox);
    if (kept === null) return;
    this.#recordStores.get(sandbox)?.then(
      (records) => records.follow(kept),
      () => undefined,
    );
  }
}

async function getCookieKey({ id, recorder: { store } }: Sandbox): Promise<string> {
  const kept = await store.kept(id, cookieKeyName);
  if (kept !== null) return kept;
  const key = generateKeySync('hmac', { length: cookieKeyBits }).export().toString('base64url');
  await store.keep(id, cookieKeyName, key);
  return key;
}
