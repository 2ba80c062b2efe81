import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { keepCompiledCode } from './compiled-code.ts';

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
  return (request, response, next) => {
    if (!handles(request, response)) return next();
    if (deferred.loaded !== null) return deferred.loaded(request, response, next);
    response.once('finish', keepCompiledCode);
    return deferred.get().then((handle) => handle(request, response, next));
  };
}

/** Creates an error handler whose module is loaded by the first error that reaches it. */
export function deferErrors(load: () => Promise<ErrorRequestHandler>): ErrorRequestHandler {
  const deferred = new Deferred(load);
  return async (error, request, response, next) => (await deferred.get())(error, request, response, next);
}

/** Creates a function that returns `true` for requests to one of the paths, or below it, in any case. */
export function below(...paths: readonly string[]): (request: Request) => boolean {
  const beginnings = paths.map((path) => path.toLowerCase());
  return (request) => {
    const path = request.path.toLowerCase();
    return beginnings.some(
      (beginning) => path.startsWith(beginning) && (path.length === beginning.length || path[beginning.length] === '/'),
    );
  };
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
