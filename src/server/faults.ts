import type { Request } from 'express';
import { NudgeLabError } from '../core/errors.ts';
import { routePatternOf } from './traffic/route-pattern.ts';

/** A failure that is no expected one: the server's operator has to hear of it. */
export interface Fault {
  readonly method: string;
  /** Without the query, which may hold what is nobody's business. */
  readonly path: string;
  /** The pattern of the route, in which no id and no name of a person stands. */
  readonly route: string;
  readonly error: unknown;
}

/** Hears of faults; what it does with them is the embedder's choice. */
export type FaultListener = (fault: Fault) => void;

/** Reports a failure of a request to the listener unless it is an expected one. */
export function reportFault(onFault: FaultListener, request: Request, error: unknown): void {
  if (error instanceof NudgeLabError && error.code !== 'internal-error') return;
  onFault({
    method: request.method,
    path: request.originalUrl.split('?', 1)[0] ?? '',
    route: routePatternOf(request),
    error,
  });
}
