import { hash } from 'node:crypto';
import type { RequestHandler } from 'express';

/** Sends the only form of a page. */
const script = 'document.forms[0].submit();\n';

const digestCharacters = 12;

/** Address of the script. It names the content, so that a browser may keep it for good. */
export const submitScriptPath = `/_assets/submit-form-${hash('sha256', script, 'hex').slice(0, digestCharacters)}.js`;

/** Serves the script that hands an answer over without a click. */
export const serveSubmitScript: RequestHandler = (_request, response) => {
  response
    .writeHead(200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Content-Length': Buffer.byteLength(script),
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
    })
    .end(script);
};
