import { hash } from 'node:crypto';
import type { RequestHandler } from 'express';

/** Script of a page with its path. */
export interface ScriptAsset {
  /** Path that contains a digest of the content, so browsers can cache it permanently. */
  readonly path: string;
  readonly serve: RequestHandler;
}

const digestCharacters = 12;

/** Creates a script of a page from its content. */
export function createScript(name: string, content: string): ScriptAsset {
  return {
    path: `/_assets/${name}-${hash('sha256', content, 'hex').slice(0, digestCharacters)}.js`,
    serve: (_request, response) => {
      response
        .writeHead(200, {
          'Content-Type': 'text/javascript; charset=utf-8',
          'Content-Length': Buffer.byteLength(content),
          'Cache-Control': 'public, max-age=31536000, immutable',
          'X-Content-Type-Options': 'nosniff',
        })
        .end(content);
    },
  };
}

/** Script that submits a response form automatically. */
export const submission = createScript('submit-form', 'document.forms[0].submit();\n');

/** Path of the script that submits the only form of a page. */
export const submitScriptPath = submission.path;
