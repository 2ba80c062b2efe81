import type { Request } from 'express';
import { NudgeLabError } from '../core/errors.ts';
import { gateErrors } from '../core/gate-errors.ts';
import { getRoutePattern } from './traffic/route-pattern.ts';

/** Unexpected failure that the server operator needs to know about. */
export interface Fault {
  readonly method: string;
  /** Request path without the query, which can contain private data. */
  readonly path: string;
  /** Pattern of the route, without ids and personal names. */
  readonly route: string;
  readonly error: unknown;
}

/** Listener for unexpected failures. The embedding application decides how to handle them. */
export type FaultListener = (fault: Fault) => void;

/** Store failures that were already reported, because later requests are rejected with the same error. */
const reported = new WeakSet<NudgeLabError>();

/**
 * Reports an unexpected failure of a request to the listener. Failures of gate modules and of stores are also reported,
 * those of stores only once, because their details are not sent to clients.
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
  if (error.code === 'internal-error' || error.code in gateErrors) return true;
  if ((error.code !== 'store-failed' && error.code !== 'store-corrupt') || reported.has(error)) return false;
  reported.add(error);
  return true;
}
