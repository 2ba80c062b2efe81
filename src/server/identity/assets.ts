import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequestHandler } from 'express';

/** Static file of the pages with its path. */
export interface Asset {
  /** Path that contains a digest of the content, so browsers can cache the file permanently. */
  readonly path: string;
  readonly serve: RequestHandler;
}

const digestCharacters = 12;

/**
 * Creates a static file for pages.
 *
 * @param file - file name
 * @param contentType - media type
 * @param beside - URL of the module in the same folder
 */
export function createAsset(file: string, contentType: string, beside = import.meta.url): Asset {
  const content = readFileSync(new URL(`./${file}`, beside));
  const [name, kind] = [file.slice(0, file.indexOf('.')), file.slice(file.lastIndexOf('.'))];
  const headers = {
    'Content-Type': `${contentType}; charset=utf-8`,
    'Content-Length': content.length,
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
  };
  return {
    path: `/_assets/${name}-${hash('sha256', content, 'hex').slice(0, digestCharacters)}${kind}`,
    serve: (_request, response) => {
      response.writeHead(200, headers).end(content);
    },
  };
}

const stylesheet = createAsset('pages.css', 'text/css');
const script = createAsset('pages.client.js', 'text/javascript');

/** Path of the stylesheet of all pages. It changes with the content. */
export const stylesheetPath = stylesheet.path;
export const scriptPath = script.path;

/** Static files of the pages. */
export const assets: readonly Asset[] = [stylesheet, script];
