/** Request to the document records API, independent of the transport. */
export interface DocumentRequest {
  readonly method: string;
  /** Path relative to the sandbox URL, starting with `/api/v1`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: {
    readonly accept?: string | undefined;
    readonly authorization?: string | undefined;
    readonly contentType?: string | undefined;
    readonly ifMatch?: string | undefined;
    readonly ifNoneMatch?: string | undefined;
  };
  /** Reads the body up to the size limit, and is called only for writes that are allowed. */
  readonly readBody: () => Promise<Uint8Array>;
  /** Base URL of the sandbox without a trailing slash, and the path part of that URL. */
  readonly base: string;
  readonly prefix: string;
}

/** Response of the document records API. A body is always JSON. */
export interface DocumentResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

export const jsonType = 'application/json';

/** Creates a response with a JSON body. */
export function answer(status: number, body: Uint8Array, headers: Readonly<Record<string, string>>): DocumentResponse {
  return { status, headers: { 'Content-Type': jsonType, ...headers }, body };
}
