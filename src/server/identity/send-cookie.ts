import type { Response } from 'express';

/** Adds a cookie to an answer. What was given over HTTPS is sent over nothing else. Takes the whole `Set-Cookie` header. */
export function sendCookie(response: Response, cookie: string): void {
  response.appendHeader('Set-Cookie', response.req.secure ? `${cookie}; Secure` : cookie);
}
