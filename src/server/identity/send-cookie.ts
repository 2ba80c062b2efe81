import type { Response } from 'express';
import { withPort } from '../port-cookies.ts';

/**
 * Adds a cookie to a response. Its name contains the port of the request, and a cookie that is set over HTTPS is only
 * sent over HTTPS.
 *
 * @param cookie - the full `Set-Cookie` header
 */
export function sendCookie(response: Response, cookie: string): void {
  const named = withPort(response.req, cookie);
  response.appendHeader('Set-Cookie', response.req.secure ? `${named}; Secure` : named);
}
