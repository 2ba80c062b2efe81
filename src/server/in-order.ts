import type { RequestHandler } from 'express';

/**
 * Joins handlers of all requests into one, because the router would match the path again for each of them. As in the
 * router, an error or a rejected promise skips the rest.
 */
export function inOrder(...handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, done) => {
    let at = 0;
    const next = (error?: unknown): void => {
      const handle = handlers[at];
      at += 1;
      if (error !== undefined || handle === undefined) return done(error);
      try {
        const pending: unknown = handle(request, response, next);
        if (pending instanceof Promise) pending.catch(done);
      } catch (thrown) {
        done(thrown);
      }
    };
    next();
  };
}
