import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import express, { type RequestHandler, Router } from 'express';
import { NudgeLabError } from '../core/errors.ts';

/** Where the console is served. */
const consolePath = '/_console';

/** How long a browser keeps a file whose name is a digest of it, in ms: a year. */
const keptMs = 31_536_000_000;

/**
 * The console loads its own files alone, asks this server alone, and stands in no frame. Nothing stands in line: what scripts
 * set on elements one by one is no style of the document.
 */
const documentHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
};

/**
 * The folder of the built console, with a slash at its end: beside the compiled sources of the package, or where a checkout
 * builds it. `null` when it was not built.
 */
function builtConsole(): string | null {
  const places = ['../../console/', '../../dist/console/'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  return places.find((place) => existsSync(`${place}assets`)) ?? null;
}

/** What the console is served from, and how. */
export interface ConsoleOptions {
  /** The folder that it was built into; `null` where it was not. */
  readonly folder?: string | null;
  /** Whether people sign in to it; it then offers to sign out. */
  readonly isGuarded?: boolean;
}

/**
 * The web console: its files, and its one document at every other address below, as each view has one. Without a folder that it
 * was built into every address passes `console-missing` on.
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
  // A file that is not there is not found: the document in its place would be run as a script.
  router.use(`${consolePath}/assets`, files, (_request, _response, next) => next('router'));
  router.get([consolePath, `${consolePath}/*path`], (_request, response) => {
    response.writeHead(200, { ...documentHeaders, 'Content-Length': document.length }).end(document);
  });
  return router;
}

const refuse: RequestHandler = (_request, _response, next) => next(new NudgeLabError('console-missing'));
