import { existsSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { LocalCertificate } from '../../../src/server/https-certificate.ts';

/** Application in a browser, which loads its libraries as modules from the installed packages. */
export interface BrowserApplication {
  /** Origin of its pages. */
  readonly origin: string;
  /** Sets the module of a page, which `/{name}.html` loads. The page of the start is `index`. */
  setPage(name: string, code: string): void;
}

/** Files of packages by the names under which code imports them. */
export type ImportMap = Readonly<Record<string, string>>;

/**
 * Serves an application over HTTPS with the certificate of a test, or over HTTP without one.
 *
 * @param host - host name in its origin
 */
export async function serveApplication(
  certificate: LocalCertificate | null,
  imports: ImportMap,
  host = 'localhost',
): Promise<BrowserApplication> {
  const pages = new Map<string, string>();
  const importMap = JSON.stringify({ imports });
  const respond: RequestListener = (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'https://localhost');
    const file = join(process.cwd(), pathname);
    const name = pathname === '/' ? 'index' : pathname.slice(1).replace(/\.(?:html|js)$/, '');
    const code = pages.get(name);
    if (pathname.endsWith('.js') && code !== undefined) {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(code);
    } else if (pathname.includes('/node_modules/') && !pathname.includes('..') && existsSync(file)) {
      response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'max-age=600' });
      response.end(readFileSync(file));
    } else if (code === undefined) response.writeHead(404).end();
    else {
      const scripts = `<script type="importmap">${importMap}</script><script type="module" src="/${name}.js"></script>`;
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<!doctype html><html lang="en"><title>Application</title>${scripts}<h1>Application</h1></html>`);
    }
  };
  const server =
    certificate === null
      ? createHttpServer(respond)
      : createServer({ cert: certificate.certificate, key: certificate.privateKey }, respond);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const scheme = certificate === null ? 'http' : 'https';
  return { origin: `${scheme}://${host}:${port}`, setPage: (name, code) => pages.set(name, code) };
}
