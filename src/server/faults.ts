import type { Request } from 'express';
import { NudgeLabError } from '../core/errors.ts';
import { getRoutePattern } from './traffic/route-pattern.ts';

/** A failure that is no expected one: the server's operator has to hear of it. */
export interface Fault {
  readonly method: string;
  /** Without the query, which may hold what is no one's business. */
  readonly path: string;
  /** The pattern of the route, in which no id and no name of a person stands. */
  readonly route: string;
  readonly error: unknown;
}

/** Hears of faults; what it does with them is the embedder's choice. */
export type FaultListener = (fault: Fault) => void;

/** Failures of a store that were reported: every request after one is rejected with the same error. */
const reported = new WeakSet<NudgeLabError>();

/**
 * Reports a failure of a request to the listener unless it is an expected one. A failure of the store is reported once, since
 * visitors are not told what it is.
 */
export function reportFault(onFault: FaultListener, request: Request, error: unknown): void {
  if (error instanceof NudgeLabError && !isForOperator(error)) return;
  onFault({
    method: request.method,
    path: request.originalUrl.split('?', 1)[0] ?? '',
    route: getRoutePattern(request),
    error,
  });
}

function isForOperator(error: NudgeLabError): boolean {
  if (error.code === 'internal-error') return true;
  if ((error.code !== 'store-failed' && error.code !== 'store-corrupt') || reported.has(error)) return false;
  reported.add(error);
  return true;
}
