import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import express, { type RequestHandler, Router } from 'express';
import { NudgeLabError } from '../core/errors.ts';

/** Base path of the console. */
const consolePath = '/_console';

/** Cache lifetime of files whose names contain their digest, in milliseconds: one year. */
const keptMs = 31_536_000_000;

/**
 * Headers of the console document. The console loads only its own files, sends requests only to this server, and cannot
 * be framed. Inline scripts and styles are blocked, but scripts can still set the styles of elements.
 */
const documentHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
};

/**
 * Returns the folder of the built console with a trailing slash, either next to the compiled package or in the build
 * output of a checkout, for its sources or for the program bundled from them. Returns `null` if the console was not built.
 */
function builtConsole(): string | null {
  const places = ['../../console/', '../../dist/console/', '../../../dist/console/'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  return places.find((place) => existsSync(`${place}assets`)) ?? null;
}

/** Options of the console route. */
export interface ConsoleOptions {
  /** Build output folder. `null` if the console was not built. */
  readonly folder?: string | null;
  /** `true` if users sign in to the console, which then offers sign-out. */
  readonly isGuarded?: boolean;
}

/**
 * Creates the router of the web console. It serves the asset files, and the same document for every other path because
 * each view has its own URL. Without a build folder, every path fails with `console-missing`.
 */
export function consoleRoute({ folder = builtConsole(), isGuarded = false }: ConsoleOptions = {}): Router {
  const router = Router();
  if (folder === null) {
    router.use(consolePath, refuse);
    return router;
  }
  const built = readFileSync(`${folder}index.html`, 'utf8');
  const document = Buffer.from(isGuarded ? built.replace('<html', '<html data-guarded') : built);
  const files = express.static(`${folder}assets`, {
    immutable: true,
    maxAge: keptMs,
    index: false,
    redirect: false,
    setHeaders: (response) => response.setHeader('X-Content-Type-Options', 'nosniff'),
  });
  // A missing file must be a 404. The browser would otherwise run the HTML document as a script.
  router.use(`${consolePath}/assets`, files, (_request, _response, next) => next('router'));
  router.get([consolePath, `${consolePath}/*path`], (_request, response) => {
    response.writeHead(200, { ...documentHeaders, 'Content-Length': document.length }).end(document);
  });
  return router;
}

const refuse: RequestHandler = (_request, _response, next) => next(new NudgeLabError('console-missing'));
