import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequestHandler } from 'express';

const css = readFileSync(new URL('./pages.css', import.meta.url));

const digestCharacters = 12;

/** Address of the one stylesheet. It names the content, so that a browser may keep it for good. */
export const stylesheetPath = `/_assets/pages-${hash('sha256', css, 'hex').slice(0, digestCharacters)}.css`;

const headers = {
  'Content-Type': 'text/css; charset=utf-8',
  'Content-Length': css.length,
  'Cache-Control': 'public, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
};

/** Serves the stylesheet; a new one has a new address. */
export const serveStylesheet: RequestHandler = (_request, response) => {
  response.writeHead(200, headers).end(css);
};
