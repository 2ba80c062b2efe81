import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { NudgeLabError } from '../core/errors.ts';
import { close, listen } from './listen.ts';
import { createServer } from './node-http.ts';

/** Media types of the files of a site, by suffix; other files are not served. */
const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
};

/** Inline styles color the code of examples. */
const headers = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Encoding',
};

const loopback = '127.0.0.1';

/** A file of the site in memory. */
interface SiteFile {
  readonly mediaType: string;
  readonly bytes: Buffer;
  readonly compressed: Buffer;
}

/** A server of the documentation site. */
export interface RunningDocs {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly baseUrl: string;
  /** Stops listening. Maximum real time until open connections are closed. */
  close(graceMs: number): Promise<void>;
}

/** Site of the checkout. A bundle is one folder further down than the sources. */
const checkoutSite = import.meta.url.endsWith('.ts') ? '../../site/built' : '../../../site/built';

/**
 * Finds the built documentation site.
 *
 * @param folder folder that the caller names; `null` for the one of the checkout
 * @returns the folder of the site
 * @throws NudgeLabError `docs-missing` if it contains no site
 */
export function builtSite(folder: string | null): string {
  const site = folder ?? fileURLToPath(new URL(checkoutSite, import.meta.url));
  if (existsSync(join(site, 'index.html'))) return site;
  throw new NudgeLabError('docs-missing', { message: `There is no site in ${site}.` });
}

/**
 * Serves a built site on the loopback address. Files are compressed at their first request and then stay in memory.
 *
 * @param folder the site; files that are added later are not served
 * @param port 0 for any free port
 * @returns a promise that resolves once the server is listening
 * @throws NudgeLabError `address-in-use` if the port is taken
 */
export async function startDocs(folder: string, port: number): Promise<RunningDocs> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in mediaTypes)
    .map((entry) => join(entry.parentPath, entry.name));
  // Only these paths are ever read, so no request reaches a file outside of the folder.
  const paths = new Map(names.map((path) => [path.slice(folder.length).replaceAll('\\', '/'), path]));
  const loaded = new Map<string, SiteFile>();
  const load = (path: string): SiteFile => {
    const bytes = readFileSync(path);
    const file = { mediaType: mediaTypes[extname(path)] ?? '', bytes, compressed: gzipSync(bytes) };
    loaded.set(path, file);
    return file;
  };
  const server = createServer((request, response) => {
    const path = findFile(paths, request.url ?? '/');
    const servedPath = path ?? paths.get('/404.html');
    send(
      request,
      response,
      path === undefined ? 404 : 200,
      servedPath === undefined ? null : (loaded.get(servedPath) ?? load(servedPath)),
    );
  });
  const listening = await listen(server, port, loopback);
  return { baseUrl: `http://${loopback}:${listening}`, close: (graceMs) => close(server, graceMs) };
}

/** Finds the file for a path: the file itself, the page with this name, or the start page of a folder. */
function findFile(paths: ReadonlyMap<string, string>, address: string): string | undefined {
  const path = decoded(address.split(/[?#]/, 1)[0] ?? '/');
  if (path === null) return undefined;
  return paths.get(path.endsWith('/') ? `${path}index.html` : path) ?? paths.get(`${path}.html`);
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

function send(request: IncomingMessage, response: ServerResponse, status: number, file: SiteFile | null): void {
  request.resume();
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    return;
  }
  if (file === null) {
    response.writeHead(404).end();
    return;
  }
  const isCompressed = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  const body = isCompressed ? file.compressed : file.bytes;
  response.writeHead(status, {
    ...headers,
    'Content-Type': file.mediaType,
    'Content-Length': body.length,
    ...(isCompressed ? { 'Content-Encoding': 'gzip' } : {}),
  });
  // The server omits the body for HEAD.
  response.end(body);
}
