import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { SigningKey } from '../../sandbox/signing-keys.ts';
import type { RecordShelf } from './record-shelf.ts';

/** What the provider of one sandbox stands on. */
export interface ProviderParts {
  readonly sandbox: Sandbox;
  /** Base address of the sandbox, without a slash at the end. */
  readonly issuer: string;
  readonly shelf: RecordShelf;
  /** The keys that tokens can be signed with, the usual one first. */
  readonly keys: readonly SigningKey[];
  /** Signs the cookies. */
  readonly cookieKey: string;
  /** Hears of failures that are no expected ones. */
  readonly onFailure: (error: unknown, method: string, path: string) => void;
}
