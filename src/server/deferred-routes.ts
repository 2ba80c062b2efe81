import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { escapePattern } from '../core/escape-pattern.ts';
import { keepCompiledCode } from './compiled-code.ts';

/** Creates a handler that passes all requests for which the condition is `false`. */
export function onlyIf(
  condition: (request: Request, response: Response) => boolean,
  handle: RequestHandler,
): RequestHandler {
  return (request, response, next) => (condition(request, response) ? handle(request, response, next) : next());
}

/**
 * Creates a handler whose module is loaded by the first request that reaches it. A failure to load is an error of that
 * request, and the next request tries again.
 *
 * @param handles - `true` for requests that the module may handle. All others pass
 * @param load - imports the module and creates its router
 */
export function deferRoutes(
  handles: (request: Request, response: Response) => boolean,
  load: () => Promise<RequestHandler>,
): RequestHandler {
  const deferred = new Deferred(load);
  return onlyIf(handles, (request, response, next) => {
    if (deferred.loaded !== null) return deferred.loaded(request, response, next);
    response.once('finish', keepCompiledCode);
    return deferred.get().then((handle) => handle(request, response, next));
  });
}

/** Creates an error handler whose module is loaded by the first error that reaches it. */
export function deferErrors(load: () => Promise<ErrorRequestHandler>): ErrorRequestHandler {
  const deferred = new Deferred(load);
  return async (error, request, response, next) => (await deferred.get())(error, request, response, next);
}

/** Creates a function that returns `true` for requests to one of the paths, or below it, in any case. */
export function below(...paths: readonly string[]): (request: Request) => boolean {
  return startsWith(paths, '(?:[/?#]|$)');
}

/** Creates a function that returns `true` for requests to one of the paths, in any case and with or without a final slash. */
export function exactly(...paths: readonly string[]): (request: Request) => boolean {
  return startsWith(paths, '/?(?:[?#]|$)');
}

/** Creates a function that returns `true` for requests whose address starts with one of the paths and then an end. */
function startsWith(paths: readonly string[], end: string): (request: Request) => boolean {
  const beginning = new RegExp(`^(?:${paths.map(escapePattern).join('|')})${end}`, 'i');
  // A proxy can send the whole address, whose path is parsed.
  return (request) => beginning.test(request.url.startsWith('/') ? request.url : request.path);
}

/** Value that is loaded once. */
class Deferred<T> {
  loaded: T | null = null;
  readonly #load: () => Promise<T>;
  #loading: Promise<T> | null = null;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  get(): Promise<T> {
    this.#loading ??= this.#begin();
    return this.#loading;
  }

  async #begin(): Promise<T> {
    try {
      this.loaded = await this.#load();
      return this.loaded;
    } catch (error) {
      this.#loading = null;
      throw error;
    }
  }
}
