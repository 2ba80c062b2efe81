import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { SigningKey } from '../../sandbox/signing-keys.ts';
import type { OidcRecordStore } from './oidc-record-store.ts';

/**
 * Checks whether a token lets its sender register clients (RFC 7591, 3). Takes the token and the address of the sender. Throws
 * `too-many-requests` after too many wrong ones.
 */
export type RegistrationGuard = (token: string, address: string) => boolean;

/** What the provider of one sandbox stands on. */
export interface ProviderParts {
  readonly sandbox: Sandbox;
  /** Base address of the sandbox, without a slash at the end. */
  readonly issuer: string;
  readonly records: OidcRecordStore;
  /** The keys that tokens can be signed with, the usual one first. */
  readonly keys: readonly SigningKey[];
  /** Signs the cookies. */
  readonly cookieKey: string;
  /** Checks the initial access token of a registration, and says who sends it; `null` where anybody may register a client. */
  readonly mayRegister: RegistrationGuard | null;
  /** Hears of failures that are no expected ones. */
  readonly onFailure: (error: unknown, method: string, path: string) => void;
}
