import { type ControlRefusal, controlClient } from '../../../src/client/control-client.ts';

/** Error object from the server. Error codes belong to the control API or to another API of the server. */
export type Refusal = Omit<ControlRefusal, 'code'> & { readonly code: string };

/** Error for a request that the server rejected, with the error object of the response. */
export class RefusedError extends Error {
  readonly refusal: Refusal;

  /** Creates the error from the error object of a response. */
  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(refusal.message, options);
    this.refusal = refusal;
  }
}

/** Returns true if the server rejected the request, as opposed to a broken connection. */
export function isRefusal(error: unknown): error is RefusedError {
  return error instanceof RefusedError;
}

/** Client of this server's control API. All methods throw `RefusedError`, or `TypeError` if no server responds. */
export const api = controlClient({ url: '', toError: ({ refusal, status }) => refused(refusal, status) });

/** JSON object for a request body. */
export type Json = Readonly<Record<string, unknown>>;

/** Options of a request. */
export interface Sending {
  readonly method: string;
  readonly body?: Json | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends a request to one of this server's client-facing APIs and returns the JSON of the response.
 * The caller is responsible for the type. Throws the same errors as the methods of `api`.
 */
export async function send<T>(path: string, { method, body, headers = {} }: Sending): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const value: unknown = text === '' ? null : JSON.parse(text);
  if (!response.ok) throw refused((value as { readonly error?: WireError } | null)?.error, response.status);
  return value as T;
}

/**
 * Redirects to the sign-in page after the browser session expired. That page requests the control key and returns
 * here.
 */
function signInAgain(): void {
  location.assign(`/_console/sign-in?${new URLSearchParams({ next: location.pathname })}`);
}

/** The APIs that clients use name places in `details` and a `target`, the control API in `problems` and a `location`. */
interface WireError extends Partial<Refusal> {
  readonly details?: readonly { readonly target: string; readonly message: string }[];
}

/** Creates the error for an unsuccessful response from its error object, if any, and its status. */
function refused(error: WireError | null | undefined, status: number): RefusedError {
  if (error?.code === 'control-key-invalid') signInAgain();
  const details = error?.details?.map(({ target, message }) => ({ location: target, message }));
  return new RefusedError({
    code: error?.code ?? `status-${status}`,
    title: error?.title ?? 'Request rejected',
    message: error?.message ?? `The server responded with status ${status}.`,
    action: error?.action ?? '',
    problems: error?.problems ?? details ?? [],
    requestId: error?.requestId ?? '',
  });
}
