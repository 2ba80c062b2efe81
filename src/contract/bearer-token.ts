import { NudgeLabError } from '../core/errors.ts';

const bearer = /^Bearer +([^\s]+) *$/i;

/** Returns the token of an `Authorization` header. Throws `unauthenticated` if there is none. */
export function bearerToken(authorization: string | undefined): string {
  const token = authorization === undefined ? undefined : bearer.exec(authorization)?.[1];
  if (token !== undefined) return token;
  throw new NudgeLabError('unauthenticated', {
    message: 'The request has no bearer token.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
