import type { CreationOptionsResource } from '../../contract/directory-api/method-types.ts';
import type { MadePasskey } from '../passkeys.ts';
import type { Caller } from '../token-service.ts';

/** API versions, as paths name them. */
export const apiVersions = ['v1.0', 'beta'] as const;
export type ApiVersion = (typeof apiVersions)[number];

/** Request headers that the API reads. */
export interface DirectoryRequestHeaders {
  readonly accept?: string | undefined;
  readonly consistencyLevel?: string | undefined;
  readonly prefer?: string | undefined;
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** Passkey ceremonies of a client for other users. The relying party is that of the sandbox's pages. */
export interface PasskeyRegistrar {
  /** Creates the options of a registration, with a challenge that is valid once and for a number of minutes. */
  readonly createOptions: (userId: string, minutes: number) => Promise<CreationOptionsResource>;
  /** Verifies a registration. Returns the passkey, or a sentence that names the failed check. */
  readonly verify: (userId: string, credential: object) => Promise<MadePasskey | string>;
}

/** Request of the directory API, independent of HTTP. */
export interface DirectoryApiRequest {
  readonly method: string;
  readonly version: ApiVersion;
  /** Path below the version as sent, such as `/users('ada')`. */
  readonly path: string;
  /** Query without the question mark. */
  readonly query: string;
  readonly headers: DirectoryRequestHeaders;
  /** URL of the version, which addresses in responses start with. It ends with a slash. */
  readonly root: string;
  /** Creates and verifies passkeys of users for this server. */
  readonly passkeys: PasskeyRegistrar;
  /** Returns the caller. Throws `unauthenticated`. */
  readonly authenticate: () => Promise<Caller>;
  /** Reads the body as JSON. Throws `bad-request`, `payload-too-large` or `unsupported-media-type`. */
  readonly readBody: () => Promise<unknown>;
  /** Called with the sequence number of each journal entry that the request makes. */
  readonly onRecorded?: ((seq: number) => void) | undefined;
}

/** Response of the directory API: a JSON object, its bytes, a text, or nothing. */
export interface DirectoryApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly json: object } | { readonly bytes: Buffer } | { readonly text: string } | null;
}

/** Page of a list as bytes. */
export type RenderedPage = DirectoryApiResponse & { readonly body: { readonly bytes: Buffer } };

/** Media type of JSON responses. */
export const jsonMediaType =
  'application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8';

/** Media type of JSON responses without annotations. */
export const plainJsonMediaType = jsonMediaType.replace('=minimal', '=none');
