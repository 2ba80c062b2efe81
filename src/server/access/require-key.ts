import type { Request, RequestHandler } from 'express';
import { NudgeLabError } from '../../core/errors.ts';
import type { ControlAccess } from './control-access.ts';

/** Public paths: monitoring systems have no key, and the responses reveal nothing about sandboxes. */
const openPaths: ReadonlySet<string> = new Set(['/health', '/ready']);

const bearer = /^bearer +([^ ]+)$/i;

/**
 * Creates a handler that accepts requests with the control key as a bearer token or with a console session cookie.
 * Other requests fail with `control-key-invalid`, or with `too-many-requests` after too many wrong keys.
 *
 * @param access - access control of the server, or `null` if no key is configured
 */
export function requireKey(access: ControlAccess | null): RequestHandler {
  if (access === null) return (_request, _response, next) => next();
  return (request, _response, next) => {
    if (openPaths.has(request.path) || isAdmitted(request, access)) next();
    else next(keyInvalid(request));
  };
}

function isAdmitted(request: Request, access: ControlAccess): boolean {
  const given = keyIn(request);
  if (given === null) return access.findSession(request) !== null;
  return access.admits(given, request.socket.remoteAddress ?? '');
}

function keyIn({ headers }: Request): string | null {
  return bearer.exec(headers.authorization ?? '')?.[1] ?? null;
}

function keyInvalid(request: Request): NudgeLabError {
  const message =
    request.headers.authorization === undefined
      ? 'This server requires its control key.'
      : 'The control key is incorrect.';
  return new NudgeLabError('control-key-invalid', {
    message,
    headers: { 'WWW-Authenticate': 'Bearer realm="control"' },
  });
}
