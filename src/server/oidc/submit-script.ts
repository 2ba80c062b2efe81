import { hash } from 'node:crypto';
import type { RequestHandler } from 'express';

/** Script that submits the only form of a page. */
const script = 'document.forms[0].submit();\n';

const digestCharacters = 12;

/** Path of the script. It contains a digest of the content, so browsers can cache it permanently. */
export const submitScriptPath = `/_assets/submit-form-${hash('sha256', script, 'hex').slice(0, digestCharacters)}.js`;

/** Serves the script that submits a response form automatically. */
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
