import { type ControlRefusal, controlClient } from '../../../src/client/control-client.ts';

/** The error object that the server returned. Its code is of the control API, or of another API of the server. */
export type Refusal = Omit<ControlRefusal, 'code'> & { readonly code: string };

/** A request that the server refused, with what it said. */
export class RefusedError extends Error {
  readonly refusal: Refusal;

  /** Takes the refusal as it came. */
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Whether a failure is a refusal, and no broken connection. */
export function isRefusal(error: unknown): error is RefusedError {
  return error instanceof RefusedError;
}

/** The control API of this server. Its methods throw `RefusedError`, and `TypeError` when no server answers. */
export const api = controlClient({ url: '', errorOf: ({ refusal, status }) => refused(refusal, status) });

/** A JSON value to send. */
export type Json = Readonly<Record<string, unknown>>;

/** What a request may be made of. */
export interface Sending {
  readonly method: string;
  readonly body?: Json | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends a request to an API of this server that clients use. Returns the JSON of the response, of whose shape the caller is sure;
 * throws as the methods of `api` do.
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

/** The session of this browser has ended: the server asks for its access key again, and then leads back to this view. */
export function signInAgain(): void {
  location.assign(`/_console/sign-in?${new URLSearchParams({ next: location.pathname })}`);
}

/** The APIs that clients use name places in `details` and a `target`, the control API in `problems` and a `location`. */
interface WireError extends Partial<Refusal> {
  readonly details?: readonly { readonly target: string; readonly message: string }[];
}

/** The error for a response that is no success. Takes its error object, if it has one, and its status. */
function refused(error: WireError | null | undefined, status: number): RefusedError {
  if (error?.code === 'control-key-invalid') signInAgain();
  const details = error?.details?.map(({ target, message }) => ({ location: target, message }));
  return new RefusedError({
    code: error?.code ?? `status-${status}`,
    title: error?.title ?? 'The server refused',
    message: error?.message ?? `The server answered with status ${status}.`,
    action: error?.action ?? '',
    problems: error?.problems ?? details ?? [],
    requestId: error?.requestId ?? '',
  });
}
