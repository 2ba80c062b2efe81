import type { RequestHandler, Router } from 'express';
import { NudgeLabError } from '../../core/errors.ts';

/** Path of a router with the HTTP methods that it supports, in upper case. */
export interface RouteMethods {
  /** Path in Express syntax. */
  readonly path: string;
  readonly methods: readonly string[];
}

/** Lists every registered path with its methods. The routes must be direct children of the given routers. */
export function routeMethods(routers: readonly Router[]): readonly RouteMethods[] {
  const byPath = new Map<string, string[]>();
  for (const { route } of routers.flatMap((router) => router.stack)) {
    if (route === undefined) continue;
    const methods = byPath.get(route.path) ?? [];
    byPath.set(route.path, methods);
    methods.push(...new Set(route.stack.flatMap(({ method }) => (method === undefined ? [] : [method.toUpperCase()]))));
  }
  return [...byPath].map(([path, methods]) => ({ path, methods }));
}

/** Creates a handler that rejects unsupported methods of a path. Throws `method-not-allowed` with an `Allow` header. */
export function refuseOtherMethods({ methods }: RouteMethods): RequestHandler {
  const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ');
  return (request) => {
    throw new NudgeLabError('method-not-allowed', {
      message: `${request.method} is not supported for this path; use ${allowed}.`,
      headers: { Allow: allowed },
    });
  };
}
