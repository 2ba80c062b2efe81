import type { RequestHandler } from 'express';

/**
 * Joins handlers of all requests into one, because the router would match the path again for each of them. As in the
 * router, an error or a rejected promise skips the rest.
 */
export function inOrder(...handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, next) => {
    const pass = (at: number): void => {
      const handle = handlers[at];
      if (handle === undefined) return next();
      const pending: unknown = handle(request, response, (error?: unknown) => {
        if (error === undefined) pass(at + 1);
        else next(error);
      });
      if (pending instanceof Promise) pending.catch(next);
    };
    pass(0);
  };
}
