import { toInstant } from '../core/clock.ts';
import type { NudgeLabError } from '../core/errors.ts';
import { retryAfterDefaultSeconds } from '../core/limits.ts';

/** Error body of the policy API. */
export interface PolicyErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    /** Every invalid field with its location. */
    readonly details?: readonly { readonly code: string; readonly target: string; readonly message: string }[];
    readonly innerError: { readonly 'request-id': string; readonly date: string };
  };
}

/** Error response of the policy API. */
export interface PolicyFailure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: PolicyErrorBody;
}

/** Request id, and the time of the response in milliseconds on the virtual clock. */
export interface RequestMark {
  readonly requestId: string;
  readonly dateMs: number;
}

/** Error codes of the API by status. Any other status uses the code of its class. */
const codesByStatus: ReadonlyMap<number, string> = new Map([
  [400, 'badRequest'],
  [401, 'unauthenticated'],
  [403, 'accessDenied'],
  [404, 'notFound'],
  [405, 'methodNotAllowed'],
  [409, 'conflict'],
  [412, 'preconditionFailed'],
  [413, 'payloadTooLarge'],
  [415, 'unsupportedMediaType'],
  [429, 'tooManyRequests'],
  [503, 'serviceUnavailable'],
]);

/** Creates the error body of the policy API from an error with its status and the metadata of its request. */
export function policyErrorBody(
  error: Pick<NudgeLabError, 'status' | 'message' | 'problems'>,
  { requestId, dateMs }: RequestMark,
): PolicyErrorBody {
  const code = codesByStatus.get(error.status) ?? (error.status < 500 ? 'badRequest' : 'internalError');
  const details = error.problems.map(({ location: place, message }) => ({
    code: 'invalidValue',
    target: place,
    message,
  }));
  return {
    error: {
      code,
      message: error.message,
      ...(details.length === 0 ? {} : { details }),
      innerError: { 'request-id': requestId, date: toInstant(dateMs) },
    },
  };
}

/** Creates the complete error response of the policy API: status, headers, and body. A 429 always has `Retry-After`. */
export function policyFailure(error: NudgeLabError, mark: RequestMark): PolicyFailure {
  const { code, status, publicMessage, problems, action } = error;
  // The body has no field for the suggested action. Problems and unknown paths already name what is allowed.
  const isComplete = problems.length > 0 || code === 'not-found';
  const message = isComplete ? publicMessage : `${publicMessage} ${action}`;
  const policyError = { status, message, problems };
  const retry = error.status === 429 ? { 'Retry-After': String(retryAfterDefaultSeconds) } : {};
  return { status: error.status, headers: { ...retry, ...error.headers }, body: policyErrorBody(policyError, mark) };
}
