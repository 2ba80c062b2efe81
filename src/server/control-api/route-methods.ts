import type { RequestHandler, Router } from 'express';
import { NudgeLabError } from '../../core/errors.ts';

/** A path of a router with the methods that it answers, in upper case. */
export interface RouteMethods {
  /** As Express writes it. */
  readonly path: string;
  readonly methods: readonly string[];
}

/** Every path that routers really answer, with its methods. Takes routers whose routes stand on them directly. */
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

/** Refuses, on a path that exists, every method that it does not answer. Throws `method-not-allowed` with `Allow`. */
export function refuseOtherMethods({ methods }: RouteMethods): RequestHandler {
  const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ');
  return (request) => {
    throw new NudgeLabError('method-not-allowed', {
      message: `${request.method} is not allowed here; ${allowed} is.`,
      headers: { Allow: allowed },
    });
  };
}
