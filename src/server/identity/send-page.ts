import type { ServerResponse } from 'node:http';

/**
 * Headers of every page. Only the stylesheet and the client script of this server are loaded, and nothing stands in line; a form
 * goes to this server, and no frame shows it. `same-origin` is the strictest referrer policy under which browsers still send a
 * true `Origin` with a form.
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

/** What a page may need besides its document. */
export interface PageExtras {
  /** Headers besides those of every page. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where else a form may lead in the end, as a source of `form-action`: the application that waits for the sign-in. */
  readonly formTarget?: string | undefined;
}

/** Sends a page. Takes its status, the document, and what it needs besides. */
export function sendPage(
  response: ServerResponse,
  status: number,
  document: string,
  { headers = {}, formTarget }: PageExtras = {},
): void {
  const target = formTarget === undefined ? {} : { 'Content-Security-Policy': contentPolicy(`'self' ${formTarget}`) };
  const length = Buffer.byteLength(document);
  response.writeHead(status, { ...pageHeaders, ...target, ...headers, 'Content-Length': length });
  // As a text it leaves in one piece with the headers.
  response.end(document);
}
