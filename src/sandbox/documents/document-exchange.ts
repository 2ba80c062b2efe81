/** A request as this room sees it, anyone who carries it. */
export interface DocumentRequest {
  readonly method: string;
  /** Below the address of the sandbox, beginning with `/api/v1`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: {
    readonly accept?: string | undefined;
    readonly authorization?: string | undefined;
    readonly contentType?: string | undefined;
    readonly ifMatch?: string | undefined;
    readonly ifNoneMatch?: string | undefined;
  };
  /** Reads the body, bounded. It is called only for a write that is allowed. */
  readonly readBody: () => Promise<Uint8Array>;
  /** Where the sandbox answers, without a slash at the end, and the part of it that is a path. */
  readonly base: string;
  readonly prefix: string;
}

/** An answer; a body is JSON. */
export interface DocumentResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

export const jsonType = 'application/json';

/** A response whose body is JSON. */
export function answer(status: number, body: Uint8Array, headers: Readonly<Record<string, string>>): DocumentResponse {
  return { status, headers: { 'Content-Type': jsonType, ...headers }, body };
}
