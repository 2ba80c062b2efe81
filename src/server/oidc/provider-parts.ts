import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { defaultSandboxId } from '../../core/default-sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PublishedKey } from '../../sandbox/signing-keys.ts';
import type { LogoutTokens } from './logout-tokens.ts';
import type { OidcRecordStore } from './oidc-record-store.ts';

/**
 * Function that checks whether a token allows client registration (RFC 7591, section 3). `address` is the IP address of
 * the sender. Throws `too-many-requests` after too many failed attempts.
 */
export type RegistrationGuard = (token: string, address: string) => boolean;

/**
 * Function that sends the response to a usual request for an application's own token. Resolves to `false` if the
 * provider has to respond.
 */
export type AnswerApp = (
  request: { readonly headers: IncomingHttpHeaders; readonly body: Buffer },
  response: ServerResponse,
) => Promise<boolean>;

/** Tenant form of a sandbox's provider. */
export interface TenantForm {
  readonly issuer: string;
  readonly tenantId: string;
  /** URL of the server, at whose root the tenants are. */
  readonly serverUrl: string;
}

/** Returns `true` if a sandbox with a path is at the root of a port of its own. */
export function isAtOwnPort({ sandbox: { id }, issuer }: Pick<ProviderParts, 'sandbox' | 'issuer'>): boolean {
  return id !== defaultSandboxId && !issuer.endsWith(`/s/${id}`);
}

/** Components of a sandbox's provider. */
export interface ProviderParts {
  readonly sandbox: Sandbox;
  /** Base URL of the sandbox without a trailing slash. */
  readonly issuer: string;
  /** Tenant form, whose issuer is another one. `null` in the plain form. */
  readonly form: TenantForm | null;
  readonly records: OidcRecordStore;
  /** Published keys: those of the default algorithm first, and the active one first of each. */
  readonly keys: readonly PublishedKey[];
  /** Key that signs the cookies. */
  readonly cookieKey: string;
  /** Checks the initial access token of a registration and its sender. `null` if anyone can register clients. */
  readonly mayRegister: RegistrationGuard | null;
  /** Outbox of logout tokens. */
  readonly logout: LogoutTokens;
  /** Listener for unexpected errors. */
  readonly onFailure: (error: unknown, method: string, path: string) => void;
}
