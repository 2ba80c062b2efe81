import type { Response } from 'express';
import { withPort } from '../port-cookies.ts';

/**
 * Adds a cookie to a response, named after the port that the browser asked. What was given over HTTPS is sent over nothing else.
 * Takes the whole `Set-Cookie` header.
 */
export function sendCookie(response: Response, cookie: string): void {
  const named = withPort(response.req, cookie);
  response.appendHeader('Set-Cookie', response.req.secure ? `${named}; Secure` : named);
}
