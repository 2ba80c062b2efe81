import { toInstant } from '../core/clock.ts';
import type { NudgeLabError } from '../core/errors.ts';
import { retryAfterDefaultSeconds } from '../core/limits.ts';
import { type Dialect, type ErrorArea, seedDialect } from './directory-api/dialect.ts';

/** Error body of the policy API and the directory API. */
export interface PolicyErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    /** Every invalid field with its location. */
    readonly details?: readonly { readonly code: string; readonly target: string; readonly message: string }[];
    readonly innerError: {
      readonly date: string;
      readonly 'request-id': string;
      readonly 'client-request-id': string;
    };
  };
}

/** Error response of the policy API. */
export interface PolicyFailure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: PolicyErrorBody;
}

/** Properties of a request that its errors depend on: its ids, its area, and the names that its tenant uses. */
export interface RequestMark {
  readonly requestId: string;
  /** Id that the client sent. Default: the request id. */
  readonly clientRequestId?: string;
  /** Time of the response in milliseconds on the virtual clock. */
  readonly dateMs: number;
  /** Default: the dialect of the specification. */
  readonly dialect?: Dialect;
  /** Default: the policy. */
  readonly area?: ErrorArea;
}

/** Creates the error body of the policy API from an error with its status and the metadata of its request. */
export function policyErrorBody(
  error: Pick<NudgeLabError, 'status' | 'message' | 'problems'> & Partial<Pick<NudgeLabError, 'aspect'>>,
  { requestId, clientRequestId = requestId, dateMs, dialect = seedDialect, area = 'policy' }: RequestMark,
): PolicyErrorBody {
  const code = dialect.getErrorCode(error.status, area, error.aspect);
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
      innerError: { date: formatDate(dateMs, dialect), 'request-id': requestId, 'client-request-id': clientRequestId },
    },
  };
}

function formatDate(dateMs: number, { data }: Dialect): string {
  const instant = toInstant(dateMs);
  return data.errorDates === 'seconds' ? instant.slice(0, secondsLength) : instant;
}

/** Length of a time without its fraction and time zone. */
const secondsLength = 'YYYY-MM-DDTHH:MM:SS'.length;

/** Creates the complete error response of the policy API: status, headers, and body. 429 and 503 have `Retry-After`. */
export function policyFailure(error: NudgeLabError, mark: RequestMark): PolicyFailure {
  const { code, status, publicMessage, problems, action, aspect } = error;
  // The body has no field for the suggested action. Problems and unknown paths already name what is allowed.
  const isComplete = problems.length > 0 || code === 'not-found' || aspect === 'segment';
  const message = isComplete ? publicMessage : `${publicMessage} ${action}`;
  const policyError = { status, message, problems, aspect };
  const retry = status === 429 || status === 503 ? { 'Retry-After': String(retryAfterDefaultSeconds) } : {};
  return { status, headers: { ...retry, ...error.headers }, body: policyErrorBody(policyError, mark) };
}
