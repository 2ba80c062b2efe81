import type { ServerResponse } from 'node:http';

/**
 * Headers of every page. Nothing but the stylesheet is loaded and no script runs; a form goes to this server only, and no
 * frame shows it. `same-origin` is the strictest referrer policy under which browsers still send a true `Origin` with a form.
 */
const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** Sends a page. Takes its status, the document, and headers besides those of every page. */
export function sendPage(
  response: ServerResponse,
  status: number,
  document: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...pageHeaders, ...headers, 'Content-Length': Buffer.byteLength(document) });
  // As a text it leaves in one piece with the headers.
  response.end(document);
}
