import type { Answer, errorAnswer } from '../../../src/contract/control-answers.schema.ts';

/** What the server said when it refused. */
export type Refusal = Answer<typeof errorAnswer>['error'];

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

/** A JSON value to send. */
export type Json = Readonly<Record<string, unknown>>;

/** Where the control API stands. */
const controlPath = '/_control/v1';

/**
 * Asks the control API. Takes the line of the request below it, such as `GET /sandboxes`, and a body. Returns the answer, of
 * whose shape the caller is sure; throws `RefusedError`, and `TypeError` when no server answers.
 */
export async function ask<T>(line: string, body?: Json): Promise<T> {
  const [method = 'GET', path = ''] = line.split(' ');
  return send(`${controlPath}${path}`, { method, body });
}

/** What a request may be made of. */
export interface Sending {
  readonly method: string;
  readonly body?: Json | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request to any API of this server. Returns the answer; throws as `ask` does. */
export async function send<T>(path: string, { method, body, headers = {} }: Sending): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer: unknown = text === '' ? null : JSON.parse(text);
  if (!response.ok) {
    const refusal = refusalOf(answer, response.status);
    if (refusal.code === 'control-key-invalid') signInAgain();
    throw new RefusedError(refusal);
  }
  return answer as T;
}

/** The session of this browser has ended: the server asks for its access key again, and then leads back to this view. */
export function signInAgain(): void {
  location.assign(`/_console/sign-in?${new URLSearchParams({ next: location.pathname })}`);
}

/** The APIs that clients use name places in `details` and a `target`, the control API in `problems` and a `place`. */
interface WireError extends Partial<Refusal> {
  readonly details?: readonly { readonly target: string; readonly message: string }[];
}

function refusalOf(answer: unknown, status: number): Refusal {
  const { error } = (answer ?? {}) as { readonly error?: WireError };
  const details = error?.details?.map(({ target, message }) => ({ place: target, message }));
  return {
    code: error?.code ?? `status-${status}`,
    title: error?.title ?? 'The server refused',
    message: error?.message ?? `The server answered with status ${status}.`,
    action: error?.action ?? '',
    problems: error?.problems ?? details ?? [],
    requestId: error?.requestId ?? '',
  };
}
