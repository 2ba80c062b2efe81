import type { Request, RequestHandler } from 'express';
import { NudgeLabError } from '../../core/errors.ts';
import type { ControlAccess } from './control-access.ts';

/** Answered to everyone: who watches a server has no key, and they tell nothing of what is in it. */
const openPaths: ReadonlySet<string> = new Set(['/health', '/ready']);

const bearer = /^bearer +([^ ]+)$/i;

/**
 * Lets a request pass that carries the access key as a bearer token, or the cookie of a console that was signed in to. Takes
 * `null` where no key is asked for. Passes on `control-key-invalid`, and `too-many-requests` after too many wrong keys.
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
  if (given === null) return access.sessionOf(request) !== null;
  return access.admits(given, request.socket.remoteAddress ?? '');
}

function keyIn({ headers }: Request): string | null {
  return bearer.exec(headers.authorization ?? '')?.[1] ?? null;
}

function keyInvalid(request: Request): NudgeLabError {
  const message =
    request.headers.authorization === undefined
      ? 'This server asks for its access key.'
      : 'The access key is not the one of this server.';
  return new NudgeLabError('control-key-invalid', {
    message,
    headers: { 'WWW-Authenticate': 'Bearer realm="control"' },
  });
}
