import type { ServerResponse } from 'node:http';

/**
 * Headers of every page. Pages load only the stylesheet and client script of this server, allow no inline code, submit
 * forms only to this server, and cannot be framed. `same-origin` is the strictest referrer policy with which browsers
 * still send the real `Origin` with a form.
 */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': contentPolicy("'self'"),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

function contentPolicy(formTargets: string): string {
  return `default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action ${formTargets}; frame-ancestors 'none'; base-uri 'none'`;
}

/** Optional additions to a page. */
export interface PageExtras {
  /** Headers in addition to those of every page. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Additional `form-action` source: the application to which a form finally redirects. */
  readonly formTarget?: string | undefined;
}

/** Sends a page with a status and optional additions. */
export function sendPage(
  response: ServerResponse,
  status: number,
  document: string,
  { headers = {}, formTarget }: PageExtras = {},
): void {
  const target = formTarget === undefined ? {} : { 'Content-Security-Policy': contentPolicy(`'self' ${formTarget}`) };
  const length = Buffer.byteLength(document);
  response.writeHead(status, { ...pageHeaders, ...target, ...headers, 'Content-Length': length });
  // A string body is sent in one chunk with the headers.
  response.end(document);
}
