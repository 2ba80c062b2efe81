import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequestHandler } from 'express';

/** A file of the pages with the address that it is served at. */
export interface Asset {
  /** Names the content, so that a browser may keep it for good. */
  readonly path: string;
  readonly serve: RequestHandler;
}

const digestCharacters = 12;

/** A file that pages load. Takes its name, its media type, and the address of the module that it stands beside. */
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

/** Addresses of the one stylesheet and the one client script. A new content has a new address. */
export const stylesheetPath = stylesheet.path;
export const scriptPath = script.path;

/** The files of the pages. */
export const assets: readonly Asset[] = [stylesheet, script];
